/** What leaves this machine for the team's server, and what never does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../src/errors.ts";
import type { Change } from "../../../src/journal/change.ts";
import { handleOf } from "../../../src/memory/handles.ts";
import { removing, removingOnRecord } from "../../../src/memory/item-changes.ts";
import type { Item } from "../../../src/memory/item.ts";
import { unknownOutcome } from "../../../src/store/postgres/failures.ts";
import type { Store } from "../../../src/store/store.ts";
import { whenReached } from "../../../src/store/team/away.ts";
import { teamStore } from "../../../src/store/team/store.ts";
import { contentHash } from "../../../src/text/content-hash.ts";
import { freshStore } from "../fresh-store.ts";
import { checkpoint, event, noting, saving } from "../suite/capture/steps.ts";
import { active, apply, newItem, newPassages, ORIGIN, put, revision } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("divided");
const clock = { now: () => 1_700_000_000_000 };
const open = () => freshStore({ path: path(), kind: "project", clock });

const SCRATCH = { scope: "working" } as const;
const AWAY = new Failure("unavailable", "The server does not answer.", "Try again.");

interface Places {
  store: Store;
  own: Store;
  shared: Store;
  /** Whatever the server was asked to write. */
  sent: Change[];
  /** Happens on this machine while the server writes. */
  meanwhile: Change[];
}

async function divided(work: (places: Places) => Promise<void>): Promise<void> {
  const [own, server] = [await open(), await open()];
  const sent: Change[] = [];
  const meanwhile: Change[] = [];
  const shared: Store = {
    ...server,
    async apply(changes, ...rest) {
      sent.push(...changes);
      if (meanwhile.length > 0) await apply(own, ...meanwhile.splice(0));
      return server.apply(changes, ...rest);
    },
  };
  const store = teamStore({ shared, own });
  try {
    await work({ store, own, shared, sent, meanwhile });
  } finally {
    await store.close();
  }
}

test("a working memory that becomes global is never sent", () =>
  divided(async ({ store, own, sent }) => {
    const item = await put(store, "memory", { scope: "working", content: "mine alone" });
    await apply(store, ...removingOnRecord("memory", item));
    assert.deepEqual([sent, await own.items("memory", [item.id])], [[], []]);
  }));

test("a working memory that is to last in the project moves to the server", () =>
  divided(async ({ store, own, shared }) => {
    const item = await put(store, "memory", { scope: "working" });
    await apply(store, revision("memory", item, { scope: "project" }));
    assert.deepEqual(await own.items("memory", [item.id]), []);
    assert.equal((await shared.items("memory", [item.id]))[0]?.scope, "project");
  }));

const promotion = (item: Item) => revision("memory", item, { scope: "project" });

test("a memory that is changed here while it moves stays here, and is named; the others move", () =>
  divided(async ({ store, own, shared, meanwhile }) => {
    const [mine, other] = [await put(store, "memory", SCRATCH), await put(store, "memory", SCRATCH)];
    meanwhile.push(revision("memory", mine, { tags: ["after"] }));
    await assert.rejects(store.apply([promotion(mine), promotion(other)], ORIGIN), {
      code: "conflict",
      message: new RegExp(`still here, too: ${handleOf(mine.id)}\\.$`),
    });
    const here = await own.items("memory", [mine.id, other.id]);
    assert.deepEqual(
      here.map(({ id, scope, tags }) => [id, scope, tags]),
      [[mine.id, "working", ["after"]]],
    );
    assert.equal((await shared.items("memory", [mine.id, other.id])).length, 2);
    const found = await store.idsWithPrefix("memory", mine.id, { now: null, limit: 5 });
    assert.deepEqual(found, [mine.id], "it has one name");
    await apply(store, removing("memory", here[0]!));
    assert.deepEqual(
      (await store.items("memory", [mine.id])).map(({ scope }) => scope),
      ["project"],
    );
  }));

test("a memory that goes from here while it moves has moved", () =>
  divided(async ({ store, own, shared, meanwhile }) => {
    const item = await put(store, "memory", SCRATCH);
    meanwhile.push({ kind: "evict_items", shelf: "memory", ids: [item.id] });
    assert.equal((await store.apply([promotion(item)], ORIGIN)).status, "applied");
    assert.deepEqual([await own.items("memory", [item.id]), (await shared.items("memory", [item.id])).length], [[], 1]);
  }));

const observed = (content: string): Change[] => {
  const item = newItem({ scope: "working", content });
  return [
    ...noting(event("e".repeat(32))),
    { kind: "insert_item", shelf: "memory", item, passages: newPassages([content]), embed: false },
  ];
};

const workingIn = async (store: Store): Promise<string[]> =>
  (await store.list("memory", active, { limit: 10, offset: 0 })).items.map(({ content }) => content);

test("what came here with something that the server refuses goes again", () =>
  divided(async ({ store, own, shared }) => {
    assert.equal((await store.apply(observed("first"), ORIGIN)).status, "applied");
    assert.equal((await store.apply(observed("second"), ORIGIN)).status, "conflict");
    assert.deepEqual(await workingIn(own), ["first"]);
    const failing = (thrown: Failure) => teamStore({ shared: { ...shared, apply: () => Promise.reject(thrown) }, own });
    const refused = new Failure("refused", "Your role does not allow that.", "Ask.");
    await assert.rejects(failing(refused).apply(observed("third"), ORIGIN), refused);
    assert.deepEqual(await workingIn(own), ["first"]);
    const opening = { open: () => Promise.reject(AWAY), now: () => 0, onAway: () => undefined };
    await assert.rejects(teamStore({ shared: whenReached(opening), own }).apply(observed("away"), ORIGIN), {
      message: AWAY.message,
    });
    assert.deepEqual(await workingIn(own), ["first"], "a server that is away has taken nothing");
    const lost = unknownOutcome(new Error("Connection terminated"));
    await assert.rejects(failing(lost).apply(observed("fourth"), ORIGIN), lost);
    assert.deepEqual(await workingIn(own), ["fourth", "first"], "the server may have taken its part");
  }));

test("a question that also found what is the team's is kept nowhere, because its erasure would not reach it here", () =>
  divided(async ({ store, own, sent }) => {
    const [mine, theirs] = [await put(store, "memory", SCRATCH), await put(store, "memory")];
    sent.splice(0);
    const touches = [{ id: mine.id, how: "search" as const, relevance: 1 }];
    const found: Change = { kind: "touch_items", shelf: "memory", touches, query: "alone", at: 5 };
    await apply(store, found, { ...found, query: "both", besides: [{ id: theirs.id, relevance: 0 }] });
    assert.deepEqual([await own.queriesFor([mine.id]), sent], [["alone"], []]);
  }));

test("an erasure does not tell the server what was asked", () =>
  divided(async ({ store, sent }) => {
    const { id } = await put(store, "memory");
    await apply(store, { kind: "purge_items", ids: [id], queries: ["a private question"] });
    assert.doesNotMatch(JSON.stringify(sent), /private/);
  }));

test("damaged evidence is erased, and what is sound beside it with its traces here", async () => {
  const file = path();
  const [own, shared] = [await open(), await freshStore({ path: file, kind: "project", clock })];
  const store = teamStore({ shared, own });
  const [hurt, sound] = [await put(store, "evidence"), await put(store, "evidence", { content: "sound" })];
  await apply(store, revision("evidence", hurt, { status: "archived" }));
  await apply(store, { kind: "note_injected", session: "s", keys: [contentHash("sound")], at: 1 });
  const raw = new Sqlite(file);
  assert.equal(raw.prepare(`update evidence_archive set packed = zeroblob(20)`).run().changes, 1);
  raw.close();
  await apply(store, { kind: "purge_items", ids: [hurt.id, sound.id], queries: [] });
  assert.deepEqual(await shared.outlines("evidence", [hurt.id, sound.id]), []);
  assert.deepEqual(await own.injections("s"), []);
  await store.close();
});

test("transcripts that somebody else put on the server are not read here, and their sessions not ended", () =>
  divided(async ({ store, shared }) => {
    await apply(shared, saving(checkpoint({ transcript: "/home/me/other-project.jsonl", isOpen: true }), null));
    const mine = checkpoint({ transcript: "/t/mine", isOpen: true });
    await apply(store, saving(mine, null));
    assert.deepEqual(await store.openCheckpoints(Infinity, 10), ["/t/mine"]);
    await apply(store, saving({ ...mine, offset: mine.offset + 1, isOpen: false }, mine.offset));
    assert.deepEqual(await store.openCheckpoints(Infinity, 10), []);
  }));

test("what carries over from a transcript is kept once, where its evidence is", () =>
  divided(async ({ store, own }) => {
    const mine = checkpoint({ state: { said: "text" }, isOpen: true });
    await apply(store, saving(mine, null));
    assert.equal((await own.checkpoint(mine.transcript))?.state, null);
    assert.deepEqual((await store.checkpoint(mine.transcript))?.state, mine.state);
  }));

test("a search without the server is told, or fails", async () => {
  const [own, server] = [await open(), await open()];
  const told: boolean[] = [];
  const failing = { code: "" };
  const refusing = async () => {
    const cause = Object.assign(new Error("refused"), { code: failing.code });
    throw new Failure("unavailable", "Refused.", "Try again.", { cause });
  };
  const shared = whenReached({
    open: async () => ({ ...server, keyword: refusing, apply: refusing }),
    now: () => clock.now(),
    onAway: (isAway) => void told.push(isAway),
  });
  const store = teamStore({ shared, own });
  await shared.chainHead();
  const search = () => store.keyword("memory", { terms: ["x"] }, active, 5);
  failing.code = "53100";
  await assert.rejects(search(), { message: "Refused." });
  assert.deepEqual(told, []);
  const touch: Change = { kind: "touch_items", shelf: "memory", query: null, at: 1, touches: [] };
  const touches = [{ id: newItem().id, how: "get", relevance: null }] as const;
  assert.equal((await store.apply([{ ...touch, touches: [...touches] }], ORIGIN)).status, "applied", "it can wait");
  failing.code = "53300";
  assert.deepEqual(await search().catch(String), []);
  assert.deepEqual(told, [true]);
  await store.close();
});
