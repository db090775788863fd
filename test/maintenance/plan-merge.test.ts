/** What a merger keeps, what it refuses, and the changes it makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  keptText,
  mergedItem,
  type MergeRefusal,
  mergeRefusal,
  type Pair,
  planMerge,
} from "../../src/maintenance/merge.ts";
import type { Item } from "../../src/memory/item.ts";
import { isGlobalByType } from "../../src/memory/visibility.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { newItem } from "../store/suite/trial.ts";

const NOW = 1_000_000;
const merger = { id: "merged", now: NOW, host: "cli", session: "s", source: "user_explicit" } as const;
const one = newItem({ id: "one", content: "Deploys need the VPN", updatedAt: 100 });
const two = newItem({ id: "two", content: "Deploys need the VPN and two approvals", updatedAt: 50 });
const mergerOf = (pair: Pair, given?: string): Item => mergedItem(pair, keptText(pair, given), merger);

const REFUSALS: [Partial<Item>, Partial<Item>, MergeRefusal["why"] | null, string][] = [
  [{}, {}, null, "two active memories of one scope"],
  [{ scope: "global" }, { scope: "global" }, null, "of the global scope as well"],
  [{ id: "two" }, {}, "itself", "a memory with itself"],
  [{ status: "archived" }, {}, "closed", "a forgotten memory"],
  [{}, { status: "superseded", supersededBy: "x" }, "closed", "a superseded one"],
  [{ status: "pruned" }, { status: "archived" }, "closed", "two that are gone"],
  [{ status: "superseded", supersededBy: "x" }, { status: "superseded", supersededBy: "x" }, "merged already", "twice"],
  [{ status: "superseded", supersededBy: "x" }, { status: "superseded", supersededBy: "y" }, "closed", "not as a pair"],
  [{ status: "superseded" }, { status: "superseded" }, "closed", "closed without a successor"],
  [{ supersededBy: "x", validUntil: NOW + 1 }, {}, "ending", "one whose end is planned"],
  [{ scope: "working" }, {}, "working", "a working memory"],
  [{}, { path: "notes/a.md" }, "from a file", "a note"],
  [{ scope: "global" }, {}, "two scopes", "a pair across stores"],
];
for (const [first, second, why, what] of REFUSALS)
  test(`${what}: ${why ?? "merged"}`, () =>
    assert.equal(mergeRefusal([{ ...one, ...first }, { ...two, ...second }])?.why ?? null, why)); // prettier-ignore

const TEXTS: [older: string, newer: string, kept: "older" | "newer", because: string, why: string][] = [
  ["a b c deploy VPN", "deploy VPN", "older", "says more", "the older one says all of it and more"],
  ["deploy VPN", "deploy VPN approvals", "newer", "says more", "the newer one says all of it and more"],
  ["deploy VPN soon", "deploy VPN late", "newer", "newer", "each has words of its own"],
  ["The timeout is 10 seconds on slow machines", "The timeout is 30 seconds", "newer", "newer", "a number changed"],
  ["deploy through the VPN", "deploy through a VPN", "newer", "newer", "both say the same"],
  ["Use the cache in every build", "Do not use the cache in a build", "newer", "newer", "a negation"],
];
for (const [older, newer, kept, because, why] of TEXTS)
  test(`${why}: the ${kept} text is kept`, () => {
    const pair = [newItem({ content: older, updatedAt: 1 }), newItem({ content: newer, updatedAt: 2 })] as const;
    for (const either of [pair, [pair[1], pair[0]]] as const) {
      const { content, from, because: reason } = keptText(either, undefined);
      assert.deepEqual([content, reason], [kept === "older" ? older : newer, because]);
      assert.equal(from, kept === "older" ? pair[0].id : pair[1].id);
    }
  });

test("a text that is given replaces both", () => {
  assert.deepEqual(keptText([one, two], "Ask Ann"), { content: "Ask Ann", from: null, because: "given" });
  const { content, summary, hash } = mergerOf([one, two], "Ask Ann");
  assert.deepEqual([content, summary, hash], ["Ask Ann", "Ask Ann", contentHash("Ask Ann")]);
});

test("the changes close both originals, insert the result and tie it to them, in this order", () => {
  const item = mergerOf([one, two]);
  const passages = [{ ordinal: 0, heading: null, startLine: null, endLine: null, text: item.content, tokens: null }];
  const clearing = { kind: "remove_item", shelf: "memory", id: "expired", expectedVersion: 1 } as const;
  const [cleared, first, second, insertion, ...edges] = planMerge([one, two], item, passages, [clearing]);
  const set = { status: "superseded", supersededBy: "merged", validUntil: NOW, updatedAt: NOW };
  const closed = (original: Item) => ({
    kind: "revise_item",
    shelf: "memory",
    id: original.id,
    passages: null,
    embed: false,
    expectsSuccessor: true,
    expectedVersion: original.version,
    expectedUpdatedAt: original.updatedAt,
    set: { ...set, validFrom: original.createdAt },
  });
  assert.deepEqual([cleared, first, second], [clearing, closed(one), closed(two)]);
  assert.deepEqual(insertion, { kind: "insert_item", shelf: "memory", item, passages, embed: true });
  const ends = edges.map((change) => change.kind === "insert_edge" && [change.edge.source, change.edge.relation, change.edge.target]); // prettier-ignore
  assert.deepEqual(ends, [["merged", "supersedes", "one"], ["merged", "supersedes", "two"]]); // prettier-ignore
});

test("a global memory that every project sees stays visible, whichever text is kept", () => {
  const routed = (routedBy: string, set: Partial<Item>) => newItem({ scope: "global", details: { routedBy, space: "a" }, ...set }); // prettier-ignore
  const pair = [routed("type", { updatedAt: 2 }), routed("caller", { updatedAt: 1 })] as const;
  assert.equal(isGlobalByType(mergerOf(pair)), false);
  assert.equal(isGlobalByType(mergerOf([pair[0], routed("type", { updatedAt: 1 })])), true);
});

const names = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 4 });
const memory = fc
  .record({
    content: fc
      .array(fc.constantFrom("vpn", "deploy", "approval", "cache"), { minLength: 1 })
      .map((all) => all.join(" ")),
    tags: names,
    files: names,
    symbols: names,
    priority: fc.integer({ min: 1, max: 10 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    pinned: fc.boolean(),
    updatedAt: fc.integer({ min: 1, max: 5 }),
    expiresAt: fc.option(fc.integer({ min: NOW, max: NOW + 5 })),
  })
  .map(({ files, symbols, ...set }) =>
    newItem({ ...set, context: { branch: null, commits: [], files, symbols, language: null } }),
  );

test("nothing that either had is lost, and the order of the two does not matter", () => {
  fc.assert(
    fc.property(memory, memory, (left, right) => {
      const item = mergerOf([left, right]);
      assert.deepEqual(mergerOf([right, left]), item);
      const sets: [readonly string[], (one: Item) => readonly string[]][] = [
        [item.tags, ({ tags }) => tags],
        [item.context.files, ({ context }) => context.files],
        [item.context.symbols, ({ context }) => context.symbols],
      ];
      for (const [all, of] of sets) {
        assert.deepEqual(new Set(all), new Set([...of(left), ...of(right)]));
        assert.equal(new Set(all).size, all.length);
      }
      assert.deepEqual([item.priority, item.confidence], [Math.max(left.priority, right.priority), 1]);
      assert.equal(item.pinned, left.pinned || right.pinned);
      assert.ok([left.content, right.content].includes(item.content));
      for (const { expiresAt } of [left, right])
        assert.ok(item.expiresAt === null || (expiresAt !== null && expiresAt <= item.expiresAt), "none ends sooner");
    }),
  );
});
