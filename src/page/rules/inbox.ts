/** What waits for a person, of every kind, in one list that the keys walk through from top to bottom. */
import type { Answer } from "../client/api.ts";
import type { Conflict } from "./import-file.ts";

export type Proposal = Answer<"proposals">["items"][number];
export type Pair = Answer<"consolidate">["pairs"][number];
type Graph = Answer<"relations">;
export type Suggestion = Graph["relations"][number] & { from: Graph["items"][number]; to: Graph["items"][number] };

export type Waiting =
  | { readonly kind: "proposal"; readonly key: string; readonly proposal: Proposal }
  | { readonly kind: "suggestion"; readonly key: string; readonly suggestion: Suggestion }
  | { readonly kind: "pair"; readonly key: string; readonly pair: Pair }
  | { readonly kind: "conflict"; readonly key: string; readonly conflict: Conflict };

export interface Sources {
  readonly proposals: readonly Proposal[];
  readonly graph: Graph;
  readonly pairs: readonly Pair[];
  readonly conflicts: readonly Conflict[];
}

/** What a person asked for comes first, then what agents settled, then housekeeping. */
export function waitingIn({ proposals, graph, pairs, conflicts }: Sources): Waiting[] {
  const byId = new Map(graph.items.map((item) => [item.id, item]));
  const suggestions = graph.relations.flatMap((relation) => {
    const [from, to] = [byId.get(relation.source), byId.get(relation.target)];
    return from && to ? [{ ...relation, from, to }] : [];
  });
  return [
    ...conflicts.map((conflict) => ({ kind: "conflict", key: `c-${conflict.id}`, conflict }) as const),
    ...proposals.map((proposal) => ({ kind: "proposal", key: proposal.handle, proposal }) as const),
    ...suggestions.map(
      (suggestion) =>
        ({ kind: "suggestion", key: `${suggestion.from.handle}-${suggestion.to.handle}`, suggestion }) as const,
    ),
    ...pairs.map((pair) => ({ kind: "pair", key: `${pair.first.handle}+${pair.second.handle}`, pair }) as const),
  ];
}

export const HEADINGS: Readonly<Record<Waiting["kind"], string>> = {
  conflict: "Conflicts of the import",
  proposal: "Decisions to ratify",
  suggestion: "Suggested relations",
  pair: "Near-duplicates",
};

/** What a row says. */
export function headlineOf(waiting: Waiting): { title: string; text: string } {
  switch (waiting.kind) {
    case "proposal":
      return { title: waiting.proposal.subject ?? "A decision", text: waiting.proposal.decision };
    case "suggestion":
      return { title: relationSentence(waiting.suggestion.relation), text: nameOf(waiting.suggestion.from) };
    case "pair":
      return { title: `${Math.round(waiting.pair.likeness * 100)} % alike`, text: waiting.pair.first.text };
    case "conflict":
      return { title: waiting.conflict.reason, text: waiting.conflict.theirs?.content ?? waiting.conflict.handle };
  }
}

export const nameOf = ({ title, summary }: { title: string | null; summary: string }): string => title ?? summary;

const SENTENCES: Readonly<Record<string, string>> = {
  relates_to: "is related to",
  derived_from: "is derived from",
  contradicts: "contradicts",
  exemplifies: "is an example of",
  refines: "refines",
  supersedes: "replaces",
  source_of: "is the source of",
};

/** How the first relates to the second. */
export const relationSentence = (relation: string): string => SENTENCES[relation] ?? relation;
export const RELATIONS = Object.keys(SENTENCES);

/** The one after what was settled; a list gets shorter while one works through it. */
export function nextKey(list: readonly Waiting[], key: string): string {
  const position = list.findIndex((one) => one.key === key);
  return (list[position + 1] ?? list[position - 1])?.key ?? "";
}
