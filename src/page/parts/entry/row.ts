/** One row of a list: what it says, what kind of thing it is, and what to be careful about. */
import type { Entry } from "../../rules/entry.ts";
import { SCOPE_LABELS, spoken } from "../../rules/labels.ts";
import { cutText } from "../../rules/matched-text.ts";
import { relevanceWord } from "../../rules/relevance-words.ts";
import { html, type VNode } from "../html.ts";
import { Line, When } from "../text.ts";

interface RowProps {
  entry: Entry;
  words: readonly string[];
  isChosen: boolean;
  href: string;
}

const PREVIEW_MOST = 280;
const TAGS_MOST = 4;

export function EntryRow({ entry, words, isChosen, href }: RowProps): VNode {
  const { title, text, type, scope, shelf, tags, createdAt, marks, relevance, path } = entry;
  const { text: preview, isCut } = cutText(text.trim(), PREVIEW_MOST);
  return html`<li class=${isChosen ? "row chosen" : "row"}>
    <a href=${href} aria-current=${isChosen ? "true" : undefined}>
      <span class="kicker">
        <span class=${`kind kind-${shelf}`}>${spoken(shelf === "memory" ? type : shelf)}</span>
        ${relevance !== null &&
        html`<span class="relevance"
          ><meter min="0" max="1" value=${relevance} aria-hidden="true"></meter>${relevanceWord(relevance)}</span
        >`}
      </span>
      ${(title ?? path) !== null &&
      html`<span class="row-title"><${Line} text=${title ?? path} words=${words} /></span>`}
      <span class="preview"><${Line} text=${isCut ? `${preview}…` : preview} words=${words} /></span>
      <span class="meta">
        <${When} at=${createdAt} />
        ${shelf === "memory" && html`<span>${SCOPE_LABELS[scope] ?? scope}</span>`}
        ${tags.slice(0, TAGS_MOST).map((tag) => html`<span class="tag"><${Line} text=${tag} /></span>`)}
        ${marks.map(
          ({ kind, says }) =>
            html`<span class=${`mark mark-${kind}`} title=${says}>${MARK_LABELS[kind] ?? says}</span>`,
        )}
      </span>
    </a>
  </li>`;
}

const MARK_LABELS: Readonly<Record<string, string>> = {
  stale: "may be outdated",
  contradicts: "contradicts a decision",
  near: "not settled",
  unratified: "not ratified",
  pinned: "pinned",
};
