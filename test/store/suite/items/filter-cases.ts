/** Every part of a filter: what passes it, and what it keeps out. */
import assert from "node:assert/strict";
import type { Item } from "../../../../src/memory/item.ts";
import type { Shelf } from "../../../../src/memory/shelves.ts";
import type { Filter } from "../../../../src/recall/search.ts";
import { active, apply, type ItemStore, put, type Trials } from "../trial.ts";

const context = (branch: string | null, language: string | null = null): Item["context"] => ({
  branch,
  commits: [],
  files: [],
  symbols: [],
  language,
});

/** A filter, what passes it, what it keeps out. */
export const FILTER_CASES: Record<
  string,
  { filter: Partial<Filter>; passes: Partial<Item>[]; fails: Partial<Item>[] }
> = {
  statuses: {
    // Archived evidence is in no index.
    filter: { statuses: ["pruned", "rejected"] },
    passes: [{ status: "pruned" }, { status: "rejected" }],
    fails: [{ status: "active" }, { status: "superseded" }],
  },
  now: { filter: { now: 50 }, passes: [{ expiresAt: 51 }, { expiresAt: null }], fails: [{ expiresAt: 50 }] },
  scopes: {
    filter: { scopes: ["working", "global"] },
    passes: [{ scope: "working" }, { scope: "global" }],
    fails: [{ scope: "project" }],
  },
  types: { filter: { types: ["gotcha", "error"] }, passes: [{ type: "error" }], fails: [{ type: "fact" }] },
  tags: {
    filter: { tags: ["red", "round"] },
    passes: [{ tags: ["round", "big", "red"] }],
    fails: [{ tags: ["red"] }, { tags: [] }, { tags: ["Red", "round"] }],
  },
  labels: { filter: { labels: ["guide"] }, passes: [{ label: "guide" }], fails: [{ label: "other" }, { label: null }] },
  branch: {
    filter: { branch: "main" },
    passes: [{ context: context("main") }],
    fails: [{ context: context("topic") }, { context: context(null) }],
  },
  pathPrefix: {
    filter: { pathPrefix: "src/a%_" },
    passes: [{ path: "src/a%_" }, { path: "src/a%_/deep.ts" }],
    fails: [{ path: "src/abc" }, { path: "SRC/a%_" }, { path: "lib/src/a%_" }, { path: null }],
  },
  languages: {
    filter: { languages: ["rust", "c"] },
    passes: [{ context: context(null, "c") }, { context: context("main", "rust") }],
    fails: [{ context: context(null, "cpp") }, { context: context(null) }],
  },
  session: { filter: { session: "mine" }, passes: [{ session: "mine" }], fails: [{ session: "yours" }] },
  minimumPriority: { filter: { minimumPriority: 7 }, passes: [{ priority: 7 }], fails: [{ priority: 6 }] },
  createdAfter: { filter: { createdAfter: 100 }, passes: [{ createdAt: 100 }], fails: [{ createdAt: 99 }] },
  createdBefore: { filter: { createdBefore: 100 }, passes: [{ createdAt: 99 }], fails: [{ createdAt: 100 }] },
  validAt: {
    filter: { validAt: 100 },
    passes: [{ validFrom: 100, validUntil: 101 }, { validFrom: 1 }, { validUntil: 200 }, {}],
    fails: [{ validFrom: 101 }, { validUntil: 100 }, { validFrom: 50, validUntil: 60 }],
  },
  visibleIn: {
    filter: { visibleIn: "here" },
    passes: [
      { scope: "global", type: "convention", details: { space: "here", routedBy: "type" } },
      { scope: "global", type: "preference", details: { space: "there", routedBy: "type" } },
      ...["caller", "tag", "text"].map(
        (routedBy): Partial<Item> => ({ scope: "global", type: "convention", details: { space: "there", routedBy } }),
      ),
      { scope: "global", type: "convention", details: { space: "there" } },
      { scope: "global", type: "convention", details: { routedBy: "type" } },
      { scope: "project", type: "convention", details: { space: "there", routedBy: "type" } },
    ],
    fails: ["convention", "pattern", "code"].map(
      (type): Partial<Item> => ({ scope: "global", type, details: { space: "there", routedBy: "type" } }),
    ),
  },
  several: {
    filter: { types: ["gotcha"], scopes: ["global"], tags: ["red"] },
    passes: [{ type: "gotcha", scope: "global", tags: ["red"] }],
    fails: [
      { type: "gotcha", scope: "global" },
      { type: "gotcha", tags: ["red"] },
      { scope: "global", tags: ["red"] },
    ],
  },
};

/** Out of sight, and out of the way of the next case. */
export async function archiveAll(
  store: ItemStore,
  shelf: Shelf,
  which: (item: Item) => boolean = () => true,
): Promise<void> {
  const { items } = await store.list(shelf, { statuses: SEEN, now: 0 }, { limit: 1_000, offset: 0 });
  const changes = items.filter(which).map(({ id, version }) => ({
    kind: "revise_item" as const,
    shelf,
    id,
    expectedVersion: version,
    set: { status: "pruned" as const },
    passages: null,
    embed: false,
  }));
  await apply(store, ...changes);
}

const SEEN = ["active", "archived", "superseded", "rejected"] as const;

/** Looks for the items of each case by a word that only they have. */
export function testEachFilter<S extends ItemStore>(
  { everyShelf }: Trials<S>,
  look: (store: S, shelf: Shelf, word: string, filter: Filter) => Promise<Record<string, string[]>>,
): void {
  everyShelf("each part of a filter lets through exactly what it names, however one looks", async (store, shelf) => {
    for (const [name, { filter, passes, fails }] of Object.entries(FILTER_CASES)) {
      const word = `filter${name.toLowerCase()}`;
      const texts = [`${word} text`];
      const wanted: string[] = [];
      for (const set of passes) wanted.push((await put(store, shelf, set, { texts })).id);
      for (const set of fails) await put(store, shelf, set, { texts });
      const found = await look(store, shelf, word, { ...active, ...filter });
      for (const [way, ids] of Object.entries(found)) {
        assert.deepEqual(ids.toSorted(), wanted.toSorted(), `${way} by ${name}`);
      }
      await archiveAll(store, shelf);
    }
  });
}
