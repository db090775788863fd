/** Two memories that say nearly the same: what differs, and one text for both. */
import { percent } from "../../rules/amounts.ts";
import type { Pair } from "../../rules/inbox.ts";
import { useAnswer, useApp } from "../app-context.ts";
import { DiffText } from "../diff-text.ts";
import { html, useState, type VNode } from "../html.ts";
import { Prose, When } from "../text.ts";
import { Panel } from "./panel.ts";

export function PairPanel({ pair, settled }: { pair: Pair; settled(): void }): VNode {
  const { api, act, changes } = useApp();
  const [draft, setDraft] = useState<string | null>(null);
  const [first, second] = [pair.first.id, pair.second.id];
  const read = (id: string) => useAnswer((signal) => api.get({ id, quiet: true }, { signal }), [id, changes]).answer;
  const [later, earlier] = [read(first), read(second)];
  const merge = () => {
    const content = draft === null ? {} : { content: draft };
    return act("Merged into one. Both are its history.", () => api.merge({ first, second, ...content }), settled);
  };
  const keep = () => act("Kept both, as related.", () => api.link({ source: first, target: second }), settled);
  const longer = (later?.content.length ?? 0) >= (earlier?.content.length ?? 0) ? later : earlier;
  const choices = {
    yes: { label: "Merge", act: () => void merge() },
    no: { label: "Keep both", act: () => void keep() },
    edit: { label: "Write one text", act: () => setDraft(draft ?? longer?.content ?? "") },
  };
  return html`<${Panel} choices=${choices}>
    <p class="kicker"><span class="kind">Near-duplicate</span><span>${percent(pair.likeness)} alike</span></p>
    ${later !== null &&
    earlier !== null &&
    html`<h3>What the later one changes</h3>
      <div class="statement"><${DiffText} before=${earlier.content} after=${later.content} /></div>
      <div class="sides">
        ${[earlier, later].map(
          (one) =>
            html`<div key=${one.id}>
              <h3>${one === earlier ? "Earlier" : "Later"}</h3>
              <${Prose} text=${one.content} />
              <p class="meta">
                <${When} at=${one.createdAt} />${one.tags.map((tag) => html`<span class="tag">${tag}</span>`)}
              </p>
            </div>`,
        )}
      </div>`}
    ${draft !== null &&
    html`<label class="field">
      The text of the merged memory
      <textarea
        dir="auto"
        value=${draft}
        onInput=${(event: Event) => setDraft((event.target as HTMLTextAreaElement).value)}
      ></textarea>
    </label>`}
  <//>`;
}
