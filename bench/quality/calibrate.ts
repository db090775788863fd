/**
 * Fits the coefficients of relevance: `npm run bench:calibrate -- --help`.
 *
 * The signals of the ten best candidates of each question come from the shipped stages of recall. Questions of another
 * set, which nothing answers, are among them. Half of the questions are used for fitting, of memories two of three
 * projects; the rest only tell how well it went.
 */
import { createHash } from "node:crypto";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import { coverage, coverageStems } from "../../src/recall/coverage.ts";
import { fuse, scaleKinds } from "../../src/recall/fuse.ts";
import { gather } from "../../src/recall/gather.ts";
import { judge } from "../../src/recall/judge.ts";
import { bestPassages, filledPlaces, itemsOf, searchPlaces } from "../../src/recall/places.ts";
import { prepareQuestions } from "../../src/recall/question.ts";
import type { Kind } from "../../src/recall/ranking.ts";
import type { World } from "../../src/world.ts";
import { called } from "../command-line.ts";
import { checkSets, type Question, type QuestionSet, readSet } from "./data.ts";
import type { Material } from "./entries.ts";
import { type LoadedGroup, loadSet } from "./load.ts";
import { fit, logLoss, type Sample } from "./logistic.ts";
import { DEFAULT_HOME, SETS } from "./options.ts";
import { createProgress } from "./progress.ts";

const KIND_SETS: Record<Kind, readonly string[]> = {
  memory: ["memories"],
  conversation: ["locomo", "lme-evidence-pool"],
  session: ["locomo-session", "entire-commit-session"],
  prose: ["scifact"],
  code: ["cosqa-dev"],
  report: ["swe-issue-file-py"],
};
const SHELVES: Record<Material, readonly Shelf[]> = {
  memories: ["memory", "decision", "proposal"],
  turns: ["evidence"],
  sessions: ["evidence"],
  prose: ["document"],
  code: ["code"],
};
/** Held out of the memories. */
const OTHER_PROJECTS = ["clinic", "infra"];
const SHOWN = 10;
/** Questions asked of each set, and of another one that it cannot answer. */
const [OWN_MOST, FOREIGN_MOST] = [300, 90];
/** A question that nothing answers counts as much as several, lest relevance only learn to order answers. */
const FOREIGN_WEIGHT = 4;

interface Asked extends Question {
  isForeign: boolean;
  isHeldOut: boolean;
}

const { values } = called({
  script: "bench:calibrate",
  what: "Fits the coefficients of relevance, and prints them as rows of recall/relevance.ts.",
  options: {
    home: {
      type: "string",
      value: "FOLDER",
      what: "where bench:quality keeps stores and vectors",
      default: DEFAULT_HOME,
    },
    kinds: {
      type: "string",
      value: "KINDS",
      what: "some of the kinds of items",
      default: Object.keys(KIND_SETS).join(","),
    },
  },
  note: "STELE_BENCH_DATA names the folder of the sets.",
});
const progress = createProgress(process.stderr);
const home = values.home ?? DEFAULT_HOME;

for (const kind of (values.kinds ?? "").split(",") as Kind[]) {
  checkSets(KIND_SETS[kind]);
  const samples = { withVector: [] as Sample[], withoutVector: [] as Sample[] };
  for (const name of KIND_SETS[kind]) {
    const set = readSet(name);
    const loaded = await loadSet(set, SETS[name]!, { home, progress });
    const asked = questionsFor(set, [...loaded.groups.keys()]);
    for (const [index, question] of asked.entries()) {
      progress.report(index, asked.length, `${name}: asking`);
      const group = loaded.groups.get(question.group ?? "")!;
      samples.withVector.push(...(await samplesOf(question, set, group, group.world)));
      const blind = { ...group.world, embedder: createNoEmbedder() };
      samples.withoutVector.push(...(await samplesOf(question, set, group, blind)));
    }
    await loaded.close();
  }
  progress.clear();
  for (const form of ["byMatch", "bySignals"] as const) {
    for (const [vector, all] of Object.entries(samples)) {
      const uses = {
        cosine: vector === "withVector",
        words: kind !== "report",
        match: form === "byMatch" && kind !== "memory",
        overlap: vector === "withVector" && kind === "memory",
      };
      const row = fit(
        all.filter(({ isHeldOut }) => !isHeldOut),
        uses,
      );
      const rest = all.filter(({ isHeldOut }) => isHeldOut);
      console.log(
        `${kind} ${form} ${vector}: [${row.join(", ")}], log loss of the rest ${logLoss(row, rest).toFixed(3)}`,
      );
    }
  }
}
process.exit(0);

function questionsFor({ name, questions, unanswered }: QuestionSet, groups: readonly string[]): Asked[] {
  const stride = Math.max(1, Math.floor(questions.length / OWN_MOST));
  const own = [...questions.filter((_, index) => index % stride === 0), ...unanswered];
  const foreign = readSet(name === "memories" ? "lme-evidence-pool" : "memories").questions;
  return [
    ...own.map((question) => ({ ...question, isForeign: false, isHeldOut: isHeldOut(question) })),
    ...foreign
      .filter((_, index) => index % 3 === 0)
      .slice(0, FOREIGN_MOST)
      .map((question, index) => ({ ...question, group: groups[index % groups.length]!, isForeign: true }))
      .map((question) => ({ ...question, isHeldOut: isHeldOut(question) })),
  ];
}

function isHeldOut({ id, group }: Question): boolean {
  if (group !== undefined && /^(shop|labelling|tracker|render|clinic|infra)$/.test(group))
    return OTHER_PROJECTS.includes(group);
  return createHash("sha256").update(id).digest()[0]! % 2 === 1;
}

async function samplesOf(
  { id, text, isForeign, isHeldOut: held }: Asked,
  set: QuestionSet,
  group: LoadedGroup,
  world: World,
): Promise<Sample[]> {
  const material = SETS[set.name]!;
  const eachPassage = material === "turns";
  const filter = eachPassage ? { viaPredecessors: false } : {};
  const places = await filledPlaces(searchPlaces(SHELVES[material], filter, world));
  const request = { query: text, mode: "hybrid" as const, limit: SHOWN, threshold: 0, eachPassage };
  const [question] = await prepareQuestions(request, places, world);
  if (!question) return [];
  const found = await judge(await gather(question), question);
  const [scaled = []] = scaleKinds([{ recipe: question.recipe, found, fused: fuse(found, question.recipe) }]);
  const best = scaled.toSorted((one, two) => two.match - one.match).slice(0, SHOWN);
  const [items, passages] = [await itemsOf(best), await bestPassages(best)];
  const stems = coverageStems(text);
  const statistics = { total: 0, frequency: new Map<string, number>() };
  for (const { store, shelf } of places) {
    const part = await store.wordStatistics(shelf, stems);
    statistics.total += part.total;
    for (const [stem, count] of part.frequency)
      statistics.frequency.set(stem, (statistics.frequency.get(stem) ?? 0) + count);
  }
  const gold = isForeign ? undefined : set.gold.get(id);
  return best.map((candidate) => {
    const { title = null, tags = [], content = "" } = items.get(candidate) ?? {};
    const words = `${title ?? ""}\n${passages.get(candidate)?.text ?? content}\n${tags.join(" ")}`;
    const passage = passages.get(candidate);
    const document = group.documentOf({ id: candidate.id, passage });
    const exact = coverage(stems, words, statistics);
    return {
      cosine: candidate.cosine ?? 0,
      words: Math.max(candidate.scores.soft ?? 0, exact) ** 2,
      overlap: (candidate.cosine ?? 0) * exact,
      match: candidate.match,
      isRight: gold?.has(document) ?? false,
      weight: isForeign && set.name !== "memories" ? FOREIGN_WEIGHT : 1,
      isHeldOut: held,
    };
  });
}
