/**
 * The changes that fold memories of a session into one summary.
 *
 * The summary belongs to the project, and fades like everything inferred instead of expiring: an expired one would be
 * hidden, but not removed sooner. The sources are closed in its favour, and an edge leads from it to each. A working one then
 * becomes a memory of the project: otherwise its text would expire, and a rollback could not restore it.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../../model/memory/item-fields.ts";
import { cut, cutLine } from "../../model/text/cut.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { newEdge } from "../graph/edge-id.ts";
import { authorOf, isPersons } from "../memory/authorship.ts";
import { closing } from "../memory/item-changes.ts";
import { isEmbedded } from "../memory/shelving.ts";
import { contentHash } from "../text/content-hash.ts";
import { type Provenance, newItem } from "../memory/new-item.ts";
import { tellingSentences } from "./telling-sentences.ts";

/** A summary of fewer would only repeat them. */
export const FOLDED_LEAST = 2;
const BOUNDS = { characters: 1_500, sentences: 12 };
const ORDINARY_PRIORITY = 5;
const TITLE_CHARACTERS = 100;

/**
 * Whether a memory is folded: scratch work and progress, but nothing pinned, from a file, or code. Only a person folds
 * what a person wrote.
 */
export function isFolded(item: Item, { before, byPerson }: { before: number; byPerson: boolean }): boolean {
  const { scope, type, status, pinned, path, supersededBy, createdAt } = item;
  const isPassing = scope === "working" || (scope === "project" && type === "progress");
  const isKept = pinned || path !== null || supersededBy !== null || type === "code" || type === "code_description";
  if (!byPerson && isPersons(authorOf(item))) return false;
  return isPassing && !isKept && status === "active" && createdAt < before;
}

/** Oldest first. */
export const inOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1));

/** `sources` in order, at least `FOLDED_LEAST`. `omitted`: how many of their sentences it leaves out. */
export function summaryOf(
  sources: readonly Item[],
  { session, ...given }: Pick<Item, "session" | "source" | "context" | "details">,
  provenance: Provenance,
): { item: Item; omitted: number } {
  const { content, omitted } = summaryText(sources);
  const all = (most: number, of: (item: Item) => readonly string[]) => [...new Set(sources.flatMap(of))].slice(0, most);
  const item = newItem(
    {
      ...given,
      ...{ type: "summary", scope: "project", content, hash: contentHash(content), session },
      title: cutLine(`Summary of session ${session}`, TITLE_CHARACTERS),
      tags: all(ITEM_FIELDS.tags.most, ({ tags }) => tags),
      priority: Math.max(...sources.map(({ priority }) => priority)),
      context: {
        ...given.context,
        commits: all(CONTEXT_FIELDS.commits.most, ({ context }) => context.commits),
        files: all(CONTEXT_FIELDS.files.most, ({ context }) => context.files),
        symbols: all(CONTEXT_FIELDS.symbols.most, ({ context }) => context.symbols),
      },
    },
    provenance,
  );
  return { item, omitted };
}

function summaryText(sources: readonly Item[]): { content: string; omitted: number } {
  const texts = sources.map(({ content, priority }) => ({ text: content, weight: priority / ORDINARY_PRIORITY }));
  const { sentences, omitted } = tellingSentences(texts, BOUNDS);
  // Texts without a single word are joined as they are.
  const lines = sentences.length > 0 ? sentences : sources.map(({ content }) => content.trim());
  return { content: cut(lines.join("\n"), BOUNDS.characters), omitted };
}

export interface SummarySituation {
  now: number;
  passages: Passage[];
  /** An active memory that already has the summary's content; it then takes its place. */
  twin: Item | null;
  /** Ids of edges that exist already. */
  known: ReadonlySet<string>;
  /** Removals that come first, such as an expired memory with equal content. */
  clearing: readonly Change[];
}

/** The edges from a summary to its sources. */
export const sourceEdges = (summary: string, sources: readonly Item[], at: number): Edge[] =>
  sources.map(({ id }) => {
    const ends = { shelf: "memory", source: summary, target: id, relation: "derived_from" } as const;
    return newEdge({ ...ends, strength: 1, bidirectional: false, status: "active", createdAt: at });
  });

export function planSummary(
  sources: readonly Item[],
  item: Item,
  { now, passages, twin, known, clearing }: SummarySituation,
): Change[] {
  const id = twin?.id ?? item.id;
  const embed = isEmbedded(item.type);
  return [
    ...clearing,
    ...sources.map((source) => closing(source, id, now, kept(source))),
    ...(twin ? [] : [{ kind: "insert_item", shelf: "memory", item, passages, embed } as const]),
    ...sourceEdges(id, sources, now)
      .filter((edge) => !known.has(edge.id))
      .map((edge) => ({ kind: "insert_edge", edge }) as const),
  ];
}

const kept = ({ scope }: Item) => (scope === "working" ? ({ scope: "project", expiresAt: null } as const) : {});
