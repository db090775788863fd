/** Defaults of a new item, in one place so that all kinds start alike. */
import type { Origin } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import { summaryOf } from "../text/summary.ts";

export interface Provenance {
  id: string;
  now: number;
  origin: Pick<Origin, "host" | "session">;
}

type Given = Pick<Item, "type" | "content" | "hash" | "source" | "context" | "details"> & Partial<Item>;

export function newItem(given: Given, { id, now, origin }: Provenance): Item {
  return {
    id,
    scope: "project",
    status: "active",
    title: null,
    summary: given.summary ?? summaryOf(given.content),
    tags: [],
    confidence: 1,
    priority: 5,
    pinned: false,
    host: origin.host,
    session: origin.session,
    label: null,
    path: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    accessedAt: now,
    accessCount: 0,
    expiresAt: null,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    ...given,
  };
}
