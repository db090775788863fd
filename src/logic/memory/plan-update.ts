/**
 * The changes of an update: a revision in place, or a successor.
 *
 * Only a change of meaning creates a new memory; tags, priority and wording do not.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Item, Revision } from "../../model/memory/item.ts";
import { INDEXED_FIELDS, type SaidField } from "../../model/memory/item-fields.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { contentHash } from "../text/content-hash.ts";
import { adoption, detailsBy, rewording } from "./authorship.ts";
import { replacesMeaning } from "./meaning.ts";
import { closing, revising } from "./item-changes.ts";
import { saidIn } from "./new-item.ts";
import { isEmbedded } from "./shelving.ts";
import { summaryOf } from "../text/summary.ts";

export type Edit = { [Name in SaidField]?: NonNullable<Item[Name]> | undefined } & {
  /** Archives it, or brings it back. */
  status?: "active" | "archived" | undefined;
  /** Whether the edit corrects the memory or replaces it; inferred from the text if omitted. */
  as?: "revision" | "replacement" | undefined;
};

export interface UpdateSituation {
  id: string;
  now: number;
  item: Item;
  passages: Passage[];
  /** Removals that come first, such as an expired memory with equal content. */
  clearing: readonly Change[];
  author: Pick<Item, "host" | "session" | "source">;
  /** Whether the author is an agent in a shell of its own. */
  byAgent?: boolean | undefined;
}

export interface Updated {
  status: "revised" | "replaced" | "restored" | "archived" | "unchanged";
  id: string;
  supersedes: string | null;
}

export function planUpdate(
  edit: Edit,
  { id, now, item, passages, clearing, author, byAgent = false }: UpdateSituation,
): { changes: Change[]; answer: Updated } {
  const set = revisionOf(edit, item);
  if (Object.keys(set).length === 0)
    return { changes: [], answer: { status: "unchanged", id: item.id, supersedes: null } };
  const embed = isEmbedded(set.type ?? item.type);
  if (isReplacement(edit, item)) {
    const successor: Item = {
      ...item,
      ...set,
      ...author,
      details: detailsBy(byAgent, item),
      id,
      version: 1,
      createdAt: now,
      updatedAt: now,
      accessedAt: now,
      accessCount: 0,
      validFrom: now,
      validUntil: null,
    };
    const changes: Change[] = [
      ...clearing,
      closing(item, id, now),
      { kind: "insert_item", shelf: "memory", item: successor, passages, embed },
    ];
    return { changes, answer: { status: "replaced", id, supersedes: item.id } };
  }
  const reindex = INDEXED_FIELDS.some((name) => name in set);
  const isRestored = set.status === "active";
  const by = { ...author, byAgent };
  const authorship = set.content !== undefined ? rewording(item, by) : isRestored ? adoption(item, by) : {};
  const change: Change = {
    ...revising("memory", item, { ...set, ...authorship, updatedAt: now }),
    passages: reindex ? passages : null,
    embed,
  };
  const outcome = isRestored ? "restored" : (set.status ?? "revised");
  return {
    changes: [...clearing, change, ...(isRestored ? [reading(item, now)] : [])],
    answer: { status: outcome as Updated["status"], id: item.id, supersedes: null },
  };
}

/** Whoever brings a memory back wants it, so it must not fade away again at once for want of access. */
function reading({ id }: Item, at: number): Change {
  const touches = [{ id, how: "shown" as const, relevance: null }];
  return { kind: "touch_items", shelf: "memory", touches, query: null, at };
}

function isReplacement(edit: Edit, item: Item): boolean {
  if (edit.content === undefined || edit.content === item.content) return false;
  return edit.as ? edit.as === "replacement" : replacesMeaning(item.content, edit.content);
}

/** Only fields that differ: an edit that changes nothing writes nothing. */
function revisionOf(edit: Edit, item: Item): Revision {
  const said = saidIn({ ...edit, ...(edit.tags && { tags: [...new Set(edit.tags)] }) });
  const given = { ...said, ...(edit.status && { status: edit.status }) };
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(item[name as SaidField]);
  const set: Revision = Object.fromEntries(Object.entries(given).filter(differs));
  if (set.content === undefined) return set;
  return { ...set, summary: summaryOf(set.content), hash: contentHash(set.content) };
}
