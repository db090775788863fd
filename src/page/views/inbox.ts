/** Inbox: what waits for a person, one thing at a time, decided with the keys or the mouse. */
import type { Api } from "../client/api.ts";
import { useAnswer, useApp, useCalmChanges } from "../parts/app-context.ts";
import { html, type VNode } from "../parts/html.ts";
import { Icon } from "../parts/icons.ts";
import { ConflictPanel } from "../parts/inbox/conflict-panel.ts";
import { ImportBox, useImport } from "../parts/inbox/import-box.ts";
import { PairPanel } from "../parts/inbox/pair-panel.ts";
import { ProposalPanel } from "../parts/inbox/proposal-panel.ts";
import { SuggestionPanel } from "../parts/inbox/suggestion-panel.ts";
import { Command, Empty, Failed, Loading } from "../parts/states.ts";
import { Line } from "../parts/text.ts";
import { useKeys } from "../parts/use-keys.ts";
import { HEADINGS, headlineOf, nextKey, type Pair, type Waiting, waitingIn } from "../rules/inbox.ts";
import { oneLine } from "../rules/matched-text.ts";
import { fragmentOf } from "../rules/route.ts";
import { stepped } from "../rules/shortcuts.ts";

const PROPOSALS_MOST = 200;
const SUGGESTIONS_MOST = 50;
const PAIRS_MOST = 20;

export function InboxView(): VNode {
  const { api, changes, place, route, go } = useApp();
  const incoming = useImport();
  const here = [place.root, place.isOwn];
  const { answer, failure } = useAnswer((signal) => read(place.isOwn, api, signal), [changes, ...here]);
  const alike = useAnswer((signal) => readPairs(place.isOwn, api, signal), [useCalmChanges(), ...here]);
  const list = waitingIn({ ...(answer ?? NONE), pairs: alike.answer ?? [], conflicts: incoming.conflicts });
  const chosen = list.find(({ key }) => key === route.terms["id"]) ?? null;
  const choose = (key: string) => go({ view: "inbox", terms: { id: key } });
  const position = chosen === null ? -1 : list.indexOf(chosen);
  const step = (by: 1 | -1) => {
    const next = list[stepped(position, list.length, by)];
    if (next !== undefined) choose(next.key);
  };
  useKeys({ next: () => step(1), previous: () => step(-1), close: () => choose("") });
  const settled = () => chosen !== null && choose(nextKey(list, chosen.key));
  return html`<div class=${chosen === null ? "search inbox" : "search inbox has-detail"}>
    <div class="list-column">
      <header class="page-head">
        <h1>Inbox</h1>
        <p>Agents propose; you decide. <${KeyHints} /></p>
      </header>
      ${[failure, alike.failure].map((one) => one !== null && html`<${Failed} failure=${one} />`)}
      ${answer === null && failure === null && html`<${Loading} what="the inbox" />`}
      ${answer !== null && alike.answer !== null && list.length === 0 && html`<${Done} />`}
      <${WaitingList} list=${list} chosen=${chosen} />
      <p class="meta" role="status">
        ${answer !== null && alike.answer === null && alike.isLoading && "Looking for memories that say the same…"}
      </p>
      ${answer !== null && !place.isOwn && html`<${ImportBox} incoming=${incoming} />`}
    </div>
    ${chosen !== null &&
    html`<section class="detail" key=${chosen.key} aria-label="What waits">
      <button class="quiet back" onClick=${() => choose("")}><${Icon} name="back" /> Back to the list</button>
      <${Panel} waiting=${chosen} settled=${settled} incoming=${incoming} />
    </section>`}
  </div>`;
}

const HINTS = [
  ["j", "next"],
  ["k", "back"],
  ["y", "yes"],
  ["n", "no"],
  ["e", "edit"],
  ["u", "undo"],
] as const;

const KeyHints = (): VNode =>
  html`<span class="hints"
    >${HINTS.map(([key, says]) => html`<span key=${key}><kbd>${key}</kbd> ${says}</span>`)}</span
  >`;

const NONE = { proposals: [], graph: { items: [], relations: [], files: [], isCut: false } };

async function read(isOwn: boolean, api: Api, signal: AbortSignal) {
  const [{ items }, graph] = await Promise.all([
    isOwn ? { items: [] } : api.proposals({ limit: PROPOSALS_MOST }, { signal }),
    api.relations({ suggested: true, limit: SUGGESTIONS_MOST }, { signal }),
  ]);
  const isShown = ({ scope }: { scope: string }) => !isOwn || scope === "global";
  const shown = { ...graph, items: graph.items.filter(isShown) };
  return { proposals: items, graph: shown };
}

/** Apart, because comparing memories takes long in a large store, and decisions must not wait for it. */
async function readPairs(isOwn: boolean, api: Api, signal: AbortSignal): Promise<Pair[]> {
  const scopes = isOwn ? (["global"] as const) : (["project", "global"] as const);
  const found = await Promise.all(scopes.map((scope) => api.consolidate({ scope, limit: PAIRS_MOST }, { signal })));
  return found.flatMap(({ pairs }) => pairs);
}

function WaitingList({ list, chosen }: { list: readonly Waiting[]; chosen: Waiting | null }): VNode {
  return html`${[...Map.groupBy(list, ({ kind }) => kind)].map(
    ([kind, own]) =>
      html`<section key=${kind}>
        <h2 class="group">${HEADINGS[kind]} <span class="count">${own.length}</span></h2>
        <ol class="rows">
          ${own.map(
            (waiting) => html`<${WaitingRow} key=${waiting.key} waiting=${waiting} isChosen=${waiting === chosen} />`,
          )}
        </ol>
      </section>`,
  )}`;
}

function WaitingRow({ waiting, isChosen }: { waiting: Waiting; isChosen: boolean }): VNode {
  const { title, text } = headlineOf(waiting);
  const href = fragmentOf({ view: "inbox", terms: { id: waiting.key } });
  return html`<li class=${isChosen ? "row chosen" : "row"}>
    <a href=${href} aria-current=${isChosen ? "true" : undefined}>
      <span class="kicker kind"><${Line} text=${title} /></span>
      <span class="preview"><${Line} text=${oneLine(text, 200)} /></span>
    </a>
  </li>`;
}

interface PanelProps {
  waiting: Waiting;
  settled(): void;
  incoming: ReturnType<typeof useImport>;
}

function Panel({ waiting, settled, incoming }: PanelProps): VNode {
  switch (waiting.kind) {
    case "proposal":
      return html`<${ProposalPanel} proposal=${waiting.proposal} settled=${settled} />`;
    case "suggestion":
      return html`<${SuggestionPanel} suggestion=${waiting.suggestion} settled=${settled} />`;
    case "pair":
      return html`<${PairPanel} pair=${waiting.pair} settled=${settled} />`;
    case "conflict":
      return html`<${ConflictPanel} conflict=${waiting.conflict} settled=${settled} incoming=${incoming} />`;
  }
}

const Done = (): VNode =>
  html`<${Empty} title="Nothing waits for you.">
    <p>
      When an agent settles on something with you, it proposes a decision, and you ratify or reject it here. Relations
      that Stele is not sure of and memories that say the same thing appear here too. To propose one yourself:
    </p>
    <${Command} text='stele propose "Keep every time in UTC" --subject times' />
  <//>`;
