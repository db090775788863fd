/** A proposed decision: what it says and why, beside what was said about it and what it contradicts. */
import type { Proposal } from "../../rules/inbox.ts";
import { useAnswer, useApp } from "../app-context.ts";
import { Dialog } from "../dialog.ts";
import { html, useState, type VNode } from "../html.ts";
import { Loading } from "../states.ts";
import { Line, Prose, When } from "../text.ts";
import { Panel } from "./panel.ts";

interface ProposalProps {
  proposal: Proposal;
  settled(): void;
}

export function ProposalPanel({ proposal, settled }: ProposalProps): VNode {
  const { api, act } = useApp();
  const [mode, setMode] = useState<"reading" | "editing" | "rejecting">("reading");
  const [isSettling, setSettling] = useState(false);
  const { id, subject, decision, rationale, rejected, evidence, host, createdAt } = proposal;
  const settle: typeof act = async (...done) => {
    setSettling(true);
    const answer = await act(...done);
    if (answer === null) setSettling(false);
    return answer;
  };
  const ratify = (edits: object = {}) =>
    settle("Ratified. It holds from now on.", () => api.ratify({ id, ...edits }), settled);
  const reject = (reason: string) => {
    setMode("reading");
    void settle("Rejected. The reason is kept.", () => api.reject({ id, reason }), settled);
  };
  const choices = {
    yes: { label: "Ratify", act: () => void ratify() },
    no: { label: "Reject", act: () => setMode("rejecting") },
    edit: { label: "Edit", act: () => setMode("editing") },
  };
  if (mode === "editing")
    return html`<${EditProposal} proposal=${proposal} save=${ratify} close=${() => setMode("reading")} />`;
  return html`<${Panel} choices=${choices}>
    <p class="kicker">
      <span class="kind kind-proposal">Proposed</span><span>${host}</span><${When} at=${createdAt} />
    </p>
    <h2><${Line} text=${subject ?? "A decision"} /></h2>
    <div class="statement"><${Prose} text=${decision} /></div>
    <div class="sides">
      <div>
        ${rationale !== null &&
        html`<h3>Because</h3>
          <${Prose} text=${rationale} />`}
        ${rejected.length > 0 &&
        html`<h3>Rejected alternatives</h3>
          <ul class="bullets">
            ${rejected.map((text) => html`<li><${Line} text=${text} /></li>`)}
          </ul>`}
        <${Opposed} proposal=${proposal} isSettling=${isSettling} />
      </div>
      <div>
        <h3>Evidence</h3>
        ${evidence.length === 0 && html`<p class="meta">Nothing was quoted for it.</p>`}
        ${evidence.map((one) => html`<${Evidence} key=${one} id=${one} />`)}
      </div>
    </div>
    ${mode === "rejecting" && html`<${WhyNot} answer=${reject} close=${() => setMode("reading")} />`}
  <//>`;
}

/**
 * What it contradicts and what it would end: asked of the server as a dry run, which changes nothing. Only while it
 * waits, as far as the page knows: asked again once the list was read again, and not while somebody settles it here.
 */
function Opposed({ proposal, isSettling }: { proposal: Proposal; isSettling: boolean }): VNode | null {
  const { api } = useApp();
  const { id } = proposal;
  const ask = (signal: AbortSignal) => api.ratify({ id }, { signal, dryRun: true });
  const { answer, failure } = useAnswer(isSettling ? null : ask, [proposal, isSettling]);
  if (failure !== null) return html`<p class="caution">${failure.message}</p>`;
  if (answer === null) return null;
  const { conflicts, superseded } = answer;
  return html`${conflicts.length > 0 &&
  html`<h3>It contradicts what holds</h3>
    ${conflicts.map(
      ({ decision, level }) =>
        html`<div class=${`caution ${level === "reject" ? "caution-contradicts" : ""}`}>
          <${Line} text=${decision} />
        </div>`,
    )}`}
  ${superseded.length > 0 &&
  html`<h3>It ends</h3>
    ${superseded.map((one) => html`<${Ended} key=${one} id=${one} />`)}`}`;
}

function Ended({ id }: { id: string }): VNode | null {
  const { api } = useApp();
  const { answer } = useAnswer((signal) => api.get({ id, quiet: true }, { signal }), [id]);
  return answer && html`<p><${Line} text=${answer.content} /></p>`;
}

/** Word for word, by speaker. */
export function Evidence({ id }: { id: string }): VNode {
  const { api } = useApp();
  const { answer, failure } = useAnswer((signal) => api.evidence({ id, quiet: true }, { signal }), [id]);
  if (failure !== null) return html`<p class="caution">${failure.message}</p>`;
  if (answer === null) return html`<${Loading} what="evidence" />`;
  return html`<figure class="evidence">
    <figcaption class="meta">
      ${answer.title !== null && html`<${Line} text=${answer.title} />`}<${When} at=${answer.createdAt} />
    </figcaption>
    ${answer.passages.length > 1
      ? answer.passages.map(
          ({ speaker, text }) =>
            html`<div class="turn">
              ${speaker !== null && html`<b><${Line} text=${speaker} /></b>`}<${Prose} text=${text} />
            </div>`,
        )
      : html`<${Prose} text=${answer.text} />`}
  </figure>`;
}

function WhyNot({ answer, close }: { answer(reason: string): void; close(): void }): VNode {
  const [reason, setReason] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (reason.trim() !== "") answer(reason.trim());
  };
  return html`<${Dialog} title="Why not?" onClose=${close}>
    <form onSubmit=${submit}>
      <label class="field">
        Agents read this if somebody proposes it again
        <input
          autofocus
          required
          dir="auto"
          value=${reason}
          onInput=${(event: Event) => setReason((event.target as HTMLInputElement).value)}
        />
      </label>
      <div class="actions">
        <button type="button" onClick=${close}>Cancel</button>
        <button type="submit" class="primary">Reject</button>
      </div>
    </form>
  <//>`;
}

interface EditProps {
  proposal: Proposal;
  save(edits: object): Promise<unknown>;
  close(): void;
}

function EditProposal({ proposal, save, close }: EditProps): VNode {
  const [subject, setSubject] = useState(proposal.subject ?? "");
  const [decision, setDecision] = useState(proposal.decision);
  const [rationale, setRationale] = useState(proposal.rationale ?? "");
  const into = (set: (value: string) => void) => (event: Event) => set((event.target as HTMLInputElement).value);
  const submit = (event: Event) => {
    event.preventDefault();
    void save({
      ...(subject !== (proposal.subject ?? "") && { subject }),
      ...(decision !== proposal.decision && { decision }),
      ...(rationale !== (proposal.rationale ?? "") && { rationale }),
    });
  };
  return html`<form class="editor" onSubmit=${submit}>
    <label class="field"
      >Subject <input dir="auto" maxlength="200" required value=${subject} onInput=${into(setSubject)}
    /></label>
    <label class="field"
      >Decision <textarea dir="auto" required value=${decision} onInput=${into(setDecision)}></textarea>
    </label>
    <label class="field"
      >Because <textarea dir="auto" value=${rationale} onInput=${into(setRationale)}></textarea>
    </label>
    <p class="meta">What you change is recorded with the decision.</p>
    <div class="actions">
      <button type="button" onClick=${close}>Cancel</button>
      <button type="submit" class="primary">Ratify it like this</button>
    </div>
  </form>`;
}
