/** The keys, as a list. */
import { SHORTCUTS } from "../rules/shortcuts.ts";
import { Dialog } from "./dialog.ts";
import { html, type VNode } from "./html.ts";

const SHOWN: Readonly<Record<string, string>> = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

export const KeyHelp = ({ close }: { close(): void }): VNode =>
  html`<${Dialog} title="Keys" onClose=${close}>
    <dl class="keys">
      ${SHORTCUTS.map(
        ({ keys, says }) =>
          html`<div>
            <dt>${keys.map((key) => html`<kbd>${SHOWN[key] ?? key}</kbd> `)}</dt>
            <dd>${says}</dd>
          </div>`,
      )}
    </dl>
    <div class="actions"><button class="primary" onClick=${close}>Close</button></div>
  <//>`;
