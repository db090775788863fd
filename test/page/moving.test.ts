/** Where one is on the page, what the keys do, and what can be undone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  afterEvent,
  keptNotices,
  lastUndoable,
  NO_NOTICES,
  type Notices,
  noticesFrom,
} from "../../src/page/rules/notices.ts";
import { entranceIn, fragmentOf, routeOf, VIEWS } from "../../src/page/rules/route.ts";
import { filtersOf, isFiltered, withTerm } from "../../src/page/rules/search-terms.ts";
import { actionOf, stepped } from "../../src/page/rules/shortcuts.ts";

test("a route survives its address", () => {
  const terms = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1, unit: "grapheme" }));
  fc.assert(
    fc.property(fc.constantFrom(...VIEWS), terms, (view, asked) => {
      assert.deepEqual(routeOf(fragmentOf({ view, terms: asked })), { view, terms: { ...asked } });
    }),
  );
});

test("an unknown address is the search, and a code is no place", () => {
  for (const fragment of ["", "#", "#/", "#/nowhere", "#/__proto__?x=1"])
    assert.equal(routeOf(fragment).view, "search");
  assert.equal(entranceIn("#/search?q=code%3D1"), null);
  assert.deepEqual(entranceIn("#code=abc&project=%2Fwork%2Fa%20b"), { code: "abc", project: "/work/a b", item: null });
  assert.deepEqual(entranceIn("#project=%2Fw&item=7fd436b5"), { code: null, project: "/w", item: "7fd436b5" });
});

test("terms become fields of the verbs", () => {
  assert.deepEqual(filtersOf({}, false), { shelf: ["memory", "decision", "proposal"] });
  assert.equal(filtersOf({ q: "x" }, false).shelf?.length, 6);
  const asked = {
    q: "x",
    shelf: "code",
    type: "fact",
    scope: "project",
    since: "today",
    status: "archived",
    tag: "a b",
  };
  assert.deepEqual(filtersOf(asked, false), {
    shelf: ["code"],
    type: ["fact"],
    scope: ["project"],
    since: "today",
    status: ["archived"],
    tag: ["a b"],
  });
  assert.deepEqual(filtersOf({ scope: "project" }, true).scope, ["global"], "one's own space is global");
  assert.deepEqual([isFiltered({ q: "x", id: "1" }), isFiltered({ tag: "a" })], [false, true]);
  assert.deepEqual(withTerm({ q: "x", id: "1" }, "type", "fact"), { q: "x", type: "fact" });
});

const press = { isModified: false, isTyping: false, isOnControl: false };

test("keys act, but not while one types, and never in place of the browser's own", () => {
  const keys = { j: "next", k: "previous", y: "yes", n: "no", e: "edit", u: "undo", "/": "search", "?": "help" };
  for (const [key, action] of Object.entries(keys)) {
    assert.equal(actionOf({ ...press, key }), action);
    assert.equal(actionOf({ ...press, key, isTyping: true }), null);
    assert.equal(actionOf({ ...press, key, isModified: true }), null);
  }
  assert.equal(actionOf({ ...press, key: "Escape", isTyping: true }), "close");
  assert.equal(actionOf({ ...press, key: "Enter", isOnControl: true }), null);
  assert.equal(actionOf({ ...press, key: "q" }), null);
});

test("a step stays within the list", () => {
  assert.deepEqual([stepped(-1, 3, 1), stepped(2, 3, 1), stepped(0, 3, -1), stepped(-1, 3, -1), stepped(0, 0, 1)], [0, 2, 0, 0, -1]); // prettier-ignore
});

const said = (call: string | null, project = "/p") =>
  ({ kind: "said", notice: { text: "done", kind: "done", call, project } }) as const;
const after = (...events: Parameters<typeof afterEvent>[1][]): Notices => events.reduce(afterEvent, NO_NOTICES);

test("the last call of a project is undone first, and none twice", () => {
  const notices = after(said("one"), said("two"), said("elsewhere", "/q"), said(null));
  assert.equal(lastUndoable(notices, "/p")?.call, "two");
  const undone = afterEvent(notices, { kind: "undone", call: "two" });
  assert.equal(lastUndoable(undone, "/p")?.call, "one");
  assert.equal(lastUndoable(afterEvent(undone, { kind: "undone", call: "one" }), "/p"), null);
});

test("what can be undone outlives a reload, what was said does not", () => {
  const kept = keptNotices(after(said("one"), said(null), said("two")));
  assert.doesNotMatch(kept, /done/);
  const notices = noticesFrom(kept);
  assert.deepEqual([notices.shown, lastUndoable(notices, "/p")?.call], [[], "two"]);
  const more = afterEvent(notices, said("three"));
  assert.equal(new Set(more.undoable.map(({ id }) => id)).size, 3);
  assert.deepEqual(noticesFrom(null), NO_NOTICES);
});

test("few notices are shown at a time; closing one leaves it undoable", () => {
  const notices = after(said("a"), said("b"), said("c"), said("d"));
  assert.deepEqual(notices.shown.map(({ call }) => call), ["b", "c", "d"]); // prettier-ignore
  const closed = afterEvent(notices, { kind: "closed", id: 4 });
  assert.deepEqual([closed.shown.length, lastUndoable(closed, "/p")?.call], [2, "d"]);
});
