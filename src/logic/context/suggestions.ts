/** What could be done about the memory of a project now: concrete, each with what it is about and a command. */
import { type Suggestion, SUGGESTION_KINDS } from "../../model/context/context-window.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { sayDifferentThings } from "../memory/meaning.ts";
import { titledLine, windowLine } from "./lines/window-line.ts";

const TEXT_CHARACTERS = 100;

export interface SuggestionGrounds {
  /** Newest first. */
  proposals: readonly { id: string; subject: string; decision: string }[];
  /** Memories whose files changed since, and how. */
  stale: readonly { id: string; reason: string }[];
  /** Hits that oppose a decision in force. */
  opposed: readonly { id: string; decision: string; why: string }[];
  /** Edges of the memories that are shown: what contradicts them, stated or suggested, and what is nearly the same. */
  contradicting: readonly Edge[];
  alike: readonly Edge[];
  /** What is near each other and not settled, the newer first, and whether they surely contradict each other. */
  near: readonly { newer: string; older: string; contradicts: boolean }[];
  /** Their ends. */
  memories: ReadonlyMap<string, Pick<Item, "createdAt" | "title" | "content">>;
  isIndexed: boolean;
}

/** One of each kind in turn, so that many proposals leave room for the rest. */
export function suggestionsFor(grounds: SuggestionGrounds, limit: number): Suggestion[] {
  const all: Record<Suggestion["kind"], Suggestion[]> = {
    ratify: grounds.proposals.map(ratifying),
    stale: grounds.stale.map(checking),
    contradiction: [...grounds.opposed.map(opposing), ...contradicting(grounds)],
    repeat: [...grounds.near.map(settling), ...repeating(grounds)],
    index: grounds.isIndexed ? [] : [INDEXING],
  };
  const inTurn: Suggestion[] = [];
  for (let turn = 0; SUGGESTION_KINDS.some((kind) => turn < all[kind].length); turn += 1)
    for (const kind of SUGGESTION_KINDS) if (turn < all[kind].length) inTurn.push(all[kind][turn]!);
  return inTurn.slice(0, limit);
}

const ratifying = ({ id, subject, decision }: SuggestionGrounds["proposals"][number]): Suggestion => ({
  kind: "ratify",
  text: `A person may ratify or reject "${titledLine({ title: subject, content: decision }, TEXT_CHARACTERS)}"`,
  handles: [handleOf(id)],
  command: `stele ratify ${handleOf(id)}`,
});

const checking = ({ id, reason }: SuggestionGrounds["stale"][number]): Suggestion => ({
  kind: "stale",
  text: `Check ${handleOf(id)}, because ${windowLine(reason, TEXT_CHARACTERS)}`,
  handles: [handleOf(id)],
  command: `stele get ${handleOf(id)}`,
});

const opposing = ({ id, decision, why }: SuggestionGrounds["opposed"][number]): Suggestion => ({
  kind: "contradiction",
  text: `${handleOf(id)} contradicts decision ${handleOf(decision)} (${windowLine(why, TEXT_CHARACTERS)}); if the decision stands`,
  handles: [handleOf(id), handleOf(decision)],
  command: `stele forget ${handleOf(id)}`,
});

/** The older of the two first. */
function agesOf({ source, target }: Edge, { memories }: SuggestionGrounds): [older: string, newer: string] {
  const isSourceOlder = (memories.get(source)?.createdAt ?? 0) < (memories.get(target)?.createdAt ?? 0);
  const [older, newer] = isSourceOlder ? [source, target] : [target, source];
  return [handleOf(older), handleOf(newer)];
}

function contradicting(grounds: SuggestionGrounds): Suggestion[] {
  return grounds.contradicting.map((edge) => {
    const [older, newer] = agesOf(edge, grounds);
    const text = `${newer} contradicts ${older}; if the newer one holds`;
    return {
      kind: "contradiction",
      text,
      handles: [newer, older],
      command: `stele settle ${newer} ${older} --as replaces`,
    };
  });
}

const settling = ({ newer, older, contradicts }: SuggestionGrounds["near"][number]): Suggestion => {
  const [one, two] = [handleOf(newer), handleOf(older)];
  const text = contradicts ? `${one} contradicts ${two}; if the newer one holds` : `${one} is about the same as ${two}; if it replaces that`; // prettier-ignore
  return { kind: contradicts ? "contradiction" : "repeat", text, handles: [one, two], command: `stele settle ${one} ${two} --as replaces` }; // prettier-ignore
};

/** Not two that say different things: sharing most of their words, they would be merged into one of them. */
function repeating(grounds: SuggestionGrounds): Suggestion[] {
  const { contradicting: stated, memories } = grounds;
  const said = (id: string) => memories.get(id) ?? { title: null, content: "" };
  const areOpposed = ({ source, target }: Edge) =>
    stated.some((edge) => [edge.source, edge.target].every((end) => end === source || end === target)) ||
    sayDifferentThings(said(source), said(target));
  const isNear = ({ source, target }: Edge) =>
    grounds.near.some(({ newer, older }) => [newer, older].includes(source) && [newer, older].includes(target));
  return grounds.alike
    .filter((edge) => maySayTheSame(edge.strength) && !areOpposed(edge) && !isNear(edge))
    .map((edge) => {
      const [older, newer] = agesOf(edge, grounds);
      const text = `${newer} and ${older} nearly repeat each other`;
      return { kind: "repeat", text, handles: [newer, older], command: `stele merge ${newer} ${older}` };
    });
}

const INDEXING: Suggestion = {
  kind: "index",
  text: "The files of this project are not indexed yet",
  handles: [],
  command: "stele index",
};
