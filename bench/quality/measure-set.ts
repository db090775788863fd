/** Measures one set with the shipped code in several modes, against the floor and the plain build. */
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import searchCode from "../../src/files/verbs/search-code.ts";
import searchDocs from "../../src/files/verbs/search-docs.ts";
import type { Hit } from "../../src/recall/hit.ts";
import type { Mode, RecipeName } from "../../src/recall/ranking.ts";
import { recall } from "../../src/recall/recall.ts";
import type { World } from "../../src/world.ts";
import type { Question, QuestionSet } from "./data.ts";
import type { Material } from "./entries.ts";
import { plainFts5 } from "./floor.ts";
import { type LoadedGroup, type LoadedSet, type LoadOptions, loadSet } from "./load.ts";
import { mean, measure, type Measures } from "./metrics.ts";
import { type PlainBuild, plainBuild } from "./plain-build.ts";
import { type Reliability, reliabilityTally } from "./reliability.ts";
import type { Table } from "./table.ts";

/** The default limit of recall; the others are asked for as many. */
export const ASKED = 10;

/** Ways to ask besides the floor. `soft` is hybrid recall without a model. */
interface Way {
  mode: Mode;
  recipe?: RecipeName;
}
const WAYS: Record<string, Way> = {
  keyword: { mode: "keyword" },
  semantic: { mode: "semantic" },
  soft: { mode: "hybrid" },
  rrf: { mode: "hybrid", recipe: "rrf" },
  hybrid: { mode: "hybrid" },
};
const WITHOUT_MODEL = "soft";

/** The way whose relevance is examined. */
const DEFAULT_WAY = "hybrid";

type Rankings = AsyncIterable<[way: string, ranking: readonly string[]]>;
type Builds = ReadonlyMap<string, PlainBuild | null>;

interface Outcome {
  category: string;
  measures: Measures;
}

export interface Measured {
  table: Table;
  reliability: Reliability;
}

export async function measureSet(set: QuestionSet, material: Material, options: LoadOptions): Promise<Measured> {
  const loaded = await loadSet(set, material, options);
  const builds = new Map<string, PlainBuild | null>();
  try {
    for (const [name, own] of Map.groupBy(set.documents, ({ group = "" }) => group)) {
      options.progress.report(builds.size, loaded.groups.size, `${set.name}: filling the plain build`);
      builds.set(name, await plainBuild(own, groupNamed(name, loaded).world));
    }
    const table = await askAll(set, material, loaded, builds, options);
    return { table, reliability: await examineRelevance(set, material, loaded, options) };
  } finally {
    for (const build of builds.values()) build?.close();
    await loaded.close();
  }
}

async function askAll(
  set: QuestionSet,
  material: Material,
  loaded: LoadedSet,
  builds: Builds,
  { progress }: LoadOptions,
): Promise<Table> {
  const floor = plainFts5(set);
  const outcomes: Record<string, Outcome[]> = {};
  for (const [index, question] of set.questions.entries()) {
    progress.report(index, set.questions.length, `${set.name}: asking`);
    const { id, category = "", group = "" } = question;
    const gold = set.gold.get(id) ?? new Set();
    const note = (way: string, ranking: readonly string[]) =>
      (outcomes[way] ??= []).push({ category, measures: measure(ranking, gold) });
    note("floor", floor(question, ASKED));
    for await (const [way, ranking] of rankings(question, material, groupNamed(group, loaded), builds.get(group))) {
      note(way, ranking);
    }
  }
  return Object.fromEntries(Object.entries(outcomes).map(([way, all]) => [way, byCategory(all)]));
}

async function examineRelevance(
  { name, questions, unanswered, gold }: QuestionSet,
  material: Material,
  loaded: LoadedSet,
  { progress }: LoadOptions,
): Promise<Reliability> {
  const tally = reliabilityTally();
  const all = [...questions, ...unanswered];
  const way = WAYS[DEFAULT_WAY]!;
  for (const [index, { id, text, group = "" }] of all.entries()) {
    progress.report(index, all.length, `${name}: examining relevance`);
    const { world, documentOf } = groupNamed(group, loaded);
    const hits = await ask(text, material, way, worldFor(way, world));
    const right = gold.get(id);
    tally.note(
      hits,
      hits.map((hit) => right?.has(documentOf(hit)) ?? false),
      right !== undefined,
    );
  }
  return tally.result();
}

async function* rankings(
  question: Question,
  material: Material,
  group: LoadedGroup,
  build: PlainBuild | null | undefined,
): Rankings {
  if (build) yield ["sqlite-vec", await build.rank(question.text, ASKED)];
  for (const [name, way] of Object.entries(WAYS)) {
    const world = name === WITHOUT_MODEL ? { ...group.world, embedder: createNoEmbedder() } : group.world;
    const hits = await ask(question.text, material, way, worldFor(way, world));
    // Several passages of one document are one answer, and are not replaced by others.
    yield [name, [...new Set(hits.map((hit) => group.documentOf(hit)))]];
  }
}

/** No access is recorded: one question's hits must not affect the next question. */
const worldFor = ({ recipe = "own" }: Way, world: World): World => ({
  ...world,
  settings: { ...world.settings, recall: { ...world.settings.recall, recipe } },
  afterwards: { add: () => undefined, settle: async () => undefined, isSettling: () => false },
});

/** Uses the verb a person would use; for evidence, the function that `recall` and `why` call. */
async function ask(query: string, material: Material, { mode }: Way, world: World): Promise<Hit[]> {
  const wanted = { query, mode, limit: ASKED, threshold: 0 };
  if (material === "prose") return (await searchDocs.run(searchDocs.input.parse(wanted), world, null)).hits;
  if (material === "code") {
    const input = searchCode.input.parse({ ...wanted, mode: mode === "keyword" ? "text" : mode });
    return (await searchCode.run(input, world, null)).hits;
  }
  if (material === "memories") return (await recall(wanted, world)).hits;
  return (await recall({ ...wanted, shelves: ["evidence"], eachPassage: material === "turns" }, world)).hits;
}

function groupNamed(name: string, { groups }: LoadedSet): LoadedGroup {
  const group = groups.get(name);
  if (!group) throw new Error(`A question is about the group "${name}", which has no documents.`);
  return group;
}

function byCategory(all: readonly Outcome[]): Table[string] {
  const parts = [["all", all] as const, ...Map.groupBy(all, ({ category }) => category)];
  return Object.fromEntries(
    parts
      .filter(([name]) => name !== "")
      .map(([name, own]) => [name, { ...mean(own.map(({ measures }) => measures)), questions: own.length }]),
  );
}
