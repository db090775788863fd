/** Text that people or agents wrote: shown as it is, in its own direction, and never as markup. */
import { spokenNumber } from "../rules/amounts.ts";
import { cutText, matchedPieces, seenText, SHOWN_MOST } from "../rules/matched-text.ts";
import { exactDate, spokenDate } from "../rules/spoken-date.ts";
import { useApp } from "./app-context.ts";
import { html, useState, type VNode } from "./html.ts";

interface TextProps {
  text: string;
  /** Words of the question, which are marked. */
  words?: readonly string[];
}

/** A line or less. The direction of its letters does not reach beyond it. */
export const Line = ({ text, words = [] }: TextProps): VNode =>
  html`<bdi class="line">${matchedPieces(seenText(text), words).map(pieceOf)}</bdi>`;

/** Any length, with its line breaks; a very long one is cut until the rest is asked for. */
export function Prose({ text, words = [] }: TextProps): VNode {
  const { sayer } = useApp();
  const [isWhole, setWhole] = useState(false);
  const shown = cutText(text, isWhole ? Infinity : SHOWN_MOST);
  return html`<div class="prose" dir="auto">${matchedPieces(shown.text, words).map(pieceOf)}${shown.isCut && "…"}</div>
    ${shown.isCut &&
    html`<button class="quiet" onClick=${() => setWhole(true)}>
      Show all ${spokenNumber(text.length, sayer.language)} characters
    </button>`}`;
}

const pieceOf = ({ text, isMatch }: { text: string; isMatch: boolean }) =>
  isMatch ? html`<mark>${text}</mark>` : text;

export function When({ at }: { at: string }): VNode {
  const { sayer } = useApp();
  return html`<time datetime=${at} title=${exactDate(at, sayer)}>${spokenDate(at, sayer)}</time>`;
}
