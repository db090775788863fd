/** What is erased of a session is gone from everything that was made of it, and what is left is made again. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Change } from "../../src/journal/change.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import forget from "../../src/memory/verbs/forget.ts";
import { sweepStore } from "../../src/redaction/sweep.ts";
import redact from "../../src/redaction/verbs/redact.ts";
import { digest } from "../../src/sessions/digest.ts";
import { keepSession, keepStaleSessions } from "../../src/sessions/keep-session.ts";
import { packTurn } from "../../src/sessions/turns.ts";
import { mentions } from "../../src/store/sqlite/backup/backup-erase.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import type { TestWorld } from "../test-world.ts";
import { laterWorld, leftBy, taken, turnsOf } from "./session-steps.ts";
import type { Saying } from "./transcript.ts";

const WALRUS = "The walrus must never be moved while it sleeps, because the keeper of `walrus.ts` counts by night.";
const HERON = "The heron needs a pond of its own, because `heron.ts` reads the depth only once at the start.";
const SAID: Saying[] = [
  { prompt: "Where does the walrus sleep in this zoo?" },
  { command: "zoo walrus", result: "error: the walrus is not found", isError: true },
  { reply: WALRUS },
  { prompt: "And where does the heron stand in it?", minute: 5 },
  { command: "zoo heron", result: "error: the heron is not found", isError: true, minute: 6 },
  { reply: HERON, minute: 7 },
];

const startOf = (world: TestWorld, session: string) =>
  contextAtStart({ report: session, session, source: "startup", isLate: () => false }, world);

const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".jsonl"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");

test("a purged turn is gone from card, notes, errors and hand-overs at once, and the rest is made again", async () => {
  const world = await laterWorld();
  await taken(world, SAID);
  assert.match((await startOf(world, "next"))!, /walrus must never be moved/);
  await world.afterwards.settle();
  const [first] = await world.project.evidenceOf("s1");
  await world.backups.take("asked");
  await dispatch(forget, { target: first!, purge: true }, world);
  const { project } = world;
  assert.deepEqual([await project.sessionCards({ limit: 9 }), await project.handovers({ limit: 9 })], [[], []]);
  assert.ok(!/walrus/i.test(bytesIn(world.folder)), "in no file, backups too");
  await digest(world);
  const [made, ...others] = await project.sessionCards({ limit: 9 });
  assert.deepEqual([made?.turns, made?.card.asked, others], [1, SAID[3]!.prompt, []]);
  assert.deepEqual(made?.notes.map(({ text }) => text), [HERON]); // prettier-ignore
  assert.ok(!/walrus/i.test(JSON.stringify([await leftBy(world, "s1"), await turnsOf(world)])));
  assert.match((await startOf(world, "after"))!, /heron needs a pond/);
});

test("the transcript does not bring a purged turn back", async () => {
  const world = await laterWorld();
  await taken(world, SAID);
  const [first] = await world.project.evidenceOf("s1");
  await dispatch(forget, { target: first!, purge: true }, world);
  assert.equal((await taken(world, SAID)).evidence, 0);
  await digest(world);
  assert.ok(!/walrus/i.test(JSON.stringify(await leftBy(world, "s1"))));
});

test("a capture that is taken back takes its card along", async () => {
  const world = await laterWorld();
  const call = { ...world, origin: { ...world.origin, call: "capture" } };
  await taken(call, SAID);
  await dispatch(rollback, { call: "capture" }, world);
  await digest(world);
  assert.deepEqual(await world.project.sessionCards({ limit: 9 }), []);
  assert.deepEqual(await world.project.errorsMet("error: the walrus is not found", 9), []);
});

test("a secret that older rules missed is taken out of everything that was made of the session", async () => {
  const world = await laterWorld();
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
  const at = world.clock.now();
  const said = `Why does the push with ${secret} fail again today?`;
  const noted = `The push with ${secret} must never be tried again, because \`push.ts\` waits for the token to end.`;
  const turn = { at, branch: "main", parts: [
    { label: "own" as const, text: said, at },
    { label: "tool" as const, text: `error: ${secret} has expired`, at, call: { name: "sh", command: `push ${secret}`, path: null, edits: false, failed: true } },
    { label: "agent" as const, text: noted, at },
  ] }; // prettier-ignore
  const content = `${said}\n${noted}`;
  const set = { session: "s1", host: "codex", type: "evidence", createdAt: at, updatedAt: at, accessedAt: at };
  const item = newItem({ ...set, source: "extraction", content, summary: said, details: { turn: packTurn(turn) } });
  await world.project.apply([insertion("evidence", item)], world.origin);
  await keepSession("s1", world);
  assert.ok(JSON.stringify(await leftBy(world, "s1")).includes(secret), "it is everywhere");
  assert.ok((await startOf(world, "next"))!.includes(secret));
  await world.afterwards.settle();
  const { answer } = await dispatch(redact, {}, world, {
    ask: async () => ({ action: "accept", values: { redact: true } }),
  });
  assert.equal(answer.status, "redacted");
  const { project } = world;
  assert.deepEqual([await project.sessionCards({ limit: 9 }), await project.handovers({ limit: 9 })], [[], []]);
  assert.equal(await keepStaleSessions(world), false);
  const kept = JSON.stringify([await leftBy(world, "s1"), await turnsOf(world), await startOf(world, "after")]);
  assert.ok(!kept.includes(secret) && !bytesIn(world.folder).includes(secret), kept);
  assert.match(
    (await project.sessionCards({ limit: 9 }))[0]!.card.asked!,
    /^Why does the push with .* fail again today\?$/,
  );
});

test("a verdict outlives the card, and a wrong note is never handed over again", async () => {
  const world = await laterWorld();
  await taken(world, SAID);
  const [card] = await world.project.sessionCards({ limit: 1 });
  const wrong = card!.notes.find(({ text }) => text === WALRUS)!;
  const verdict = { note: wrong.id, session: "s1", verdict: "wrong", memory: null, by: "person", at: 1 } as const;
  await world.project.apply([{ kind: "judge_note", note: wrong.id, verdict }], world.origin);
  await taken(world, [
    ...SAID,
    { prompt: "Thanks, that is all.", minute: 9 },
    { reply: "You are welcome.", minute: 9 },
  ]);
  const [again] = await world.project.sessionCards({ limit: 1 });
  assert.ok(again!.turns === 3 && again!.notes.some(({ id }) => id === wrong.id), "it is a note as before");
  const start = await startOf(world, "next");
  assert.ok(start!.includes("heron needs a pond") && !start!.includes("must never be moved"), start!);
});

test("cards of other rules are made again, whoever interrupted that", async () => {
  const world = await laterWorld();
  for (let number = 0; number < 5; number += 1) await taken(world, SAID.map((saying) => ({ ...saying, minute: number * 60 })), { session: `s${number}` }); // prettier-ignore
  const before = await world.project.sessionCards({ limit: 9 });
  for (const { card, turns } of before) {
    const kept = { card: { ...card, asked: "old" }, notes: [], errors: [], turns, rules: -1 };
    const ids = await world.project.evidenceOf(card.session);
    const evidence = ids.map((id) => `${id} 1`);
    await world.project.apply([{ kind: "keep_session", kept, evidence }], world.origin);
  }
  let left = 2;
  assert.equal(await keepStaleSessions(world, { isStopped: () => (left -= 1) < 0 }), true);
  assert.equal((await world.project.sessionCards({ limit: 9 })).filter(({ rules }) => rules === -1).length, 3);
  await digest(world);
  assert.deepEqual(await world.project.sessionCards({ limit: 9 }), before);
});

test("what a session was handed of a global memory goes when its secret is found, and when another project erases it", async () => {
  const world = await laterWorld();
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
  const handing = (id: string, text: string): Change => {
    const parts = { event: "start" as const, at: 1, tokens: 9, files: [], use: null };
    return {
      kind: "note_handover",
      handover: { id, session: "next", text, sources: ["of another project"], ...parts },
    };
  };
  const { project } = world;
  await project.apply(
    [handing("safe", "- 3 Jan: use tabs"), handing("secret", `- 3 Jan: use ${secret}`)],
    world.origin,
  );
  await sweepStore({ store: project, write: true, found: () => undefined }, world);
  assert.deepEqual((await project.handovers({ limit: 9 })).map(({ id }) => id), ["safe"]); // prettier-ignore
  const erasure = { ids: ["of another project"], queries: [] };
  assert.ok(mentions(join(world.folder, "project.db"), erasure, null));
});
