/** Timeline: sessions with what each left and was handed, and the journal with what every call changed. */
import type { Answer, Api } from "../client/api.ts";
import { useAnswer, useApp } from "../parts/app-context.ts";
import { html, useState, type VNode } from "../parts/html.ts";
import { Journal } from "../parts/journal.ts";
import { Command, Empty, Failed, Loading } from "../parts/states.ts";
import { Line, When } from "../parts/text.ts";
import { counted } from "../rules/amounts.ts";
import { sessionName, spoken } from "../rules/labels.ts";
import { oneLine } from "../rules/matched-text.ts";
import { fragmentOf } from "../rules/route.ts";
import { spokenDay } from "../rules/spoken-date.ts";

const PAGE = 20;
const MOST = 200;
type Session = Answer<"sessions">["sessions"][number];

export function TimelineView(): VNode {
  const { route, go } = useApp();
  const isJournal = route.terms["show"] === "changes";
  const show = (what: string) => go({ view: "timeline", terms: { show: what } });
  return html`<div class="column">
    <header class="page-head">
      <h1>Timeline</h1>
      <p>
        ${isJournal
          ? "Every change, who made it, and what it was before. Any of them can be undone."
          : "What each session left behind, and what it was handed."}
      </p>
    </header>
    <div class="chips" role="group" aria-label="What to show">
      <button aria-pressed=${!isJournal} onClick=${() => show("")}>Sessions</button>
      <button aria-pressed=${isJournal} onClick=${() => show("changes")}>Changes</button>
    </div>
    ${isJournal ? html`<${Journal} />` : html`<${Sessions} />`}
  </div>`;
}

function Sessions(): VNode {
  const { api, changes, place, sayer } = useApp();
  const [limit, setLimit] = useState(PAGE);
  const { answer, failure } = useAnswer((signal) => api.sessions({ limit }, { signal }), [changes, place.root, limit]);
  if (failure !== null) return html`<${Failed} failure=${failure} />`;
  if (answer === null) return html`<${Loading} what="sessions" />`;
  const { sessions } = answer;
  if (sessions.length === 0)
    return html`<${Empty} title="No session is known here yet.">
      <p>Once a host is connected, its sessions appear here with what they learnt. Connect the ones on this machine:</p>
      <${Command} text="stele init" />
    <//>`;
  const days = [...Map.groupBy(sessions, ({ lastAt }) => spokenDay(lastAt, sayer))];
  return html`${days.map(
    ([day, own]) =>
      html`<section key=${day} class="day">
        <h2 class="group">${day}</h2>
        ${own.map((session) => html`<${OneSession} key=${session.session} session=${session} />`)}
      </section>`,
  )}
  ${sessions.length === limit &&
  limit < MOST &&
  html`<button class="more" onClick=${() => setLimit(Math.min(MOST, limit + PAGE))}>Show more</button>`}`;
}

function OneSession({ session }: { session: Session }): VNode {
  const [isOpen, setOpen] = useState(false);
  const { host, memories, proposals, evidence, injected, lastAt, endedAt } = session;
  const left = [
    memories > 0 && counted(memories, "memory", "memories"),
    proposals > 0 && counted(proposals, "proposal"),
    evidence > 0 && counted(evidence, "conversation"),
  ].filter((part) => part !== false);
  return html`<details
    class="session"
    open=${isOpen}
    onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}
  >
    <summary>
      <span class="row-title"><${Line} text=${oneLine(sessionName(session.session), 60)} /></span>
      <span class="meta">
        <span>${host === "" ? "unknown host" : host}</span>
        <${When} at=${lastAt} />
        ${endedAt === null && html`<span>not reported to have ended</span>`}
      </span>
      <span class="meta">
        <span>${left.length === 0 ? "left nothing" : `left ${left.join(", ")}`}</span>
        <span>${injected === 0 ? "was handed nothing" : `was handed ${counted(injected, "thing")}`}</span>
      </span>
    </summary>
    ${isOpen && html`<${SessionItems} session=${session.session} />`}
  </details>`;
}

function SessionItems({ session }: { session: string }): VNode {
  const { api, changes } = useApp();
  const { answer, failure } = useAnswer((signal) => readItems(session, api, signal), [session, changes]);
  if (failure !== null) return html`<${Failed} failure=${failure} />`;
  if (answer === null) return html`<${Loading} what="the session" />`;
  return html`<div class="sides">
    <div>
      <h3>Left behind</h3>
      ${answer.captured.length === 0
        ? html`<p class="meta">Nothing.</p>`
        : html`<${ItemLinks} items=${answer.captured} />`}
    </div>
    <div>
      <h3>Was handed</h3>
      ${answer.injected.length === 0
        ? html`<p class="meta">Nothing.</p>`
        : html`<${ItemLinks} items=${answer.injected} />`}
    </div>
  </div>`;
}

/** The title of a decision is only its subject. */
const sayingOf = (shelf: string, title: string | null, summary: string): string =>
  title !== null && ["decision", "proposal"].includes(shelf) ? `${title}: ${summary}` : (title ?? summary);

const readItems = (session: string, api: Api, signal: AbortSignal) => api.sessions({ session }, { signal });

type Linked = {
  id: string;
  handle: string;
  shelf: string;
  type: string;
  title: string | null;
  summary: string;
  at?: string;
};

const ItemLinks = ({ items }: { items: readonly Linked[] }): VNode =>
  html`<ul class="links">
    ${items.map(
      ({ id, shelf, type, title, summary, at }) =>
        html`<li key=${id}>
          <span class="meta"
            ><span>${spoken(shelf === "memory" ? type : shelf)}</span>${at !== undefined &&
            html`<${When} at=${at} />`}</span
          >
          <a href=${fragmentOf({ view: "search", terms: { id } })}
            ><${Line} text=${oneLine(sayingOf(shelf, title, summary), 140)}
          /></a>
        </li>`,
    )}
  </ul>`;
