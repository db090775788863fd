/** What a view shows when it has nothing to show yet: why, and the next step. */
import type { Failure } from "../../errors.ts";
import { seenText } from "../rules/matched-text.ts";
import { type ComponentChildren, html, type VNode } from "./html.ts";

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }): VNode =>
  html`<div class="empty">
    <h2>${title}</h2>
    ${children}
  </div>`;

/** A command to type, in a box of its own. */
export const Command = ({ text }: { text: string }): VNode =>
  html`<pre class="command" tabindex="0"><code>${text}</code></pre>`;

/** A sentence of the program, with the commands in it as code. */
export const Sentence = ({ text }: { text: string }): VNode =>
  html`<bdi
    >${seenText(text)
      .split(/`([^`\n]+)`/)
      .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</bdi
  >`;

export const Failed = ({ failure }: { failure: Failure }): VNode =>
  html`<div class="empty" role="alert">
    <h2><${Sentence} text=${failure.message} /></h2>
    ${failure.hint !== "" && html`<p><${Sentence} text=${failure.hint} /></p>`}
  </div>`;

export const Loading = ({ what }: { what: string }): VNode =>
  html`<div class="loading" role="status">
    <span class="visually-hidden">Reading ${what}</span><i></i><i></i><i></i>
  </div>`;
