/** Labelled pairs, and stores of other texts in which the partner of each has to be found. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forget } from "../../src/memory/forget.ts";
import { embedIfReady, nearTo } from "../../src/memory/near.ts";
import { nearestOf } from "../../src/memory/nearness.ts";
import type { Embedder } from "../../src/ports.ts";
import { seeded } from "../speed/corpus.ts";
import { freshPlace, type Place } from "./place.ts";

export interface Pair {
  id: string;
  kind: "contradicts" | "updates" | "repeats" | "related" | "unrelated";
  older: string;
  newer: string;
}

const SETS = join(import.meta.dirname, "..", "sets", "pairs");
const linesOf = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** All of a set; those that are only related or unrelated too. */
export const readPairs = (name: string): Pair[] => linesOf(join(SETS, `${name}.jsonl`));

export const isAboutTheSame = ({ kind }: Pair): boolean => kind !== "related" && kind !== "unrelated";

/** Contradictions between turns of long conversations. */
export function beamPairs(data: string): Pair[] {
  const path = join(data, "beam-dev", "contradictions.jsonl");
  if (!existsSync(path)) return [];
  return linesOf<{ texts: string[] }>(path).flatMap(({ texts: [older, newer] }, index) =>
    older === undefined || newer === undefined
      ? []
      : [{ id: `beam-${index}`, kind: "contradicts" as const, older, newer }],
  );
}

const FOREIGN = "locomo lme-evidence-pool scifact swe-issue-file-py entire-commit-session docs-cosmos-adr".split(" ");
const [SHORTEST_CHARACTERS, LONGEST_CHARACTERS] = [30, 400];

function sentencesOf(data: string, name: string): string[] {
  const path = join(data, name, "corpus.jsonl");
  if (!existsSync(path)) return [];
  const all = linesOf<{ text: string }>(path).flatMap(({ text }) => text.slice(0, 4_000).split(/(?<=[.!?])\s+|\n+/));
  const fitting = all
    .map((one) => one.trim())
    .filter(({ length }) => length >= SHORTEST_CHARACTERS && length <= LONGEST_CHARACTERS);
  return [...new Set(fitting)];
}

function drawn(all: readonly string[], count: number): string[] {
  const random = seeded(7);
  const mixed = all.map((one) => ({ one, at: random() })).sort((left, right) => left.at - right.at);
  return mixed.slice(0, count).map(({ one }) => one);
}

/** Sentences of public corpora, taken evenly from each. */
export const foreignTexts = (data: string, count: number): string[] =>
  FOREIGN.flatMap((name) => drawn(sentencesOf(data, name), Math.ceil(count / FOREIGN.length))).slice(0, count);

/** Sentences of the decision records of one project. */
export const projectTexts = (data: string, count: number): string[] =>
  drawn(sentencesOf(data, "docs-cosmos-adr"), count);

export interface Found {
  pairs: number;
  /** Share of pairs whose older one is in `near`. */
  partner: number;
  /** Share in which it is the first. */
  first: number;
  /** Others shown, a call. */
  others: number;
}

async function filled(texts: readonly string[], embedder: Embedder | null): Promise<Place> {
  const place = await freshPlace(embedder);
  for (const text of texts) await place.remember(text, "fact", false);
  await place.embed();
  return place;
}

async function near({ world }: Place, content: string, id: string | null): Promise<string[]> {
  const item = { id, shelf: "memory", content, subject: null, scope: "project", except: [] } as const;
  const all = await nearTo(item, await embedIfReady(content, world), world);
  return nearestOf(all).map((one) => one.id);
}

/** Each older one alone among `texts`, or all of them if `areTogether`. */
export async function runPairs(
  pairs: readonly Pair[],
  texts: readonly string[],
  embedder: Embedder | null,
  areTogether = false,
): Promise<Found> {
  const place = await filled(areTogether ? [...texts, ...pairs.map(({ older }) => older)] : texts, embedder);
  const counts = { partner: 0, first: 0, others: 0 };
  const asked = pairs.filter(isAboutTheSame);
  try {
    for (const { older, newer } of asked) {
      // Together it is known already, and only its id is needed.
      const { id } = await place.remember(older, "fact", false);
      if (!areTogether) await place.embed();
      const found = await near(place, newer, null);
      counts.partner += Number(found.includes(id));
      counts.first += Number(found[0] === id);
      counts.others += found.filter((one) => one !== id).length;
      if (!areTogether) await forget(id, 5, place.world);
    }
  } finally {
    await place.close();
  }
  const share = (count: number) => count / Math.max(1, asked.length);
  return {
    pairs: asked.length,
    partner: share(counts.partner),
    first: share(counts.first),
    others: share(counts.others),
  };
}

/** How many are shown a call where every text asks among all the others. */
export async function runStream(texts: readonly string[], embedder: Embedder | null): Promise<number> {
  const place = await filled(texts, embedder);
  try {
    let shown = 0;
    for (const text of texts) {
      const { id } = await place.remember(text, "fact", false);
      shown += (await near(place, text, id)).length;
    }
    return shown / texts.length;
  } finally {
    await place.close();
  }
}
