/** A shelf with many vectors, random ones or such that stand together as those of real texts do. */
import type { Item } from "../../../src/memory/item.ts";
import type { QueueReads, Writes } from "../../../src/store/store.ts";
import { apply, embedWaiting, insertion, newItem } from "../suite/trial.ts";

export type VectorMaker = () => Float32Array;

const LEAN = 0.8;

/** The same ones for every call with the same number. */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export function randomVectors(dimensions: number, seed: number): VectorMaker {
  const normal = normalNumbers(seed);
  return () => unit(Float32Array.from({ length: dimensions }, normal));
}

export function clusteredVectors(dimensions: number, seed: number, clusters: number): VectorMaker {
  const random = randomVectors(dimensions, seed);
  const centres = Array.from({ length: clusters }, random);
  let next = 0;
  return () => {
    const away = random();
    return unit(centres[next++ % clusters]!.map((value, index) => value + LEAN * away[index]!));
  };
}

const AT_ONCE = 500;

/** Inserts as many memories, each with a vector. */
export async function fillMemories(
  store: Writes & QueueReads,
  count: number,
  vectorOf: (text: string) => Float32Array,
  setOf: (number: number) => Partial<Item> = () => ({}),
): Promise<Item[]> {
  const items = Array.from({ length: count }, (_, number) => newItem(setOf(number)));
  for (let from = 0; from < count; from += AT_ONCE) {
    await apply(store, ...items.slice(from, from + AT_ONCE).map((item) => insertion("memory", item)));
    await embedWaiting(store, vectorOf);
  }
  return items;
}
