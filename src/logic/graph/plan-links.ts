/**
 * The edges made between a memory and those that resemble it.
 *
 * Likeness is the share of words two memories have in common, over summary and content. The edge leads from the memory
 * being linked, usually the newer one, and holds in both directions.
 */
import type { Edge } from "../../model/memory/edge.ts";
import { sharedPart } from "../text/words.ts";
import { newEdge } from "./edge-id.ts";
import { likenessOf, statusOfMade } from "./likeness.ts";

/** Weaker ones beyond these would only be noise. */
export const MADE_MOST = 8;

export interface LinkCandidate {
  id: string;
  /** The significant words of its summary and content. */
  words: ReadonlySet<string>;
}

/** `stated`: items about which somebody has already said how they relate to this one, or that they do not. */
export function planLinks(
  memory: LinkCandidate,
  candidates: readonly LinkCandidate[],
  { stated, at }: { stated: ReadonlySet<string>; at: number },
): Edge[] {
  const strengths = new Map<string, number>();
  for (const { id, words } of candidates)
    if (id !== memory.id && !stated.has(id)) strengths.set(id, sharedPart(memory.words, words));
  return [...strengths]
    .filter(([, strength]) => likenessOf(strength) !== "none")
    .sort(([one, a], [two, b]) => b - a || (one < two ? -1 : 1))
    .slice(0, MADE_MOST)
    .map(([target, strength]) =>
      newEdge({
        ...{ shelf: "memory", source: memory.id, target, relation: "relates_to", strength, bidirectional: true },
        ...{ status: statusOfMade(strength), createdAt: at, made: true },
      }),
    );
}
