/** The frame of everything that waits: the actions at the top, each with its key. */
import { type ComponentChildren, html, type VNode } from "../html.ts";
import { useKeys } from "../use-keys.ts";

export interface Choices {
  yes: { label: string; act(): void };
  no: { label: string; act(): void };
  edit?: { label: string; act(): void };
}

export function Panel({ choices, children }: { choices: Choices; children: ComponentChildren }): VNode {
  const { yes, no, edit } = choices;
  useKeys({ yes: yes.act, no: no.act, ...(edit && { edit: edit.act }) });
  return html`<div class="decide">
      <button class="primary" onClick=${yes.act}>${yes.label} <kbd aria-hidden="true">y</kbd></button>
      <button onClick=${no.act}>${no.label} <kbd aria-hidden="true">n</kbd></button>
      ${edit && html`<button onClick=${edit.act}>${edit.label} <kbd aria-hidden="true">e</kbd></button>`}
    </div>
    ${children}`;
}
