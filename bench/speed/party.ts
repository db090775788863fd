/**
 * A party: a system that stores the same texts and answers the same questions.
 *
 * Each runs in its own process, so that none pays for another's garbage, and all are asked
 * alternately, so that a noisy moment affects all alike.
 */
import { createHashEmbedder } from "../../src/embed/embedders.ts";
import { memoryText, question, seeded } from "./corpus.ts";

export const DIMENSIONS = 384;
export const LIMIT = 10;

export const WAYS = ["keyword", "vector", "hybrid"] as const;
export type Way = (typeof WAYS)[number];

export interface Entry {
  id: number;
  text: string;
  vector: Float32Array;
}

export type Asked = Omit<Entry, "id">;

export interface Party {
  ways: readonly Way[];
  /** Makes entries searchable by words. Missing if words and vectors are added together. */
  addTexts?(entries: readonly Entry[]): Promise<void>;
  /** Adds the vectors of entries that already have texts. Missing if the party has no vectors. */
  addVectors?(entries: readonly Entry[]): Promise<void>;
  /** Adds one entry as a user would; resolves when it is stored and searchable by words. */
  addOne(entry: Entry): Promise<void>;
  /** Warms up these questions. */
  prepare?(questions: readonly Asked[]): Promise<void>;
  /** Returns the number of hits. */
  ask(way: Way, asked: Asked): Promise<number>;
  /** Does deferred work. */
  settle?(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a party in an empty folder; null when it is not installed. */
export type OpenParty = (folder: string) => Promise<Party | null>;

/** An optional package of `bench/package.json`; null when it is not installed. */
export async function peerPackage<Module>(name: string): Promise<Module | null> {
  try {
    return (await import(name)) as Module;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return null;
    throw thrown;
  }
}

const embedder = createHashEmbedder(DIMENSIONS);

export async function withVectors(texts: readonly string[]): Promise<Asked[]> {
  const vectors = await embedder.embed(texts);
  return texts.flatMap((text, index) => {
    const vector = vectors[index];
    return vector ? [{ text, vector }] : [];
  });
}

/** The entries of every party: the same text for the same number, however they are batched. */
export async function entries(from: number, to: number): Promise<Entry[]> {
  const texts = Array.from({ length: to - from }, (_, index) => memoryText(from + index, seeded(from + index)));
  return (await withVectors(texts)).map((one, index) => ({ id: from + index, ...one }));
}

export function questionTexts(size: number, count: number): string[] {
  const random = seeded(size);
  return Array.from({ length: count }, () => question(random));
}
