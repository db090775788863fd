/** What is made of sessions: cards that match their evidence, errors that come back, verdicts, and hand-overs. */
import assert from "node:assert/strict";
import type { Edge } from "../../../src/graph/edges.ts";
import type { Change } from "../../../src/journal/change.ts";
import type { Item } from "../../../src/memory/item.ts";
import type { Handover, KeptSession, Note, NoteVerdict, SessionError } from "../../../src/sessions/card.ts";
import { HANDOVERS_KEPT } from "../../../src/store/sessions.ts";
import {
  apply,
  applyInVain,
  insertion,
  type Make,
  newItem,
  newPassages,
  put,
  removal,
  revision,
  type SessionStore,
  trialsOf,
} from "./trial.ts";

const DAY_MS = 86_400_000;
const RULES = 3;

const note = (id: string): Note => ({ id, text: `note ${id}`, at: 7, files: ["src/a.ts"] });

interface Keeping {
  turns: number;
  branch?: string | null;
  to?: number;
  notes?: Note[];
  rules?: number;
  errors?: SessionError[];
}

function kept(session: string, { turns, branch = null, to = 100, notes = [], rules = RULES, errors = [] }: Keeping) {
  const card: KeptSession["card"] = {
    session,
    host: "codex",
    branch,
    branches: branch === null ? [] : [branch],
    from: 1,
    to,
    title: { text: `About ${session}`, by: "you" },
    asked: "Why?",
    said: { question: "Now?", answer: "Yes" },
    files: [{ path: "src/a.ts", edits: 2 }],
    commits: ["Fix it"],
    check: { command: "npm test", passed: true, outcome: "2 passed" },
    ended: { text: "Done.", by: "agent" },
    unanswered: null,
  };
  return { card, notes, turns, rules, errors } satisfies KeptSession;
}

/** As it would be kept now, of so many turns. */
async function keeping(store: SessionStore, session: string, set: Partial<Keeping> = {}): Promise<Change> {
  const evidence = await madeOf(store, session);
  return { kind: "keep_session", kept: kept(session, { turns: evidence.length, ...set }), evidence };
}

async function madeOf(store: SessionStore, session: string): Promise<string[]> {
  const ids = await store.evidenceOf(session);
  const versions = new Map((await store.items("evidence", ids)).map(({ id, version }) => [id, version]));
  return ids.map((id) => `${id} ${versions.get(id)}`);
}

/** A turn of a session, as capture writes it. */
const turn = (store: SessionStore, session: string, set: Partial<Item> = {}): Promise<Item> =>
  put(store, "evidence", { session, type: "evidence", source: "extraction", ...set });

/** A session with so many turns and a card of them. */
async function session(store: SessionStore, name: string, set: Partial<Keeping> = {}): Promise<Item[]> {
  const turns: Item[] = [];
  for (let number = 0; number < (set.turns ?? 1); number += 1) turns.push(await turn(store, name));
  await apply(store, await keeping(store, name, set));
  return turns;
}

const cardsIn = async (store: SessionStore): Promise<string[]> =>
  (await store.sessionCards({ limit: 99 })).map(({ card }) => card.session);

const error = (key: string, day: number, set: Partial<SessionError> = {}): SessionError => ({
  key,
  line: `error: ${key} on day ${day}`,
  at: day * DAY_MS + 5,
  changed: null,
  ...set,
});

const handover = (id: string, set: Partial<Handover> = {}): Handover => ({
  id,
  session: "today",
  event: "prompt",
  at: 10,
  text: `text of ${id}`,
  tokens: 3,
  sources: ["earlier"],
  files: ["src/a.ts"],
  use: null,
  ...set,
});
const handing = (...handed: Handover[]): Change[] =>
  handed.map((one) => ({ kind: "note_handover", handover: one }) as const);
const handed = async (store: SessionStore): Promise<string[]> =>
  (await store.handovers({ limit: 99_999 })).map(({ id }) => id);

export function testSessions(make: Make<SessionStore>): void {
  testEvidence(make);
  testCards(make);
  testErrors(make);
  testUnused(make);
  testVerdicts(make);
  testHandovers(make);
  testErasing(make);
}

function testEvidence(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  once("the evidence of a session is what was captured of it, in the order in which it was said", async (store) => {
    const late = await turn(store, "own", { createdAt: 9 });
    const early = await turn(store, "own", { createdAt: 3 });
    const archived = await turn(store, "own", { createdAt: 5, status: "archived" });
    const same = await turn(store, "own", { createdAt: 9 });
    await turn(store, "other", { createdAt: 4 });
    await turn(store, "own", { source: "user_explicit" });
    await turn(store, "own", { status: "superseded" });
    await put(store, "memory", { session: "own", source: "extraction" });
    assert.deepEqual(await store.evidenceOf("own"), [early.id, archived.id, late.id, same.id]);
    assert.deepEqual(await store.evidenceOf("nobody"), []);
  });
}

function testCards(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  once("a card is read as it was kept, and the next one replaces it", async (store) => {
    const notes = [note("a"), note("b")];
    await session(store, "own", { turns: 2, notes, branch: "topic" });
    const read = await store.sessionCards({ sessions: ["own"], limit: 9 });
    const { errors: _, ...expected } = kept("own", { turns: 2, notes, branch: "topic" });
    assert.deepEqual(read, [expected]);
    await turn(store, "own");
    await apply(store, await keeping(store, "own", { turns: 3, notes: [note("c")] }));
    const [again, ...rest] = await store.sessionCards({ limit: 9 });
    assert.deepEqual([again?.turns, again?.notes, again?.card.branch, rest], [3, [note("c")], null, []]);
  });
  once("cards are those asked for, the last to end first", async (store) => {
    await session(store, "a", { to: 10, branch: "topic", notes: [note("one"), note("two")] });
    await session(store, "b", { to: 30, branch: "main", notes: [{ ...note("tw"), text: '"id":"t%' }] });
    await session(store, "c", { to: 20, branch: "topic" });
    await session(store, "d", { to: 20, branch: null });
    const asked = async (query: object) =>
      (await store.sessionCards({ limit: 9, ...query })).map(({ card }) => card.session).join("");
    const cases: [query: object, found: string][] = [
      [{}, "bcda"],
      [{ limit: 2 }, "bc"],
      [{ branch: "topic" }, "ca"],
      [{ branch: "nothing" }, ""],
      [{ sessions: ["a", "d", "nobody"] }, "da"],
      [{ sessions: [] }, ""],
      [{ note: "two" }, "a"],
      [{ note: "tw" }, "ba"],
      [{ note: "" }, "ba"],
      ...["t%", "wo", 'one","text', "\\"].map((name): [object, string] => [{ note: name }, ""]),
      [{ note: "t", branch: "topic", sessions: ["a", "b", "c"], limit: 1 }, "a"],
    ];
    for (const [query, found] of cases) assert.equal(await asked(query), found, JSON.stringify(query));
  });
  once("a card that was made of other evidence than there is is refused", async (store) => {
    const turns = await session(store, "own", { turns: 2, notes: [note("first")], errors: [error("first", 1)] });
    const evidence = await madeOf(store, "own");
    const [one, two] = evidence as [string, string];
    const late: Keeping = { turns: 2, notes: [note("late")], errors: [error("late", 1)] };
    for (const other of [[], [one], [two, one], [one, two, two], [one, `${turns[1]!.id} 2`]])
      await applyInVain(store, "keep_session", { kind: "keep_session", kept: kept("own", late), evidence: other });
    const item = { ...turns[0]!, content: "[REDACTED]", hash: "hash", version: 2 };
    const after = { item, passages: newPassages([item.content]), embed: false };
    const keptBefore: Change = { kind: "keep_session", kept: kept("own", late), evidence };
    const redaction = { id: item.id, expectedVersion: 1, after };
    await apply(store, { kind: "redact_items", shelf: "evidence", items: [redaction] });
    await applyInVain(store, "keep_session", keptBefore);
    await apply(store, removal("evidence", item));
    await turn(store, "own");
    await applyInVain(store, "keep_session", keptBefore);
    assert.deepEqual(await cardsIn(store), [], "removed evidence takes with it what was made of it");
    assert.deepEqual([await store.errorsMet("first", 9), await store.errorsMet("late", 9)], [[], []]);
  });
  once("a refused card takes back what stands beside it", async (store) => {
    const beside = handing(handover("h"));
    await session(store, "own");
    const before = await keeping(store, "own");
    await turn(store, "own");
    await applyInVain(store, "keep_session", ...beside, before);
    assert.deepEqual(await handed(store), []);
  });
  once("archived evidence counts as before", async (store) => {
    const [first] = await session(store, "own", { turns: 2 });
    await apply(store, revision("evidence", first!, { status: "archived" }));
    assert.deepEqual(await store.staleSessions(RULES, 9), []);
    await apply(store, await keeping(store, "own", { turns: 2 }));
  });
  once("a session without evidence has no card", async (store) => {
    const [only] = await session(store, "own", { errors: [error("e", 1)] });
    await apply(store, removal("evidence", only!));
    assert.deepEqual([await cardsIn(store), await store.errorsMet("e", 9)], [[], []]);
    await apply(store, await keeping(store, "own", { turns: 0 }));
    assert.deepEqual(await store.staleSessions(RULES, 9), []);
  });
  once("sessions are stale that have no card, one of other evidence, or one of other rules", async (store) => {
    await session(store, "fresh");
    await turn(store, "new");
    await session(store, "grown");
    await turn(store, "grown");
    await session(store, "older", { rules: RULES - 1 });
    await put(store, "evidence", { session: "said", source: "user_explicit" });
    assert.deepEqual((await store.staleSessions(RULES, 9)).toSorted(), ["grown", "new", "older"]);
    assert.equal((await store.staleSessions(RULES, 2)).length, 2);
    assert.deepEqual((await store.staleSessions(RULES - 1, 9)).toSorted(), ["fresh", "grown", "new"]);
  });
}

function testErrors(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  once("an error is met in each session once, the latest first", async (store) => {
    await session(store, "a", { errors: [error("x", 1, { changed: "editing a.ts" }), error("y", 1)] });
    await session(store, "b", { errors: [error("x", 2), error("x", 9)] });
    assert.deepEqual(await store.errorsMet("x", 9), [
      { session: "b", ...error("x", 2) },
      { session: "a", ...error("x", 1, { changed: "editing a.ts" }) },
    ]);
    assert.deepEqual((await store.errorsMet("x", 1)).map(({ session }) => session), ["b"]); // prettier-ignore
    assert.deepEqual(await store.errorsMet("z", 9), []);
    await apply(store, await keeping(store, "b", { turns: 1, errors: [error("z", 2)] }));
    assert.deepEqual((await store.errorsMet("x", 9)).map(({ session }) => session), ["a"], "a new card replaces them"); // prettier-ignore
  });
  once("an error recurs in so many sessions on so many days, with how it was last got over", async (store) => {
    for (const [name, day, changed] of [
      ["a", 1, "editing a.ts"],
      ["b", 2, "editing b.ts"],
      ["c", 2, null],
      ["d", 4, null],
    ] as const)
      await session(store, name, { errors: [error("often", day, { changed })] });
    await session(store, "one", { errors: [error("day", 1), error("once", 1)] });
    await session(store, "two", { errors: [error("day", 1)] });
    await session(store, "three", { errors: [error("day", 1)] });
    const often = { key: "often", sessions: 4, days: 3, session: "d", line: error("often", 4).line };
    assert.deepEqual(await store.recurringErrors({ sessions: 3, days: 3 }, 9), [
      { ...often, at: error("often", 4).at, changed: "editing b.ts" },
    ]);
    assert.deepEqual(await store.recurringErrors({ sessions: 4, days: 4 }, 9), []);
    const keys = async (sessions: number, days: number, limit = 9) =>
      (await store.recurringErrors({ sessions, days }, limit)).map(({ key }) => key);
    assert.deepEqual(await keys(3, 1), ["often", "day"], "the latest first");
    assert.deepEqual(await keys(3, 1, 1), ["often"]);
    assert.deepEqual((await keys(1, 1)).toSorted(), ["day", "often", "once"]);
  });
}

function testUnused(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  once("unused are memories that an earlier version captured and nobody has touched", async (store) => {
    const captured = (set: Partial<Item> = {}) =>
      put(store, "memory", { source: "extraction", ...set, details: { evidence: ["e"], ...set.details } });
    const unused = [await captured(), await captured({ details: { text: "\0", symbols: ["\ud800"] } })];
    await captured({ details: { by: "capture" } });
    await captured({ details: { made: "hash" } });
    await put(store, "memory", { source: "extraction" });
    await put(store, "memory", { source: "extraction", details: { imported: { from: "mem0", key: "1" } } });
    await captured({ pinned: true });
    await captured({ status: "archived" });
    await put(store, "memory", { source: "user_explicit" });
    await put(store, "evidence", { source: "extraction" });
    const edited = await captured();
    await apply(store, revision("memory", edited, { content: "edited by somebody" }, ["edited by somebody"]));
    const [opened, found, linked, derived] = [await captured(), await captured(), await captured(), await captured()];
    const touch = (id: string, how: "get" | "search"): Change => ({
      kind: "touch_items",
      shelf: "memory",
      query: null,
      at: 5,
      touches: [{ id, relevance: null, how }],
    });
    await apply(store, touch(opened.id, "get"), touch(found.id, "search"));
    const edge = (source: Item, made: boolean): Edge => ({
      id: `edge ${source.id}`,
      shelf: "memory",
      source: source.id,
      target: unused[0]!.id,
      strength: 1,
      relation: "relates_to",
      bidirectional: false,
      status: "active",
      createdAt: 1,
      ...(made && { made }),
    });
    const { after, upTo } = (await store.unlinked(99))!;
    await apply(store, { kind: "link_memories", after, upTo, removed: [], made: [edge(derived, true)] });
    const other = await put(store, "memory", { source: "user_explicit" });
    assert.ok((await store.unusedCaptured(99)).includes(unused[0]!.id), "a link that was made by rule is no use");
    await apply(
      store,
      ...[linked, other].map((source): Change => ({ kind: "insert_edge", edge: edge(source, false) })),
    );
    const restored = await captured();
    await apply(store, revision("memory", restored, { status: "archived" }));
    await apply(store, removal("memory", { ...restored, version: 2 }), insertion("memory", restored));
    const ids = await store.unusedCaptured(99);
    assert.deepEqual(ids.toSorted(), [unused[1]!.id, found.id, derived.id].toSorted());
    assert.equal((await store.unusedCaptured(1)).length, 1);
  });
}

function testVerdicts(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  const verdict = (id: string, set: Partial<NoteVerdict> = {}): NoteVerdict => ({
    note: id,
    session: "own",
    verdict: "wrong",
    memory: null,
    by: "person",
    at: 5,
    ...set,
  });
  const judging = (one: NoteVerdict): Change => ({ kind: "judge_note", note: one.note, verdict: one });
  once("the last verdict on a note counts, and outlives every rebuilding", async (store) => {
    await session(store, "own", { notes: [note("a"), note("b")] });
    await apply(store, judging(verdict("a")), judging(verdict("b")));
    const right = verdict("a", { verdict: "right", memory: "made", at: 9 });
    await apply(store, judging(right));
    assert.deepEqual(await store.noteVerdicts(["a", "none"]), [right]);
    await turn(store, "own");
    await apply(store, await keeping(store, "own", { turns: 2, notes: [] }));
    assert.equal((await store.noteVerdicts(["a", "b"])).length, 2);
    await apply(store, { kind: "judge_note", note: "a", verdict: null });
    assert.deepEqual((await store.noteVerdicts(["a", "b"])).map(({ note: id }) => id), ["b"]); // prettier-ignore
    assert.deepEqual(await store.noteVerdicts([]), []);
  });
}

function testHandovers(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  once("a hand-over is read as it was noted, the latest first", async (store) => {
    const all = [
      handover("a", { at: 1, event: "start", sources: ["one", "two"], files: [] }),
      handover("b", { at: 3, session: "other", event: "failure" }),
      handover("c", { at: 2, use: "none" }),
    ];
    await apply(store, ...handing(...all));
    assert.deepEqual(await store.handovers({ limit: 9 }), [all[1], all[2], all[0]]);
    const asked = async (query: object) => (await store.handovers({ limit: 9, ...query })).map(({ id }) => id).join("");
    const cases: [query: object, found: string][] = [
      [{ session: "today" }, "ca"],
      [{ session: "nobody" }, ""],
      [{ since: 2 }, "bc"],
      [{ session: "today", since: 2 }, "c"],
      [{ limit: 1 }, "b"],
    ];
    for (const [query, found] of cases) assert.equal(await asked(query), found, JSON.stringify(query));
  });
  once("what a session was given already is not noted again", async (store) => {
    await apply(store, ...handing(handover("a")));
    await applyInVain(store, "note_handover", ...handing(handover("a", { text: "other" })));
    assert.equal((await store.handovers({ limit: 9 }))[0]?.text, "text of a");
  });
  once("what came of it is noted later, and changes nothing else", async (store) => {
    await apply(store, ...handing(handover("a"), handover("b")));
    await apply(store, { kind: "settle_handover", id: "a", use: "words" });
    await apply(store, { kind: "settle_handover", id: "a", use: "file" });
    await apply(store, { kind: "settle_handover", id: "unknown", use: "get" });
    const read = await store.handovers({ limit: 9 });
    assert.deepEqual(read, [handover("a", { use: "file" }), handover("b")]);
  });
  once("only so many are kept, the latest", async (store) => {
    const all = Array.from({ length: HANDOVERS_KEPT + 2 }, (_, at) => handover(String(at).padStart(5, "0"), { at }));
    await apply(store, ...handing(...all));
    const left = await handed(store);
    assert.equal(left.at(0), all.at(-1)!.id);
    assert.ok(left.length <= HANDOVERS_KEPT + 1 && !left.includes(all[0]!.id), `${left.length}`);
  });
  once("those that are named go with the surfaces", async (store) => {
    await apply(store, ...handing(handover("quotes a secret"), handover("other")));
    await apply(store, { kind: "drop_surfaces", branches: [], handovers: ["quotes a secret"] });
    assert.deepEqual(await handed(store), ["other"]);
  });
  once("those of a time that is dropped go with its events", async (store) => {
    await apply(store, ...handing(handover("old", { at: 4 }), handover("new", { at: 5 })));
    await apply(store, { kind: "drop_events", before: 5 });
    assert.deepEqual(await handed(store), ["new"]);
  });
}

function testErasing(make: Make<SessionStore>): void {
  const { once } = trialsOf(make);
  /** Sessions with cards and errors, and hand-overs to and from them. */
  async function filled(store: SessionStore) {
    const [turnOfOwn] = await session(store, "own", { turns: 2, errors: [error("e", 1)] });
    await session(store, "other", { errors: [error("e", 2)] });
    const memory = await put(store, "memory", { session: "third" });
    await apply(
      store,
      ...handing(
        handover("to", { session: "own", sources: ["other"] }),
        handover("from", { session: "today", sources: ["x", "own"] }),
        handover("named", { session: "today", sources: [memory.id] }),
        handover("stays", { session: "today", sources: ["other"] }),
      ),
    );
    return { turnOfOwn: turnOfOwn!, memory };
  }
  const left = async (store: SessionStore) => ({
    cards: (await cardsIn(store)).toSorted(),
    errors: (await store.errorsMet("e", 9)).map(({ session }) => session).toSorted(),
    handovers: (await handed(store)).toSorted(),
  });

  once("a purged turn takes along all that was made of its session, and the rest can be kept again", async (store) => {
    const { turnOfOwn } = await filled(store);
    await apply(store, { kind: "purge_items", ids: [turnOfOwn.id], queries: [] });
    assert.deepEqual(await left(store), { cards: ["other"], errors: ["other"], handovers: ["named", "stays"] });
    assert.deepEqual(await store.staleSessions(RULES, 9), ["own"]);
    await apply(store, await keeping(store, "own"));
  });
  once("so does a purge that names the session, whichever store had the item", async (store) => {
    await filled(store);
    await apply(store, { kind: "purge_items", ids: ["elsewhere"], queries: [], sessions: ["own"] });
    assert.deepEqual(await left(store), { cards: ["other"], errors: ["other"], handovers: ["named", "stays"] });
  });
  once("a purged memory takes along what was handed over of it", async (store) => {
    const { memory } = await filled(store);
    await apply(store, { kind: "purge_items", ids: [memory.id], queries: [] });
    const expected = { cards: ["other", "own"], errors: ["other", "own"], handovers: ["from", "stays", "to"] };
    assert.deepEqual(await left(store), expected);
  });
  once("a redaction drops what was made of the text, and only that", async (store) => {
    const { turnOfOwn, memory } = await filled(store);
    const item = { ...turnOfOwn, content: "now [REDACTED]", hash: "hash", version: turnOfOwn.version + 1 };
    const after = { item, passages: newPassages([item.content]), embed: false };
    const redaction = { id: turnOfOwn.id, expectedVersion: turnOfOwn.version, after };
    await apply(store, { kind: "redact_items", shelf: "evidence", items: [redaction] });
    assert.deepEqual(await left(store), { cards: ["other"], errors: ["other"], handovers: ["named", "stays"] });
    assert.deepEqual(await store.staleSessions(RULES, 9), ["own"]);
    const traces = { id: memory.id, expectedVersion: memory.version };
    await apply(store, { kind: "redact_items", shelf: "memory", items: [traces] });
    assert.deepEqual((await left(store)).handovers, ["stays"]);
  });
  once("a turn that is removed takes along what was made of its session", async (store) => {
    const { turnOfOwn } = await filled(store);
    await apply(store, removal("evidence", turnOfOwn));
    assert.deepEqual(await left(store), { cards: ["other"], errors: ["other"], handovers: ["named", "stays"] });
  });
  once("hand-overs are dropped by the items and sessions that they name, and nothing else is", async (store) => {
    const { memory } = await filled(store);
    const before = await left(store);
    await apply(store, { kind: "drop_handovers", items: [memory.id], sessions: ["own"] });
    assert.deepEqual(await left(store), { ...before, handovers: ["stays"] });
  });
  once("an item of no session takes along no other", async (store) => {
    await filled(store);
    const unsaid = await put(store, "memory", newItem({ session: "" }));
    await apply(store, { kind: "purge_items", ids: [unsaid.id], queries: [] });
    assert.deepEqual((await left(store)).cards, ["other", "own"]);
  });
}
