/**
 * What a hook would put before an agent, unasked: `npm run bench:injection -- --help`.
 *
 * The shipped rule on the hits of the shipped recall, with a model and by words alone, beside a floor: whatever recall
 * calls more likely right than wrong. Some prompts were never looked at while the rule was chosen.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { statisticsFor } from "../../src/engine/recall/explain.ts";
import { filledPlaces, searchPlaces } from "../../src/engine/recall/places.ts";
import { recall } from "../../src/engine/recall/recall.ts";
import { questionIn, worthInjecting } from "../../src/logic/context/injection.ts";
import type { Hit } from "../../src/model/recall/hit.ts";
import { createNoEmbedder } from "../../src/providers/embed/no-embedder.ts";
import { called } from "../command-line.ts";
import { type LoadedGroup, loadSet } from "../quality/load.ts";
import { DEFAULT_HOME } from "../quality/options.ts";
import { createProgress } from "../quality/progress.ts";
import { type Case, type CaseSet, type Part, capturedMemories, writtenMemories } from "./cases.ts";

const FLOOR_RELEVANCE = 0.5;
const FLOOR_ITEMS = 3;
const ASKED = 20;

const { values } = called({
  script: "bench:injection",
  what: "Measures what the hook for prompts injects: how much of it is right, and when it is silent.",
  options: {
    home: { type: "string", value: "FOLDER", what: "where stores and vectors are kept", default: DEFAULT_HOME },
    injected: { type: "string", value: "FILE", what: "also writes what the rule injects there, as JSON lines" },
  },
  note: "STELE_BENCH_DATA names the folder of the sets.",
});

type Way = "model" | "words";
type Rule = "floor" | "rule";

interface Outcome extends Case {
  way: Way;
  rule: Rule;
  injected: { document: string; content: string }[];
}

const progress = createProgress(process.stderr);
const home = resolve(values.home ?? DEFAULT_HOME);

async function outcomesOf(name: string, { set, cases }: CaseSet): Promise<Outcome[]> {
  const loaded = await loadSet(set, "memories", { home, progress });
  const sessions = new Map(set.documents.map(({ id, session = null }) => [id, session]));
  const outcomes: Outcome[] = [];
  for (const way of ["model", "words"] as const) {
    for (const [index, one] of cases.entries()) {
      progress.report(index, cases.length, `${name}, ${way}: asking`);
      outcomes.push(...(await ask(one, way, { ...loaded.groups.get(one.group)!, sessions })));
    }
  }
  await loaded.close();
  return outcomes;
}

interface Asked extends LoadedGroup {
  /** Of each document; null if it was not captured. */
  sessions: ReadonlyMap<string, string | null>;
}

async function ask(one: Case, way: Way, { world: own, documentOf, sessions }: Asked): Promise<Outcome[]> {
  const world = way === "words" ? { ...own, embedder: createNoEmbedder() } : own;
  const request = { mode: "hybrid", limit: ASKED, threshold: 0, quiet: true } as const;
  const ask = async (query: string) =>
    (await recall({ ...request, query }, world)).hits.filter((hit) => !one.without.has(documentOf(hit)));
  const noted = (rule: Rule, hits: readonly Hit[]): Outcome => ({
    ...{ ...one, way, rule },
    injected: hits.map((hit) => ({ document: documentOf(hit), content: hit.content })),
  });
  const floor = (await ask(one.prompt)).filter(({ relevance }) => relevance >= FLOOR_RELEVANCE).slice(0, FLOOR_ITEMS);
  const question = questionIn(one.prompt);
  if (question === null) return [noted("floor", floor), noted("rule", [])];
  const places = await filledPlaces(searchPlaces(["memory", "decision", "proposal"], {}, world));
  const statistics = await statisticsFor(places, question.stems);
  const hits = (await ask(question.query)).map((hit) => ({
    ...hit,
    capturedIn: sessions.get(documentOf(hit)) ?? null,
  }));
  const worth = worthInjecting(hits, question, { statistics, byMeaning: way === "model" });
  return [noted("floor", floor), noted("rule", worth)];
}

function tableOf(name: string, outcomes: readonly Outcome[]): string {
  const head = `${name}, memories`.padEnd(34) + ["right", "of", "answered", "silent", "empty"].map(cell).join("");
  const rows = (["chosen on", "unseen"] as Part[]).flatMap((part) =>
    (["model", "words"] as const).flatMap((way) =>
      (["floor", "rule"] as const).map((rule) => {
        const own = outcomes.filter((one) => one.part === part && one.way === way && one.rule === rule);
        return `${part}, ${way}, ${rule}`.padEnd(34) + figuresOf(own).map(cell).join("");
      }),
    ),
  );
  return `\n${[head, ...rows].join("\n")}\n`;
}

/** Share of what is injected that is right, how much that is, prompts that got an answer, and shares of silence. */
function figuresOf(outcomes: readonly Outcome[]): string[] {
  const ofKind = (kind: Case["kind"]) => outcomes.filter((one) => one.kind === kind);
  const isRight = ({ gold, injected }: Outcome) => injected.filter(({ document }) => gold.has(document)).length;
  // What is wrong without the memories of a session is also wrong beside them, and is counted there.
  const counted = outcomes.filter(({ kind, without }) => kind !== "empty" && without.size === 0);
  const right = counted.reduce((sum, one) => sum + isRight(one), 0);
  const all = counted.reduce((sum, { injected }) => sum + injected.length, 0);
  const silent = (own: readonly Outcome[]) =>
    share(own.filter(({ injected }) => injected.length === 0).length, own.length);
  const answered = ofKind("answered");
  return [
    share(right, all),
    String(all),
    share(answered.filter((one) => isRight(one) > 0).length, answered.length),
    silent(ofKind("nothing answers")),
    silent(ofKind("empty")),
  ];
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));
const cell = (text: string): string => text.padStart(10);

const lines: string[] = [];
for (const [name, made] of [
  ["written", writtenMemories()],
  ["captured", capturedMemories()],
] as const) {
  const outcomes = await outcomesOf(name, made);
  progress.clear();
  process.stdout.write(tableOf(name, outcomes));
  for (const { rule, way, part, kind, prompt, gold, injected } of outcomes) {
    if (rule === "floor") continue;
    for (const { document, content } of injected)
      lines.push(JSON.stringify({ name, way, part, kind, isRight: gold.has(document), prompt, content }));
  }
}
if (values.injected !== undefined) writeFileSync(values.injected, `${lines.join("\n")}\n`);
