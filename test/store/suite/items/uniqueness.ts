/** What stands once: a text in its scope or a path, on the shelves where two would contradict each other. */
import assert from "node:assert/strict";
import type { Item, Status } from "../../../../src/memory/item.ts";
import { type Shelf, SHELVES } from "../../../../src/memory/shelves.ts";
import {
  anyStatus,
  apply,
  applyInVain,
  idsOf,
  insertion,
  type ItemStore,
  newItem,
  put,
  revision,
  type Trials,
} from "../trial.ts";

type Rule = { status: Status; by: "content" | "path" };

const UNIQUE: Record<Shelf, Rule | null> = {
  memory: { status: "active", by: "content" },
  evidence: { status: "active", by: "content" },
  proposal: { status: "pending", by: "content" },
  document: { status: "active", by: "path" },
  code: { status: "active", by: "path" },
  decision: null,
};
/** Statuses that never stand in anybody's way. */
const CLOSED: readonly Status[] = ["archived", "superseded", "pruned", "ratified", "rejected"];

let made = 0;

/** Two items that may not both hold, and what in one of them makes it so. */
function twins({ by, status }: Rule): { one: Item; other: (set?: Partial<Item>) => Item; shared: Partial<Item> } {
  made += 1;
  const one = newItem({ status, path: `src/twin-${made}.ts` });
  const shared = by === "path" ? { path: one.path } : { content: one.content, hash: one.hash };
  return { one, shared, other: (set = {}) => newItem({ status, ...shared, ...set }) };
}

export function testUniqueness({ once }: Trials<ItemStore>): void {
  for (const shelf of SHELVES) {
    const rule = UNIQUE[shelf];
    if (rule) testRule(once, shelf, rule);
  }
  once("decisions may agree on a text and a path", async (store) => {
    const same = { content: "use tabs", path: "a" };
    const both = [await put(store, "decision", same), await put(store, "decision", same)];
    assert.equal((await store.items("decision", idsOf(both))).length, 2);
  });
  for (const shelf of ["document", "code"] as const) {
    once(`on ${shelf} equal content may stand under two paths, and without any`, async (store) => {
      const same = { content: "empty file" };
      const all = [{ path: "a" }, { path: "b" }, { path: null }, { path: null }].map((set) => ({ ...same, ...set }));
      for (const set of all) await put(store, shelf, set);
      assert.equal((await store.list(shelf, anyStatus, { limit: 9, offset: 0 })).total, 4);
    });
  }
}

function testRule(once: Trials<ItemStore>["once"], shelf: Shelf, rule: Rule): void {
  const what = `${rule.status} ${rule.by}`;
  once(`on ${shelf} the same ${what} is there once, inserted or revised`, async (store) => {
    const { one, other, shared } = twins(rule);
    await apply(store, insertion(shelf, one));
    await applyInVain(store, "insert_item", insertion(shelf, other()));
    await applyInVain(store, "insert_item", insertion(shelf, other({ expiresAt: 1 })));
    const stranger = await put(store, shelf, { status: rule.status });
    await applyInVain(store, "revise_item", revision(shelf, stranger, shared));
    const closed = other({ status: "archived" });
    await apply(store, insertion(shelf, closed));
    await applyInVain(store, "revise_item", revision(shelf, closed, { status: rule.status }));
  });
  once(`on ${shelf} only what holds stands in the way`, async (store) => {
    const { one, other } = twins(rule);
    await apply(store, insertion(shelf, one));
    for (const status of CLOSED) await apply(store, insertion(shelf, other({ status })));
    await apply(store, revision(shelf, one, { status: "archived" }), insertion(shelf, other({ id: "successor" })));
    assert.equal((await store.items(shelf, ["successor"])).length, 1);
  });
  once(`on ${shelf} an item does not stand in its own way`, async (store) => {
    const { one, shared } = twins(rule);
    await apply(store, insertion(shelf, { ...one, status: "archived" }));
    await apply(store, revision(shelf, one, { status: rule.status }));
    await apply(store, revision(shelf, { ...one, version: 2 }, { ...shared, priority: 9 }));
    assert.equal((await store.items(shelf, [one.id]))[0]?.version, 3);
  });
  if (rule.by === "content") {
    once(`on ${shelf} each scope has its own`, async (store) => {
      const { one, other } = twins(rule);
      await apply(store, insertion(shelf, one), insertion(shelf, other({ scope: "global" })));
      await applyInVain(store, "insert_item", insertion(shelf, other({ scope: "global" })));
    });
  }
}
