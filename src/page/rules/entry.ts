/** An entry of a list: a hit of a search or an item as it is stored, reduced to what a row shows. */
import type { Answer } from "../client/api.ts";

export type Hit = Answer<"recall">["hits"][number];
export type Item = Answer<"list">["items"][number];

export interface Entry {
  readonly id: string;
  readonly handle: string;
  readonly shelf: string;
  readonly scope: string;
  readonly type: string;
  readonly title: string | null;
  readonly text: string;
  readonly tags: readonly string[];
  readonly status: string;
  readonly createdAt: string;
  readonly pinned: boolean;
  readonly byAgent: boolean;
  /** Null if it was not searched for. */
  readonly relevance: number | null;
  readonly why: Readonly<Record<string, number>>;
  readonly marks: readonly Mark[];
  /** Of a file, with the lines. */
  readonly path: string | null;
  readonly pastVersions: number;
}

export interface Mark {
  readonly kind: "stale" | "contradicts" | "near" | "unratified" | "pinned" | "status";
  readonly says: string;
}

export function entryOfHit(hit: Hit): Entry {
  const { id, handle, shelf, scope, type, title, tags, status, createdAt, byAgent, relevance, why } = hit;
  const lines = hit.startLine === undefined ? "" : `:${hit.startLine}`;
  return {
    id,
    handle,
    shelf,
    scope,
    type,
    title,
    tags,
    status,
    createdAt,
    byAgent,
    relevance,
    why,
    text: hit.excerpt ?? hit.content,
    pinned: false,
    path: hit.path === undefined ? null : `${hit.path}${lines}`,
    pastVersions: hit.history.length,
    marks: [
      ...(hit.stale === null ? [] : [{ kind: "stale", says: hit.stale } as const]),
      ...hit.contradicts.map(({ why: reason }) => ({ kind: "contradicts", says: reason }) as const),
      ...(hit.beside ? [nearMark(hit.beside)] : []),
      ...(hit.unratified ? [UNRATIFIED] : []),
      ...statusMarks(status),
    ],
  };
}

const nearMark = ({
  is,
  contradicts,
  handle,
}: Pick<NonNullable<Hit["beside"]>, "is" | "contradicts" | "handle">): Mark => ({
  kind: "near",
  says: `${is === "earlier" ? "Earlier" : "Later"} than ${handle}${contradicts ? ", which contradicts it" : ", about the same"}; nobody has settled which holds.`,
});

export function entryOfItem(item: Item): Entry {
  const { id, handle, shelf, scope, type, title, tags, status, createdAt, pinned } = item;
  return {
    id,
    handle,
    shelf,
    scope,
    type,
    title,
    tags,
    status,
    createdAt,
    pinned,
    text: item.content,
    byAgent: item.byAgent ?? false,
    relevance: null,
    why: {},
    path: null,
    pastVersions: 0,
    marks: [
      ...(pinned ? [{ kind: "pinned", says: "Pinned: it never fades." } as const] : []),
      // It says what the other is; the mark says what this one is.
      ...(item.near ?? [])
        .slice(0, 1)
        .map((near) => nearMark({ ...near, is: near.is === "earlier" ? "later" : "earlier" })),
      ...(status === "pending" ? [UNRATIFIED] : []),
      ...statusMarks(status),
    ],
  };
}

const UNRATIFIED = { kind: "unratified", says: "Proposed; nobody has ratified it." } as const;

const STATUS_MARKS: Readonly<Record<string, string>> = {
  archived: "Forgotten: recall leaves it out.",
  superseded: "Something has replaced it.",
  pruned: "Faded, and soon gone.",
  rejected: "Rejected.",
};
const statusMarks = (status: string): Mark[] => {
  const says = STATUS_MARKS[status];
  return says === undefined ? [] : [{ kind: "status", says }];
};
