import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ChainFault,
  closedAt,
  holding,
  holdingDuring,
  holdsAt,
  linkFault,
  predecessors,
  roomFault,
  successors,
  windowFault,
} from "../../src/decisions/chain.ts";
import type { Item } from "../../src/memory/item.ts";
import { byId, decisionItem } from "./decision-items.ts";

const ids = (items: readonly Item[]) => items.map(({ id }) => id);

const times: [string, Item, number, boolean][] = [
  ["before it begins", decisionItem("a", 100, 200), 99, false],
  ["when it begins", decisionItem("a", 100, 200), 100, true],
  ["just before it ends", decisionItem("a", 100, 200), 199, true],
  ["when it ends", decisionItem("a", 100, 200), 200, false],
  ["without an end", decisionItem("a", 100), 1e15, true],
  ["without a start it is its birth", decisionItem("a", 0, null, { validFrom: null, createdAt: 50 }), 49, false],
  ["from its birth", decisionItem("a", 0, null, { validFrom: null, createdAt: 50 }), 50, true],
  ["before the epoch", decisionItem("a", -100, -50), -75, true],
  ["superseded, in its time", decisionItem("a", 100, 200, { status: "superseded" }), 150, true],
  ["forgotten", decisionItem("a", 100, null, { status: "archived" }), 150, false],
  ["pruned", decisionItem("a", 100, null, { status: "pruned" }), 150, false],
  ["a window closed where it began never held", decisionItem("a", 100, 100), 100, false],
];
for (const [name, item, at, holds] of times)
  test(`${holds ? "holds" : "does not hold"}: ${name}`, () => assert.equal(holdsAt(item, at), holds));

test("several may hold for one subject, the latest to begin first; others are left out when one is asked for", () => {
  const all = [
    decisionItem("a", 100),
    decisionItem("b", 300, null, { title: "Auth" }),
    decisionItem("c", 300, null, { title: "auth" }),
    decisionItem("d", 200, null, { title: "cache" }),
    decisionItem("e", 100, 250),
    decisionItem("f", 100, null, { title: null }),
  ];
  assert.deepEqual(ids(holding(all, 400, "auth")), ["b", "c", "a"]);
  assert.deepEqual(ids(holding(all, 200, "AUTH")), ["a", "e"]);
  assert.deepEqual(ids(holding(all, 300)), ["b", "c", "d", "a", "f"]);
  assert.deepEqual(holding(all, 99), []);
});

test("of two that begin together the one with the smaller id comes first, whatever their order", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => decisionItem(id, 100)) as [Item, Item, Item];
  for (const all of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
  ])
    assert.deepEqual(ids(holding(all, 100)), ["a", "b", "c"]);
});

/** Each held from 100 to 200; `now` is 150 unless told otherwise. */
const during: [what: string, from: number, until: number | null, now: number, isHeld: boolean][] = [
  ["a window that ends when it begins", 50, 100, 0, false],
  ["one that ends just after", 50, 101, 0, true],
  ["one that begins when it ends", 200, null, 0, false],
  ["one that begins just before", 199, null, 0, true],
  ["an open one that has begun, while it holds", 50, null, 199, true],
  ["an open one that has begun, when it has ended", 50, null, 200, false],
  ["one that is under way, when it has ended", 50, 300, 200, false],
  ["one that is over counts whole", 50, 180, 500, true],
  ["one that ends now counts whole", 50, 250, 250, true],
  ["one that is over and was after it", 300, 400, 500, false],
];
for (const [what, from, until, now, isHeld] of during)
  test(`${isHeld ? "holds" : "does not hold"} during ${what}`, () => {
    const held = decisionItem("a", 100, 200);
    assert.deepEqual(ids(holdingDuring([held], { from, until }, now)), isHeld ? ["a"] : []);
  });

test("what has no end holds during whatever comes; what is forgotten never does", () => {
  const all = [decisionItem("a", 100), decisionItem("b", 100, null, { status: "archived" })];
  assert.deepEqual(ids(holdingDuring(all, { from: 9_000, until: null }, 0)), ["a"]);
  assert.deepEqual(ids(holdingDuring(all, { from: 0, until: 50 }, 0)), []);
});

/** a and b were replaced by c, c by d; e stands alone. */
const tree = byId(
  decisionItem("a", 100, 300, { supersededBy: "c" }),
  decisionItem("b", 200, 300, { supersededBy: "c" }),
  decisionItem("c", 300, 400, { supersededBy: "d" }),
  decisionItem("d", 400),
  decisionItem("e", 100),
);

const walks: [string, string[], string[]][] = [
  ["a", [], ["c", "d"]],
  ["b", [], ["c", "d"]],
  ["c", ["b", "a"], ["d"]],
  ["d", ["c", "b", "a"], []],
  ["e", [], []],
  ["unknown", [], []],
];
for (const [id, before, after] of walks)
  test(`the chain of ${id}, both ways`, () => {
    assert.deepEqual(ids(predecessors(id, tree)), before);
    assert.deepEqual(ids(successors(id, tree)), after);
  });

test("a loop in damaged data and a successor that is missing end the walk", () => {
  const damaged = byId(
    decisionItem("a", 100, 200, { supersededBy: "b" }),
    decisionItem("b", 200, 300, { supersededBy: "a" }),
    decisionItem("c", 100, 200, { supersededBy: "gone" }),
    decisionItem("d", 100, 200, { supersededBy: "d" }),
    decisionItem("e", 100, 200, { supersededBy: "f" }),
    decisionItem("f", 200, 300, { supersededBy: "g" }),
    decisionItem("g", 300, 400, { supersededBy: "f" }),
  );
  assert.deepEqual(ids(successors("e", damaged)), ["f", "g"], "a loop that does not lead back to the start");
  assert.deepEqual(ids(predecessors("g", damaged)), ["f", "e"]);
  assert.deepEqual(ids(successors("a", damaged)), ["b"]);
  assert.deepEqual(ids(predecessors("a", damaged)), ["b"]);
  assert.deepEqual(successors("c", damaged), []);
  assert.deepEqual(successors("d", damaged), []);
  assert.deepEqual(predecessors("d", damaged), []);
});

test("a window must hold for a moment", () => {
  assert.equal(windowFault({ from: 5, until: 6 }), null);
  assert.equal(windowFault({ from: 5, until: null }), null);
  for (const until of [5, 4]) {
    assert.deepEqual(windowFault({ from: 5, until }), { why: "empty window", window: { from: 5, until } });
  }
});

const ends: [string, number | null, number, number][] = [
  ["an open window closes", null, 500, 500],
  ["a longer one is cut", 900, 500, 500],
  ["one that ended before stays", 300, 500, 300],
];
for (const [name, until, start, end] of ends)
  test(`closing: ${name}`, () => assert.equal(closedAt(decisionItem("a", 100, until), start), end));

const links: [string, string, string, number, ChainFault | null][] = [
  ["a head by a new one", "d", "new", 500, null],
  ["a head by one that starts with it", "d", "new", 400, null],
  ["two heads", "e", "d", 400, null],
  ["by itself", "d", "d", 400, { why: "cycle", ids: ["d", "d"] }],
  ["a successor by what it replaced", "d", "a", 100, { why: "cycle", ids: ["d", "a", "c", "d"] }],
  ["what is followed by more", "c", "a", 100, { why: "cycle", ids: ["c", "a", "c"] }],
  ["what has a successor", "a", "new", 500, { why: "already superseded", id: "a", by: "c" }],
  ["what begins after its successor", "d", "new", 399, { why: "overlap", id: "d", window: { from: 400, until: null } }],
];
for (const [name, id, successor, from, fault] of links)
  test(`superseding ${name}: ${fault?.why ?? "fine"}`, () => {
    assert.deepEqual(linkFault(tree.get(id)!, { id: successor, window: { from, until: null } }, tree), fault);
  });

test("what is forgotten is not superseded", () => {
  const item = decisionItem("a", 100, null, { status: "archived" });
  const successor = { id: "new", window: { from: 200, until: null } };
  assert.deepEqual(linkFault(item, successor, byId(item)), { why: "forgotten", id: "a" });
});

test("a decision that already names the new one as its successor must have ended", () => {
  const older = decisionItem("a", 100, 200, { supersededBy: "new" });
  const at = (from: number) => roomFault({ id: "new", window: { from, until: null } }, byId(older));
  assert.equal(at(200), null);
  assert.deepEqual(at(199), { why: "overlap", id: "a", window: { from: 100, until: 200 } });
});
