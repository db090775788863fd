/**
 * How well recall finds what answers, on public question sets: `npm run bench:quality [-- sets…] [--json] [--save]`.
 *
 * Every set is written and asked through what ships. The floor, plain FTS5, is computed in the
 * same run. `--save` keeps the result as the baseline that later runs are compared with.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type RecallRequest, recall } from "../../src/engine/recall.ts";
import { createNoEmbedder } from "../../src/providers/no-embedder.ts";
import { type Question, type QuestionSet, readSet } from "./data.ts";
import { plainFts5 } from "./floor.ts";
import { type LoadedGroup, type Material, loadSet } from "./load.ts";
import { type PlainBuild, plainBuild } from "./plain-build.ts";
import { MEASURES, type Measures, mean, measure } from "./metrics.ts";

const SETS: Record<string, Material> = {
  locomo: "turns",
  "lme-evidence-pool": "turns",
  "locomo-session": "sessions",
  "entire-commit-session": "sessions",
  "cosqa-dev": "code",
  "swe-issue-file-py": "code",
  scifact: "prose",
};

const SHELF_OF = { turns: "evidence", sessions: "evidence", code: "code", prose: "document" } as const;

/** Ways to ask, beside the floor. `soft` is what answers where no model may be loaded. */
const WAYS: Record<string, Partial<RecallRequest>> = {
  keyword: { mode: "keyword" },
  semantic: { mode: "semantic" },
  soft: { mode: "hybrid" },
  rrf: { mode: "hybrid", recipe: "rrf" },
  hybrid: { mode: "hybrid" },
};
const WITHOUT_MODEL = "soft";

const BASELINE = new URL("baseline.json", import.meta.url);
const ASKED = 50;

type Table = Record<string, Record<string, Measures & { questions: number }>>;

async function answers(question: Question, group: LoadedGroup, material: Material, way: Partial<RecallRequest>) {
  const request: RecallRequest = {
    ...{ query: question.text, mode: "hybrid", limit: ASKED, threshold: 0, quiet: true },
    ...{ shelves: [SHELF_OF[material]], eachPassage: material === "turns" },
    ...way,
  };
  const { hits } = await recall(request, group.world);
  return [...new Set(hits.map((hit) => group.documentOf(hit)))];
}

async function measureSet(set: QuestionSet, material: Material, home: string): Promise<Table> {
  const floor = plainFts5(set);
  const groups = await loadSet(set, material, home);
  const builds = new Map<string, PlainBuild | null>();
  for (const [name, own] of Map.groupBy(set.documents, ({ group = "" }) => group)) {
    builds.set(name, await plainBuild(own, groups.get(name)!.world));
  }
  const results: Record<string, { category: string; measures: Measures }[]> = { floor: [] };
  for (const question of set.questions) {
    const gold = set.gold.get(question.id)!;
    const category = question.category ?? "";
    const note = (way: string, ranking: readonly string[]) =>
      (results[way] ??= []).push({ category, measures: measure(ranking, gold) });
    note("floor", floor(question));
    const build = builds.get(question.group ?? "");
    if (build) note("sqlite-vec", await build.rank(question.text, ASKED));
    for (const [name, way] of Object.entries(WAYS)) {
      const group = groups.get(question.group ?? "")!;
      const world = name === WITHOUT_MODEL ? { ...group.world, embedder: createNoEmbedder() } : group.world;
      note(name, await answers(question, { ...group, world }, material, way));
    }
  }
  for (const build of builds.values()) build?.close();
  for (const group of groups.values()) await group.close();
  return Object.fromEntries(Object.entries(results).map(([way, all]) => [way, byCategory(all)]));
}

function byCategory(all: readonly { category: string; measures: Measures }[]): Table[string] {
  const parts = [["all", all] as const, ...Map.groupBy(all, ({ category }) => category)].filter(
    ([name]) => name !== "",
  );
  return Object.fromEntries(
    parts.map(([name, own]) => [name, { ...mean(own.map(({ measures }) => measures)), questions: own.length }]),
  );
}

function show(set: string, table: Table, before: Table | undefined): void {
  console.log(`\n${set}`.padEnd(36) + MEASURES.map((name) => name.padStart(10)).join("") + "         n");
  for (const [way, categories] of Object.entries(table)) {
    for (const [category, row] of Object.entries(categories)) {
      if (category !== "all" && way !== "hybrid" && way !== "floor") continue;
      const old = before?.[way]?.[category];
      const cells = MEASURES.map((name) => row[name].toFixed(3).padStart(10)).join("");
      const moved = old ? `  ndcg10 ${signed(row.ndcg10 - old.ndcg10)}` : "";
      console.log(
        `  ${way} ${category === "all" ? "" : category}`.padEnd(35) +
          cells +
          String(row.questions).padStart(10) +
          moved,
      );
    }
  }
}

const signed = (value: number) => `${value < 0 ? "" : "+"}${value.toFixed(3)}`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean" }, save: { type: "boolean" }, home: { type: "string" } },
  });
  const home = values.home ?? join(tmpdir(), "stele-bench-quality");
  const baseline = existsSync(BASELINE) ? (JSON.parse(readFileSync(BASELINE, "utf8")) as Record<string, Table>) : {};
  const report: Record<string, Table> = {};
  for (const name of positionals.length > 0 ? positionals : Object.keys(SETS)) {
    const material = SETS[name];
    if (!material) throw new Error(`Unknown set ${name}; known are ${Object.keys(SETS).join(", ")}.`);
    report[name] = await measureSet(readSet(name), material, home);
    if (!values.json) show(name, report[name], baseline[name]);
  }
  if (values.json) console.log(JSON.stringify(report));
  if (values.save) writeFileSync(BASELINE, `${JSON.stringify({ ...baseline, ...report }, null, 2)}\n`);
}

await main();
