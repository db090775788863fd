/** An item that differs from the one in a file: both versions, and which one to keep. */
import type { Conflict } from "../../rules/import-file.ts";
import { useAnswer, useApp } from "../app-context.ts";
import { DiffText } from "../diff-text.ts";
import { html, type VNode } from "../html.ts";
import { Line, Prose } from "../text.ts";
import type { Incoming } from "./import-box.ts";
import { Panel } from "./panel.ts";

interface ConflictProps {
  conflict: Conflict;
  incoming: Incoming;
  settled(): void;
}

export function ConflictPanel({ conflict, incoming, settled }: ConflictProps): VNode {
  const { api, changes } = useApp();
  const { id, theirs, reason } = conflict;
  const { answer: mine } = useAnswer((signal) => api.get({ id, quiet: true }, { signal }), [id, changes]);
  const take = async () => {
    if (await incoming.replace(conflict)) settled();
  };
  const keep = () => {
    settled();
    incoming.keep(conflict);
  };
  const choices = {
    yes: { label: "Take theirs", act: () => void take() },
    no: { label: "Keep mine", act: keep },
  };
  return html`<${Panel} choices=${choices}>
    <p class="kicker"><span class="kind">Conflict</span><${Line} text=${reason} /></p>
    ${mine !== null &&
    theirs !== null &&
    html`<h3>What theirs changes</h3>
      <div class="statement"><${DiffText} before=${mine.content} after=${theirs.content} /></div>`}
    <div class="sides">
      <div>
        <h3>Here</h3>
        ${mine === null
          ? html`<p class="meta">It is not here under this id.</p>`
          : html`<${Prose} text=${mine.content} />`}
      </div>
      <div>
        <h3>In the file</h3>
        ${theirs === null
          ? html`<p class="meta">Not shown in the file.</p>`
          : html`<${Prose} text=${theirs.content} />`}
      </div>
    </div>
  <//>`;
}
