/**
 * What capture keeps of a session, against what an attentive reader noted: `npm run bench:capture -- --help`.
 *
 * Each row is captured from its own lines, as one stretch.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createMinilm } from "../../src/embed/minilm/embedder.ts";
import type { Note } from "../../src/sessions/card.ts";
import { isQuotedFrom, notesOf, runsOf } from "../../src/sessions/notes.ts";
import type { SessionTurn } from "../../src/sessions/turns.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import { called } from "../command-line.ts";
import { openVectors } from "../quality/vectors.ts";
import { coverage, type Figures, figures, wordWeights } from "./metric.ts";
import { halvesOf, readRows, turnsOf } from "./rows.ts";

const data = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");
const { values } = called({
  script: "bench:capture",
  what: "Measures which notes of a reader the notes of a session cover.",
  options: {
    notes: { type: "string", value: "FILE", what: "also writes the notes there, as JSON lines" },
    vectors: { type: "string", value: "FILE", what: "keeps vectors there between runs" },
    verbose: { type: "boolean", what: "lists each note with the kinds it covers" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});
const KINDS = ["intent", "outcome", "repo", "code", "workflow", "friction", "open"];
const BUDGETS_TOKENS = [150, 300, 550];
/** As the corpus reports them: coverage, precision, the kinds in their order, memories, characters. */
const BASELINES: [string, number[]][] = [
  ["first prompts", [0.055, 0.184, 0.276, 0, 0.061, 0.041, 0.026, 0, 0.086, 2.6, 89]],
  ["random sentences", [0.275, 0.267, 0.276, 0.372, 0.324, 0.411, 0.182, 0.173, 0.149, 11.7, 83]],
  ["random windows", [0.461, 0.46, 0.441, 0.634, 0.531, 0.66, 0.295, 0.353, 0.274, 10.8, 175]],
  ["last messages", [0.398, 0.709, 0.483, 0.793, 0.418, 0.616, 0.192, 0.183, 0.314, 5.1, 274]],
  ["TextRank, MMR", [0.284, 0.382, 0.414, 0.379, 0.367, 0.479, 0.103, 0.15, 0.086, 11.7, 100]],
  ["cue sentences", [0.445, 0.551, 0.414, 0.517, 0.551, 0.712, 0.256, 0.333, 0.171, 11.8, 148]],
  ["cue windows, MMR", [0.58, 0.767, 0.655, 0.828, 0.643, 0.849, 0.333, 0.383, 0.457, 12, 271]],
  ["best possible", [0.813, 1, 0.862, 0.897, 0.867, 0.945, 0.641, 0.767, 0.743, 5.5, 231]],
];

const print = (text: string) => void process.stdout.write(`${text}\n`);
const folder = mkdtempSync(join(tmpdir(), "stele-bench-model-"));
const model = createMinilm({ cacheFolder: folder, threads: 2 });
const vectors = openVectors(values.vectors ?? join(folder, "vectors.db"));
try {
  await measure();
} finally {
  await model.close();
  vectors.close();
  rmSync(folder, { recursive: true, force: true });
}

/** As a session's are made: without what only repeats a tool or a paste. */
function productNotes(session: string, turns: readonly SessionTurn[]): Note[] {
  const parts = turns.flatMap((turn) => turn.parts);
  const runs = runsOf(parts.flatMap(({ label, text }) => (label === "tool" || label === "pasted" ? [text] : [])));
  return notesOf(session, turns, { isQuoted: (sentence) => isQuotedFrom(runs, sentence) });
}

function textsOf(notes: readonly Note[]): string[] {
  return notes.map(({ text }) => text);
}

async function measure(): Promise<void> {
  const corpus = join(data, "capture");
  const rows = readRows(corpus).map((row) => {
    const notes = productNotes(row.session, turnsOf(row, corpus));
    return { ...row, notes, memories: textsOf(notes) };
  });
  if (values.notes !== undefined)
    writeFileSync(values.notes, rows.map(({ id, memories }) => `${JSON.stringify({ id, memories })}\n`).join(""));
  const gold = rows.flatMap((row) => row.gold.map(({ text }) => text));
  const texts = [...new Set([...gold, ...rows.flatMap(({ memories }) => memories)])];
  const embedded = await vectors.before(model).embed(texts);
  const vectorOf = new Map(texts.map((text, index) => [text, embedded[index]!]));
  const covers = coverage(wordWeights(gold), (text) => vectorOf.get(text)!);
  for (const { id, gold: items, memories } of values.verbose ? rows : []) {
    print(`\n${id}`);
    for (const note of memories) {
      const kinds = items.filter(({ text }) => covers(note, text)).map(({ kind }) => kind);
      print(`  [${kinds.join(" ")}] ${note}`);
    }
  }
  const [chosenOn, unseen] = halvesOf(rows);
  const measured: [string, typeof rows][] = [
    ["chosen on", chosenOn],
    ["unseen", unseen],
    ["all", rows],
  ];
  const shown = measured.map(([name, some]): [string, number[]] => [`notes, ${name}`, rowOf(figures(some, covers))]);
  print(asTable([...BASELINES, ...shown]));
  print("\nGold covered by the first notes, as many as fit");
  for (const budget of BUDGETS_TOKENS) {
    const cells = measured.map(([name, some]) => {
      const cut = some.map((row) => ({ ...row, memories: textsOf(notesAtStart(row.notes, budget)) }));
      return `${name} ${figures(cut, covers).coverage.toFixed(3)}`;
    });
    print(`  ${budget} tokens: ${cells.join(", ")}`);
  }
}

function rowOf({ coverage: covered, precision, byKind, memories, characters }: Figures): number[] {
  return [covered, precision, ...KINDS.map((kind) => byKind.get(kind) ?? 0), memories, characters];
}

function asTable(rows: readonly (readonly [string, readonly number[]])[]): string {
  const head = ["coverage", "precision", ...KINDS, "memories", "characters"];
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(18)}${cells.map((cell, index) => cell.padStart(head[index]!.length + 2)).join("")}`;
  const shown = (row: readonly number[]) =>
    row.map((value, index) => value.toFixed(index === row.length - 1 ? 0 : index === row.length - 2 ? 1 : 3));
  return [line("", head), ...rows.map(([name, row]) => line(name, shown(row)))].join("\n");
}

/** The first notes that fit. */
function notesAtStart(notes: readonly Note[], budgetTokens: number): Note[] {
  let left = budgetTokens;
  return notes.filter(({ text }) => {
    const tokens = estimatedTokens(text);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
