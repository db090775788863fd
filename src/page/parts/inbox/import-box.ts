/** Imports an export: first shows what it would do, then adds what is new. What differs waits in the inbox. */
import { Failure } from "../../../errors.ts";
import type { Answer } from "../../client/api.ts";
import { counted } from "../../rules/amounts.ts";
import { type Conflict, conflictsWith } from "../../rules/import-file.ts";
import { useApp } from "../app-context.ts";
import { html, useState, type VNode } from "../html.ts";

export interface Incoming {
  readonly file: { readonly name: string; readonly text: string } | null;
  readonly conflicts: readonly Conflict[];
  readonly planned: Answer<"import"> | null;
  choose(file: File | undefined): Promise<void>;
  add(): Promise<void>;
  /** Takes the version of the file. */
  replace(conflict: Conflict): Promise<boolean>;
  /** Keeps the version here. */
  keep(conflict: Conflict): void;
}

export function useImport(): Incoming {
  const { api, act } = useApp();
  const [file, setFile] = useState<Incoming["file"]>(null);
  const [planned, setPlanned] = useState<Answer<"import"> | null>(null);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const without = (done: Conflict) => setConflicts((all) => all.filter(({ id }) => id !== done.id));
  return {
    file,
    conflicts,
    planned,
    async choose(chosen) {
      if (chosen === undefined) return;
      const text = await chosen.text();
      await act(
        () => `Looked through ${chosen.name}. Nothing is imported yet.`,
        async () => {
          const answer = await api.import({ text }, { dryRun: true });
          setFile({ name: chosen.name, text });
          setPlanned(answer);
          setConflicts(conflictsWith(text, answer.conflicts));
          return {};
        },
      );
    },
    async add() {
      if (file === null) return;
      const done = await act(
        ({ inserted, updated }) => `Imported ${counted(inserted + updated, "item")}.`,
        () => api.import({ text: file.text }),
      );
      if (done !== null) setPlanned(null);
    },
    async replace(conflict) {
      if (file === null) return false;
      const done = await act("Replaced by the version in the file.", async () => {
        const answer = await api.import({ text: file.text, replace: [conflict.handle] });
        if (answer.updated === 0) throw notNewer();
        return answer;
      });
      if (done !== null) without(conflict);
      return done !== null;
    },
    keep: without,
  };
}

/** Only a newer version replaces one: whoever changed it here later knew more. */
const notNewer = (): Failure =>
  new Failure(
    "conflict",
    "What is here was changed more often than theirs, so it stays.",
    "Edit it if theirs is right.",
  );

export function ImportBox({ incoming }: { incoming: Incoming }): VNode {
  const { planned, file, choose, add } = incoming;
  return html`<section class="import">
    <h2 class="group">Import</h2>
    <p class="meta">An export of Stele. Nothing here is overwritten unless you say so.</p>
    <label class="field file">
      <span class="visually-hidden">Choose an export</span>
      <input
        type="file"
        accept=".jsonl,.json,.txt"
        onChange=${(event: Event) => void choose((event.target as HTMLInputElement).files?.[0])}
      />
    </label>
    ${planned !== null &&
    file !== null &&
    html`<p>
        ${`${file.name}: ${counted(planned.inserted, "new item")}, ${planned.unchanged} already here, ${counted(planned.conflictCount, "conflict")}.`}
      </p>
      ${planned.inserted > 0 && html`<button class="primary" onClick=${() => void add()}>Add what is new</button>`}`}
  </section>`;
}
