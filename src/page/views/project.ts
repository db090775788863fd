/** Project: what the next session will be handed, how things stand, whether all is well, and what is stored. */
import type { Answer } from "../client/api.ts";
import { useAnswer, useApp, useCalmChanges } from "../parts/app-context.ts";
import { Card } from "../parts/card.ts";
import { GrowthChart } from "../parts/growth-chart.ts";
import { Health } from "../parts/health.ts";
import { html, type VNode } from "../parts/html.ts";
import { Failed, Loading } from "../parts/states.ts";
import { Line, When } from "../parts/text.ts";
import { counted, percent, spokenBytes, spokenCost, spokenNumber } from "../rules/amounts.ts";
import { folderName, spoken } from "../rules/labels.ts";
import { oneLine, seenText } from "../rules/matched-text.ts";
import { fragmentOf } from "../rules/route.ts";

type Inspection = Answer<"inspect">;

export function ProjectView(): VNode {
  const { place, api } = useApp();
  const changes = useCalmChanges();
  const { answer, failure } = useAnswer((signal) => api.inspect({}, { signal }), [changes, place.root]);
  return html`<div class="board">
    <header class="page-head">
      <h1>${place.isOwn ? "Your own space" : html`<${Line} text=${folderName(place.root)} />`}</h1>
      <p>${place.isOwn ? "What holds in all projects." : html`<code><${Line} text=${place.root} /></code>`}</p>
    </header>
    ${failure !== null && html`<${Failed} failure=${failure} />`}
    ${answer === null && failure === null && html`<${Loading} what="the project" />`}
    ${answer !== null && html`<${Numbers} inspection=${answer} isOwn=${place.isOwn} />`}
    ${!place.isOwn && html`<${Surface} /><${Standing} />`}
    ${answer !== null &&
    html`<${Growth} inspection=${answer} isOwn=${place.isOwn} /><${Storage}
        inspection=${answer}
        isOwn=${place.isOwn}
      />`}
    <${Health} />
    ${answer !== null && html`<${Ledger} inspection=${answer} />`}
  </div>`;
}

const storeOf = ({ stores }: Inspection, isOwn: boolean) => (isOwn ? stores.global : stores.project);

function Numbers({ inspection, isOwn }: { inspection: Inspection; isOwn: boolean }): VNode {
  const { sayer } = useApp();
  const { counts } = storeOf(inspection, isOwn);
  const count = (shelf: string, status: string) =>
    counts.filter((one) => one.shelf === shelf && one.status === status).reduce((sum, one) => sum + one.count, 0);
  const shown: [number, string, string][] = [
    [count("memory", "active"), "memories", "#/search?shelf=memory"],
    [count("decision", "active"), "decisions in force", "#/search?shelf=decision"],
    [count("proposal", "pending"), "waiting for you", "#/inbox"],
    [count("evidence", "active"), "pieces of evidence", "#/search?shelf=evidence"],
  ];
  return html`<ul class="numbers">
    ${shown.map(
      ([value, label, href]) =>
        html`<li>
          <a href=${href}><b>${spokenNumber(value, sayer.language)}</b><span>${label}</span></a>
        </li>`,
    )}
  </ul>`;
}

function Surface(): VNode {
  const { api, place } = useApp();
  const changes = useCalmChanges();
  const { answer, failure } = useAnswer((signal) => api.surface({}, { signal }), [changes, place.root]);
  if (failure !== null) return html`<${Failed} failure=${failure} />`;
  if (answer === null) return html`<${Loading} what="the surface" />`;
  const note = answer.text === "" ? "nothing yet" : `about ${answer.tokens} tokens`;
  return html`<${Card} title="What the next session is handed" note=${note}>
    ${answer.text === ""
      ? html`<p class="meta">A session is handed what matters most, as soon as something is remembered here.</p>`
      : html`<pre class="question surface" tabindex="0" dir="auto">${seenText(answer.text)}</pre>`}
  <//>`;
}

function Standing(): VNode | null {
  const { api, place } = useApp();
  const changes = useCalmChanges();
  const { answer } = useAnswer((signal) => api.orient({}, { signal }), [changes, place.root]);
  if (answer === null) return null;
  const { project, lastSession, decisions, open, commits, memories } = answer;
  const link = ({ id, text }: { id: string | null; text: string }) =>
    id === null
      ? html`<${Line} text=${oneLine(text, 140)} />`
      : html`<a href=${fragmentOf({ view: "search", terms: { id } })}><${Line} text=${oneLine(text, 140)} /></a>`;
  return html`<${Card}
    title="Where it stands"
    note=${project.branch === null ? undefined : `on ${oneLine(project.branch, 40)}`}
  >
    ${lastSession &&
    html`<p class="meta">
      <span>The last session was in ${lastSession.host || "an unknown host"},</span><${When} at=${lastSession.at} />
    </p>`}
    <div class="sides">
      <${Brief} title="Holds" rows=${decisions.map(link)} none="Nothing is decided yet." />
      <${Brief} title="Left open" rows=${open.map(link)} none="Nothing." />
      <${Brief} title="Learnt lately" rows=${memories.map(link)} none="Nothing." />
      ${commits.length > 0 &&
      html`<${Brief}
        title="Committed since"
        rows=${commits.map(({ subject }) => html`<${Line} text=${oneLine(subject, 100)} />`)}
        none=""
      />`}
    </div>
  <//>`;
}

const BRIEF_MOST = 6;

const Brief = ({ title, rows, none }: { title: string; rows: readonly VNode[]; none: string }): VNode =>
  html`<div>
    <h3>${title}</h3>
    ${rows.length === 0
      ? html`<p class="meta">${none}</p>`
      : html`<ul class="links">
          ${rows.slice(0, BRIEF_MOST).map((row) => html`<li>${row}</li>`)}
        </ul>`}
  </div>`;

function Growth({ inspection, isOwn }: { inspection: Inspection; isOwn: boolean }): VNode {
  const { days, neverRecalled, mostRecalled } = storeOf(inspection, isOwn);
  return html`<${Card} title="Over time" note="what was remembered, by day">
    <${GrowthChart} days=${days} />
    <div class="sides">
      <${Brief}
        title="Read most"
        rows=${mostRecalled.map(
          ({ id, summary, count }) =>
            html`<span class="meta">${counted(count, "time")}</span
              ><a href=${fragmentOf({ view: "search", terms: { id } })}><${Line} text=${oneLine(summary, 100)} /></a>`,
        )}
        none="Nothing has been read yet."
      />
      <div>
        <h3>Never read</h3>
        <p>${counted(neverRecalled, "memory", "memories")}</p>
      </div>
    </div>
  <//>`;
}

function Storage({ inspection, isOwn }: { inspection: Inspection; isOwn: boolean }): VNode {
  const { bytes, path, journalLength, maintainedAt, embeddable } = storeOf(inspection, isOwn);
  const { capture, waiting, embedder } = inspection;
  const facts: [string, unknown][] = [
    ["File", html`<code><${Line} text=${path} /></code>, ${spokenBytes(bytes)}`],
    [
      "Found by meaning",
      embeddable === 0
        ? "nothing to embed"
        : `${percent(1 - Math.min(1, waiting / embeddable))} of ${counted(embeddable, "passage")}, with ${spoken(embedder.identity.split(/[@:]/)[0]!)}`,
    ],
    ["Journal", counted(journalLength, "entry", "entries")],
    [
      "Evidence",
      `${counted(capture.evidence.items, "piece")}, ${spokenBytes(capture.evidence.bytes)} of ${capture.evidence.limitMegabytes} MB`,
    ],
    ["Capture", captureState(capture)],
    ["Tidied up", maintainedAt === null ? "never" : html`<${When} at=${maintainedAt} />`],
  ];
  return html`<${Card} title="Storage">
    <dl class="facts plain">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${inspection.suggestions.map((text) => html`<p class="caution">${text}</p>`)}
  <//>`;
}

function captureState({ isEnabled, spool }: Inspection["capture"]): string {
  if (!isEnabled) return "off";
  return spool.isPaused ? "paused" : spool.isReader ? "off, because you are a reader here" : "on";
}

function Ledger({ inspection: { remote } }: { inspection: Inspection }): VNode {
  const { sayer } = useApp();
  const number = (value: number) => spokenNumber(value, sayer.language);
  return html`<${Card} title="What was sent to remote models" note="in all projects">
    ${remote.usage.length === 0
      ? html`<p class="meta">Nothing, ever. Stele sends text to a remote model only if your own settings name one.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Tokens and cost">
          <table>
            <thead>
              <tr>
                <th>Model</th>
                <th>For</th>
                <th>Today</th>
                <th>In total</th>
                <th>Cost</th>
              </tr>
            </thead>
            <tbody>
              ${remote.usage.map(
                ({ provider, model, purpose, today, total }) =>
                  html`<tr>
                    <th><${Line} text=${`${provider} ${model}`} /></th>
                    <td>${purpose}</td>
                    <td>${number(today.inputTokens + today.outputTokens)}</td>
                    <td>${number(total.inputTokens + total.outputTokens)}</td>
                    <td>${spokenCost(total.cost)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`}
  <//>`;
}
