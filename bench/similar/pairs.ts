/** Runs pairs of statements through a fresh store each, and counts what is announced about the newer one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MemoryType } from "../../src/model/memory/memory.ts";
import { KINSHIPS, type Kinship } from "../../src/model/memory/similar.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import { freshPlace } from "./place.ts";

export interface Pair {
  id: string;
  kind: Kinship | "unrelated";
  older: string;
  newer: string;
  olderType?: MemoryType;
  newerType?: MemoryType;
  /** The older one is a ratified decision on this subject. */
  decision?: boolean;
  subject?: string;
}

const SETS = join(import.meta.dirname, "..", "sets", "pairs");

export const readPairs = (name: string): Pair[] =>
  readFileSync(join(SETS, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Pair);

export type Announced = Kinship | "nothing";

export interface Outcome {
  pair: Pair;
  expected: Pair["kind"];
  announced: Announced;
}

/** Nothing updates a ratified decision but another decision, so such an update contradicts it. */
const expectedOf = ({ kind, decision }: Pair): Pair["kind"] => (decision && kind === "updates" ? "contradicts" : kind);

export async function runPairs(pairs: readonly Pair[], embedder: Embedder | null): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const pair of pairs) {
    const place = await freshPlace(embedder);
    try {
      if (pair.decision) await place.decide(pair.subject ?? "", pair.older);
      else await place.remember(pair.older, pair.olderType, false);
      await place.embed();
      const { similar } = await place.remember(pair.newer, pair.newerType);
      outcomes.push({ pair, expected: expectedOf(pair), announced: similar[0]?.kind ?? "nothing" });
    } finally {
      await place.close();
    }
  }
  return outcomes;
}

const EXPECTED = [...KINSHIPS, "unrelated"] as const;

/** `related` says that two are about the same thing, not what one does to the other. */
const isRight = ({ announced, expected }: Outcome): boolean =>
  announced === "related" ? expected !== "unrelated" : expected === announced;

/** Precision and recall of each kind, and what was expected where it was announced. */
export function pairTable(outcomes: readonly Outcome[]): string {
  const rows = [...KINSHIPS, "nothing" as const].map((announced) => {
    const own = outcomes.filter((outcome) => outcome.announced === announced);
    const right = own.filter(isRight).length;
    const all = outcomes.filter(({ expected }) => expected === announced).length;
    const counts = EXPECTED.map((kind) => String(own.filter(({ expected }) => expected === kind).length).padStart(11));
    const shares =
      announced === "nothing"
        ? ["", ""]
        : [share(right, own.length), share(own.filter(({ expected }) => expected === announced).length, all)];
    return [announced.padEnd(12), ...shares.map((one) => one.padStart(9)), String(own.length).padStart(9), ...counts];
  });
  const head = ["announced".padEnd(12), ..."precision recall announced".split(" ").map((word) => word.padStart(9))];
  const alike = outcomes.filter(({ expected }) => expected !== "unrelated" && expected !== "related");
  const noticed = alike.filter(({ announced }) => announced !== "nothing").length;
  const summary = `noticed: ${noticed} of ${alike.length} that contradict, update or repeat`;
  return [[...head, ...EXPECTED.map((kind) => kind.padStart(11))], ...rows]
    .map((row) => row.join(" "))
    .concat(summary)
    .join("\n");
}

export const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));
