/**
 * What captured memories cover of the gold, as the corpus defines it.
 *
 * A memory covers an item when half the cosine of their vectors and half the weighted share of the item's words that
 * the memory has make at least .50. The corpus brings its own words and stems; ours would give other figures.
 */
const LEAST = 0.5;
const STOP = new Set(
  (
    "a an the and or but if then else of to in on at by for with from as is are was were be been being it its this that " +
    "these those there here not no nor so than too very can could should would will may might must do does did done " +
    "have has had having i we you they he she them their our your my me us what which who when where why how all any " +
    "both each few more most other some such only own same just also into over after before during while about against " +
    "between through up down out off again once because until using used use via per when now"
  ).split(" "),
);
const ENDINGS = "ization ations ation ings ing ies edly ed es ers er ly s e".split(" ");

export interface GoldItem {
  kind: string;
  text: string;
}

export interface Scored {
  gold: readonly GoldItem[];
  memories: readonly string[];
}

export interface Figures {
  coverage: number;
  precision: number;
  byKind: Map<string, number>;
  /** Of a row, on average. */
  memories: number;
  /** Of a memory, on average. */
  characters: number;
}

function stem(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 4);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

export function contentWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const [token] of text.matchAll(/[A-Za-z0-9]+(?:[._\-/][A-Za-z0-9]+)*/g))
    for (const part of token.split(/[._\-/]/))
      for (const [piece] of part.matchAll(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g)) {
        const word = piece.toLowerCase();
        if (!STOP.has(word) && (word.length > 1 || /^\d+$/.test(word))) found.add(stem(word));
      }
  return found;
}

/** How telling a word is among all gold items. */
export function wordWeights(gold: readonly string[]): (word: string) => number {
  const frequency = new Map<string, number>();
  for (const text of gold) for (const word of contentWords(text)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + gold.length / (frequency.get(word) ?? 1));
}

export type Covers = (memory: string, item: string) => boolean;

export function coverage(weight: (word: string) => number, vectorOf: (text: string) => Float32Array): Covers {
  return (memory, item) => {
    const wanted = contentWords(item);
    const held = contentWords(memory);
    const total = sum([...wanted].map(weight));
    const overlap = total === 0 ? 0 : sum([...wanted].filter((word) => held.has(word)).map(weight)) / total;
    const right = vectorOf(item);
    const cosine = vectorOf(memory).reduce((product, value, index) => product + value * right[index]!, 0);
    return 0.5 * cosine + 0.5 * overlap >= LEAST;
  };
}

export function figures(rows: readonly Scored[], covers: Covers): Figures {
  const asked = new Map<string, number>();
  const found = new Map<string, number>();
  let good = 0;
  for (const { gold, memories } of rows) {
    for (const { kind, text } of gold) {
      asked.set(kind, (asked.get(kind) ?? 0) + 1);
      if (memories.some((memory) => covers(memory, text))) found.set(kind, (found.get(kind) ?? 0) + 1);
    }
    good += memories.filter((memory) => gold.some(({ text }) => covers(memory, text))).length;
  }
  const all = rows.flatMap(({ memories }) => memories);
  return {
    coverage: sum([...found.values()]) / sum([...asked.values()]),
    precision: good / Math.max(1, all.length),
    byKind: new Map([...asked].map(([kind, count]) => [kind, (found.get(kind) ?? 0) / count])),
    memories: all.length / Math.max(1, rows.length),
    characters: sum(all.map(({ length }) => length)) / Math.max(1, all.length),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
