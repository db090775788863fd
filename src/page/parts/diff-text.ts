/** Two texts as one, with what was removed and what was added. Said in words for those who do not see the colours. */
import { cutText, SHOWN_MOST } from "../rules/matched-text.ts";
import { wordDiff } from "../rules/word-diff.ts";
import { html, useMemo, type VNode } from "./html.ts";

export function DiffText({ before, after }: { before: string; after: string }): VNode {
  const pieces = useMemo(
    () => wordDiff(cutText(before, SHOWN_MOST).text, cutText(after, SHOWN_MOST).text),
    [before, after],
  );
  return html`<div class="prose diff" dir="auto">
    ${pieces.map(({ kind, text }) =>
      kind === "removed" ? html`<del>${text}</del>` : kind === "added" ? html`<ins>${text}</ins>` : text,
    )}
  </div>`;
}
