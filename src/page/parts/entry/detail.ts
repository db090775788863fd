/** One item in full: its text, why it was found, what to be careful about, its history, and where it comes from. */
import type { Answer } from "../../client/api.ts";
import { percent } from "../../rules/amounts.ts";
import type { Entry } from "../../rules/entry.ts";
import { SCOPE_LABELS, sessionName, SOURCE_LABELS, spoken, STATUS_LABELS } from "../../rules/labels.ts";
import { oneLine } from "../../rules/matched-text.ts";
import { whyWords } from "../../rules/relevance-words.ts";
import { useAnswer, useApp } from "../app-context.ts";
import { DiffText } from "../diff-text.ts";
import { html, useRef, useState, type VNode } from "../html.ts";
import { Icon } from "../icons.ts";
import { Failed, Loading } from "../states.ts";
import { Line, Prose, When } from "../text.ts";
import { EntryActions } from "./actions.ts";
import { EntryEditor } from "./editor.ts";

interface DetailProps {
  id: string;
  /** How it was found, if it was searched for. */
  found: Entry | null;
  words: readonly string[];
  open(id: string): void;
  close(): void;
}

export function EntryDetail({ id, found, words, open, close }: DetailProps): VNode {
  const { api, changes, place } = useApp();
  const [isEditing, setEditing] = useState(false);
  // Opening it is reading it; showing what changed meanwhile is not.
  const isRead = useRef(false);
  const { answer: item, failure } = useAnswer(
    (signal) => {
      const quiet = isRead.current;
      isRead.current = true;
      // The reading that counts is not called off: the server may have counted it, and the next would count once more.
      return api.get({ id, quiet }, quiet ? { signal } : {});
    },
    [id, changes, place.root],
  );
  return html`<section class="detail" aria-label="One item in full">
    <button class="quiet back" onClick=${close}><${Icon} name="back" /> Back to the list</button>
    ${item === null
      ? failure === null
        ? html`<${Loading} what="it" />`
        : html`<${Failed} failure=${failure} />`
      : isEditing
        ? html`<${EntryEditor}
            item=${item}
            close=${(next: string | null) => (setEditing(false), next !== null && next !== id && open(next))}
          />`
        : html`<${Whole}
            item=${item}
            found=${found}
            words=${words}
            open=${open}
            close=${close}
            edit=${() => setEditing(true)}
          />`}
  </section>`;
}

interface WholeProps extends Omit<DetailProps, "id"> {
  item: Answer<"get">;
  edit(): void;
}

function Whole({ item, found, words, open, close, edit }: WholeProps): VNode {
  return html`<article>
    <p class="kicker">
      <span class=${`kind kind-${item.shelf}`}>${spoken(item.shelf === "memory" ? item.type : item.shelf)}</span>
      <span>${STATUS_LABELS[item.status] ?? item.status}</span>
    </p>
    ${item.title === null
      ? html`<h2 class="visually-hidden">What it says</h2>`
      : html`<h2><${Line} text=${item.title} words=${words} /></h2>`}
    ${(found?.marks ?? []).map(
      ({ kind, says }) => html`<p class=${`caution caution-${kind}`}><${Line} text=${says} /></p>`,
    )}
    <${Prose} text=${item.content} words=${words} />
    ${item.background !== null &&
    html`<h3>Background</h3>
      <${Prose} text=${item.background} />`}
    <${EntryActions} item=${item} edit=${edit} leave=${close} />
    ${item.grounds && html`<${Grounds} grounds=${item.grounds} open=${open} />`}
    ${found !== null &&
    found.relevance !== null &&
    html`<h3>Why it was found</h3>
      <p>${`${percent(found.relevance)} likely to answer your question: ${whyWords(found.why).join(", ")}.`}</p>`}
    <${Facts} item=${item} />
    ${item.evidence !== undefined &&
    item.evidence.length > 0 &&
    html`<h3>Taken from</h3>
      <${Links} ids=${item.evidence} open=${open} />`}
    <${Related} id=${item.id} shelf=${item.shelf} open=${open} />
    ${item.history.length > 0 && html`<${History} item=${item} />`}
  </article>`;
}

function Grounds({ grounds, open }: { grounds: NonNullable<Answer<"get">["grounds"]>; open(id: string): void }): VNode {
  const { rationale, rejected, evidence, settled, reason } = grounds;
  return html`${rationale !== null &&
  html`<h3>Because</h3>
    <${Prose} text=${rationale} />`}
  ${rejected.length > 0 &&
  html`<h3>Rejected alternatives</h3>
    <ul>
      ${rejected.map((text) => html`<li><${Line} text=${text} /></li>`)}
    </ul>`}
  ${reason !== null &&
  html`<h3>Why it was rejected</h3>
    <${Prose} text=${reason} />`}
  ${settled && html`<p class="meta">${settled.by ?? "nobody"}, ${settled.how}, <${When} at=${settled.at} /></p>`}
  ${evidence.length > 0 &&
  html`<h3>Evidence</h3>
    <${Links} ids=${evidence} open=${open} />`}`;
}

const Links = ({ ids, open }: { ids: readonly string[]; open(id: string): void }): VNode =>
  html`<ul class="links">
    ${ids.map((id) => html`<li><button class="link" onClick=${() => open(id)}>${id.slice(-8)}</button></li>`)}
  </ul>`;

const timesWord = (count: number): string => (count === 1 ? "once" : `${count} times`);

function Facts({ item }: { item: Answer<"get"> }): VNode {
  const { context, source, byAgent, host, session } = item;
  const facts: [string, unknown][] = [
    ["Holds in", SCOPE_LABELS[item.scope] ?? item.scope],
    ["Remembered", html`<${When} at=${item.createdAt} />`],
    ["Changed", item.updatedAt === item.createdAt ? null : html`<${When} at=${item.updatedAt} />`],
    [
      "Comes from",
      [SOURCE_LABELS[source] ?? source, byAgent && "written by an agent", host].filter(Boolean).join(", "),
    ],
    ["Session", session === "" ? null : html`<${Line} text=${oneLine(sessionName(session), 60)} />`],
    [
      "Read",
      item.accessCount === 0 ? "never" : html`${timesWord(item.accessCount)}, last <${When} at=${item.accessedAt} />`,
    ],
    ["Confidence", percent(item.confidence)],
    ["Priority", `${item.priority} of 10${item.pinned ? ", pinned" : ""}`],
    [
      "Tags",
      item.tags.length === 0 ? null : item.tags.map((tag) => html`<span class="tag"><${Line} text=${tag} /></span> `),
    ],
    ["Branch", context.branch === null ? null : html`<${Line} text=${context.branch} />`],
    ["Files", context.files.length === 0 ? null : html`<${Line} text=${context.files.join(", ")} />`],
    ["Expires", item.expiresAt === null ? null : html`<${When} at=${item.expiresAt} />`],
    ["Held until", item.validUntil === null ? null : html`<${When} at=${item.validUntil} />`],
    ["Handle", html`<code>${item.handle}</code>`],
  ];
  return html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== null)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

const RELATION_WORDS: Readonly<Record<string, string>> = {
  relates_to: "related",
  derived_from: "derived from",
  exemplifies: "an example of",
  source_of: "source of",
};

function Related({ id, shelf, open }: { id: string; shelf: string; open(id: string): void }): VNode | null {
  const { api, changes } = useApp();
  const isLinked = shelf === "memory" || shelf === "decision";
  const { answer } = useAnswer(
    async (signal) => (isLinked ? api.related({ target: id, limit: 6 }, { signal }) : null),
    [id, changes],
  );
  if (answer === null || answer.items.length === 0) return null;
  return html`<h3>Related</h3>
    <ul class="links">
      ${answer.items.map(
        ({ id: other, title, summary, path, by, suggested }) =>
          html`<li>
            <span class="meta"
              >${by.map((way) => RELATION_WORDS[way] ?? spoken(way)).join(", ")}${suggested && " (suggested)"}</span
            >
            <button class="link" onClick=${() => open(other)}>
              <${Line} text=${oneLine(title ?? summary ?? path ?? other, 120)} />
            </button>
          </li>`,
      )}
    </ul>`;
}

/** Each version beside the one that replaced it. */
function History({ item }: { item: Answer<"get"> }): VNode {
  const versions = [{ content: item.content }, ...item.history];
  return html`<h3>History</h3>
    <ol class="history">
      ${item.history.map(
        (past, index) =>
          html`<li>
            <p class="meta">
              ${past.validUntil === null
                ? html`written <${When} at=${past.createdAt} />`
                : html`held until <${When} at=${past.validUntil} />`}
            </p>
            <${DiffText} before=${past.content} after=${versions[index]!.content} />
          </li>`,
      )}
    </ol>`;
}
