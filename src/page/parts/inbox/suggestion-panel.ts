/** A relation that Stele is not sure of: both memories in full, and how the first would relate to the second. */
import { percent } from "../../rules/amounts.ts";
import { RELATIONS, relationSentence, type Suggestion } from "../../rules/inbox.ts";
import { useAnswer, useApp } from "../app-context.ts";
import { html, useState, type VNode } from "../html.ts";
import { Line, Prose, When } from "../text.ts";
import { Panel } from "./panel.ts";

interface SuggestionProps {
  suggestion: Suggestion;
  settled(): void;
}

export function SuggestionPanel({ suggestion, settled }: SuggestionProps): VNode {
  const { api, act } = useApp();
  const { source, target, strength } = suggestion;
  const [relation, setRelation] = useState(suggestion.relation);
  const [isEditing, setEditing] = useState(false);
  const accept = () => act("Related.", () => api.link({ source, target, relation }), settled);
  const dismiss = () => {
    const unlink = () => api.unlink({ source, target, relation: suggestion.relation });
    return act("Dismissed; it is not suggested again.", unlink, settled);
  };
  const choices = {
    yes: { label: "Relate them", act: () => void accept() },
    no: { label: "Dismiss", act: () => void dismiss() },
    edit: { label: "Another relation", act: () => setEditing(true) },
  };
  return html`<${Panel} choices=${choices}>
    <p class="kicker"><span class="kind">Suggested relation</span><span>${percent(strength)} alike</span></p>
    <${Whole} id=${source} />
    ${isEditing
      ? html`<label class="field relation">
          How the first relates to the second
          <select
            value=${relation}
            onChange=${(event: Event) => setRelation((event.target as HTMLSelectElement).value as typeof relation)}
          >
            ${RELATIONS.map(
              (name) => html`<option value=${name} selected=${name === relation}>${relationSentence(name)}</option>`,
            )}
          </select>
        </label>`
      : html`<p class="relation">${relationSentence(relation)}</p>`}
    <${Whole} id=${target} />
  <//>`;
}

/** One of two, as it is stored. */
export function Whole({ id }: { id: string }): VNode | null {
  const { api, changes } = useApp();
  const { answer } = useAnswer((signal) => api.get({ id, quiet: true }, { signal }), [id, changes]);
  if (answer === null) return null;
  return html`<div class="statement">
    ${answer.title !== null && html`<b><${Line} text=${answer.title} /></b>`}
    <${Prose} text=${answer.content} />
    <p class="meta"><${When} at=${answer.createdAt} /></p>
  </div>`;
}
