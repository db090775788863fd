/**
 * Likeness: what the words two memories share say about them.
 *
 * Below a tenth they have nothing to do with each other. In the middle the words alone cannot tell, so a person is
 * asked. Above one half the two may say the same thing.
 */
import type { Item } from "../memory/item.ts";
import { sharedPart, tellingStems } from "../text/words.ts";
import { type Edge, type EdgeStatus, newEdge } from "./edges.ts";

export type Likeness = "none" | "related" | "suggested" | "consolidation_candidate" | "strong";

/** Whether two memories that share so much of their words are candidates for consolidation. */
export const maySayTheSame = (jaccard: number): boolean => jaccard > 0.5;

export function likenessOf(jaccard: number): Likeness {
  if (jaccard < 0.1) return "none";
  if (jaccard < 0.4) return "related";
  if (!maySayTheSame(jaccard)) return "suggested";
  return jaccard > 0.6 ? "strong" : "consolidation_candidate";
}

/** The status in which an edge of this strength is made. */
export const statusOfMade = (strength: number): EdgeStatus =>
  likenessOf(strength) === "suggested" ? "suggested" : "active";

// The edges made between a memory and those that resemble it.
//
// Likeness is the share of words two memories have in common, over summary and content. An edge leads from the newer
// memory to the older one, whichever is linked first, and holds in both directions. Each memory chooses among older ones.

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
    shelf: "memory",
    source,
    target,
    relation: "relates_to",
    strength,
    bidirectional: true,
    status: statusOfMade(strength),
    createdAt: at,
    made: true,
  });
}

interface PlannedLinks {
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

// The part of a memory that is compared with others: its summary and content.

/** Longer texts are compared by their beginning: reading more would hold up other work. */
export const COMPARED_CHARACTERS = 20_000;

type Compared = Pick<Item, "summary" | "content">;

export const comparedText = ({ summary, content }: Compared): string =>
  `${summary}\n${content.slice(0, COMPARED_CHARACTERS)}`;

/** Its significant words. */
export const comparedWords = (memory: Compared): ReadonlySet<string> => tellingStems(comparedText(memory));
