/**
 * The edges made between a memory and those that resemble it.
 *
 * Likeness is the share of words two memories have in common, over summary and content. An edge leads from the newer
 * memory to the older one, whichever is linked first, and holds in both directions. Each memory chooses among older ones.
 */
import type { Edge } from "../../model/memory/edge.ts";
import { sharedPart } from "../text/words.ts";
import { newEdge } from "./edge-id.ts";
import { likenessOf, statusOfMade } from "./likeness.ts";

/** Edges that a memory leads to older ones; weaker ones beyond these would only be noise. */
export const MADE_MOST = 8;
/** Made edges that lead to one memory; beyond them each would only cost time. */
export const INCOMING_MOST = 100;

export interface LinkCandidate {
  id: string;
  createdAt: number;
  /** The significant words of its summary and content. */
  words: ReadonlySet<string>;
}

/** Ids decide between memories of the same moment. */
export const isNewer = (one: Omit<LinkCandidate, "words">, two: Omit<LinkCandidate, "words">): boolean =>
  one.createdAt > two.createdAt || (one.createdAt === two.createdAt && one.id > two.id);

/** The edge between two memories; null if they have too little in common. */
export function edgeBetween(one: LinkCandidate, two: LinkCandidate, at: number): Edge | null {
  const strength = sharedPart(one.words, two.words);
  if (likenessOf(strength) === "none") return null;
  const [source, target] = isNewer(one, two) ? [one.id, two.id] : [two.id, one.id];
  return newEdge({
    ...{ shelf: "memory", source, target, relation: "relates_to", strength, bidirectional: true },
    ...{ status: statusOfMade(strength), createdAt: at, made: true },
  });
}

export interface PlannedLinks {
  /** To older memories. */
  own: Edge[];
  /** From newer ones, which may have no room for them: each chooses for itself, so all are offered. */
  fromNewer: Edge[];
}

/** `stated`: items about which somebody has already said how they relate to this one, or that they do not. */
export function planLinks(
  memory: LinkCandidate,
  candidates: readonly LinkCandidate[],
  { stated, at }: { stated: ReadonlySet<string>; at: number },
): PlannedLinks {
  const others = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const edges = [...others.values()]
    .filter(({ id }) => id !== memory.id && !stated.has(id))
    .flatMap((other) => edgeBetween(memory, other, at) ?? [])
    .sort(strongestFirst);
  return {
    own: edges.filter(({ source }) => source === memory.id).slice(0, MADE_MOST),
    fromNewer: edges.filter(({ source }) => source !== memory.id),
  };
}

/** The edges that a memory leads to older ones once there is another. */
export const withAnother = (own: readonly Edge[], another: Edge): Edge[] =>
  [...own.filter(({ id }) => id !== another.id), another].sort(strongestFirst).slice(0, MADE_MOST);

/** By the other end and not by the id, so that the choice among equals can be followed. */
const strongestFirst = (one: Edge, two: Edge): number =>
  two.strength - one.strength || compared(one.target, two.target) || compared(one.source, two.source);

const compared = (one: string, two: string): number => (one === two ? 0 : one < two ? -1 : 1);
