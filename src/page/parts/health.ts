/** What the doctor finds. Problems and notes are spelt out; what is well is listed on request. */
import { documentIn } from "../client/api.ts";
import { counted } from "../rules/amounts.ts";
import { useAnswer, useApp } from "./app-context.ts";
import { Card } from "./card.ts";
import { html, type VNode } from "./html.ts";
import { Failed, Loading, Sentence } from "./states.ts";
import { Line } from "./text.ts";

interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  readonly next: string | null;
}

export function Health(): VNode {
  const { fetchRoute, place } = useApp();
  const { answer, failure } = useAnswer(
    async (signal) => (await documentIn(await fetchRoute("/v1/doctor", signal))) as { findings: readonly Finding[] },
    [place.root],
  );
  if (failure !== null) return html`<${Failed} failure=${failure} />`;
  if (answer === null) return html`<${Loading} what="the doctor's report" />`;
  const [well, other] = [
    answer.findings.filter(({ state }) => state === "ok"),
    answer.findings.filter(({ state }) => state !== "ok"),
  ];
  const problems = other.filter(({ state }) => state === "problem").length;
  const note = problems > 0 ? counted(problems, "problem") : "all is well";
  return html`<${Card} title="Health" note=${note}>
    ${other.map((finding) => html`<${OneFinding} key=${finding.message} finding=${finding} />`)}
    <details class="entry">
      <summary>${counted(well.length, "check")} without complaint</summary>
      <ul class="links">
        ${well.map(
          ({ check, message }) =>
            html`<li key=${message}><span class="meta">${check}</span><${Line} text=${message} /></li>`,
        )}
      </ul>
    </details>
  <//>`;
}

const OneFinding = ({ finding: { check, state, message, next } }: { finding: Finding }): VNode =>
  html`<div class=${state === "problem" ? "caution caution-contradicts" : "caution caution-note"}>
    <p><b>${check}</b>: <${Sentence} text=${message} /></p>
    ${next !== null && html`<p><${Sentence} text=${next} /></p>`}
  </div>`;
