/** The journal: calls by day, each with what it changed, and a way back. */
import { counted } from "../rules/amounts.ts";
import { type Call, callsIn, deedOf, fieldChanges, isPerson, type JournalEntry, subjectOf } from "../rules/journal.ts";
import { sessionName, spoken } from "../rules/labels.ts";
import { oneLine } from "../rules/matched-text.ts";
import { spokenDay } from "../rules/spoken-date.ts";
import { useAnswer, useApp } from "./app-context.ts";
import { ConfirmDialog } from "./dialog.ts";
import { html, useState, type VNode } from "./html.ts";
import { Empty, Failed, Loading } from "./states.ts";
import { Line, When } from "./text.ts";

const PAGE = 40;
const MOST = 200;

export function Journal(): VNode {
  const { api, changes, place, sayer } = useApp();
  const [limit, setLimit] = useState(PAGE);
  const { answer, failure } = useAnswer((signal) => api.audit({ limit }, { signal }), [changes, place.root, limit]);
  if (failure !== null) return html`<${Failed} failure=${failure} />`;
  if (answer === null) return html`<${Loading} what="changes" />`;
  const entries = answer.entries.filter(({ store }) => !place.isOwn || store === "global");
  if (entries.length === 0)
    return html`<${Empty} title="Nothing has been changed yet."
      ><p>Every change is noted here, with what it was before.</p><//
    >`;
  const days = [...Map.groupBy(callsIn(entries), ({ at }) => spokenDay(at, sayer))];
  return html`${days.map(
    ([day, calls]) =>
      html`<section key=${day} class="day">
        <h2 class="group">${day}</h2>
        <ol>
          ${calls.map((call) => html`<${OneCall} key=${call.key} call=${call} />`)}
        </ol>
      </section>`,
  )}
  ${answer.entries.length < answer.total &&
  limit < MOST &&
  html`<button class="more" onClick=${() => setLimit(Math.min(MOST, limit + PAGE))}>Show more</button>`}`;
}

const ENTRIES_SHOWN = 5;

function OneCall({ call }: { call: Call }): VNode {
  const { act, api } = useApp();
  const [isAsking, setAsking] = useState(false);
  const { call: id, at, host, session, entries } = call;
  const undo = () => act("Undone.", () => api.rollback({ call: id! }));
  const more = entries.length - ENTRIES_SHOWN;
  return html`<li class="call">
    <p class="meta">
      <b>${deedOf(call)}</b><${When} at=${at} />${session !== "" &&
      !isPerson(host) &&
      html`<${Line} text=${oneLine(sessionName(session), 40)} />`}
    </p>
    ${entries
      .slice(0, ENTRIES_SHOWN)
      .map((entry) => html`<${OneEntry} key=${`${entry.store}${entry.number}`} entry=${entry} />`)}
    ${more > 0 && html`<p class="meta">${`and ${counted(more, "other change")}`}</p>`}
    ${id !== null && html`<button class="quiet" onClick=${() => setAsking(true)}>Undo this…</button>`}
    ${isAsking &&
    html`<${ConfirmDialog} title="Undo this call?" label="Undo it" onYes=${undo} onClose=${() => setAsking(false)}>
      <p>
        ${`It changed ${counted(entries.length, "thing")}; each becomes what it was before. If a later call changed one of them, nothing is undone. You can undo this too.`}
      </p>
    <//>`}
  </li>`;
}

function OneEntry({ entry }: { entry: JournalEntry }): VNode {
  const changes = fieldChanges(entry);
  const { shelf, before, beforeNote, afterNote } = entry;
  const isNew = before === null && beforeNote === null;
  return html`<details class="entry">
    <summary>
      <span class="kind">${`${isNew ? "New " : ""}${spoken(shelf)}`}</span>
      <${Line} text=${oneLine(subjectOf(entry), 120)} />
    </summary>
    ${(beforeNote ?? afterNote) !== null && html`<p class="meta">${`What it was is ${beforeNote ?? afterNote}.`}</p>`}
    <dl class="facts">
      ${changes.map(
        ({ field, pieces }) =>
          html`<div key=${field}>
            <dt>${spoken(field)}</dt>
            <dd class="prose" dir="auto">
              ${pieces.map(({ kind, text }) =>
                kind === "removed" ? html`<del>${text}</del>` : kind === "added" ? html`<ins>${text}</ins>` : text,
              )}
            </dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
