/** Sessions: what each left and was handed, from both stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Change } from "../../src/journal/change.ts";
import remember from "../../src/memory/verbs/remember.ts";
import sessions from "../../src/sessions/verbs/sessions.ts";
import type { World } from "../../src/world.ts";
import { READER } from "../catalog/reader.ts";
import { apply } from "../store/suite/trial.ts";
import { testWorld } from "../test-world.ts";
import { laterWorld, taken } from "./session-steps.ts";

const told = async (world: World, input: object = {}) => (await dispatch(sessions, input, world)).answer;

const keep = async (world: World, content: string, set: object) =>
  (await dispatch(remember, { content, ...set }, world)).answer;

test("sessions of both stores are joined, with what they left and were handed", async () => {
  const world = await testWorld();
  const begun = world.clock.time;
  const one = await keep(world, "Deploys need the VPN", { session: "monday" });
  world.clock.time += 60_000;
  const two = await keep(world, "The user prefers tea", { session: "monday", scope: "global" });
  world.clock.time += 60_000;
  await keep(world, "Another day", { session: "tuesday" });
  // More than are shown, and told first.
  const others = Array.from({ length: 250 }, (_, index) => `a-report-${index}`);
  const reported = { kind: "note_injected", session: "tuesday", keys: others, at: world.clock.time } as const;
  await world.project.apply([reported], world.origin);
  const keys = [one.id, two.id, "a-report", "of-nothing"];
  const given = { kind: "note_injected", session: "tuesday", keys, at: world.clock.time + 5 } as const;
  await world.project.apply([given], world.origin);
  const { sessions: list, captured, injected } = await told(world);
  assert.deepEqual(
    list.map(({ session, memories, injected: handed }) => [session, memories, handed]),
    [["tuesday", 1, 2], ["monday", 2, 0]], // prettier-ignore
  );
  assert.deepEqual([list[1]?.startedAt, captured, injected], [new Date(begun).toISOString(), [], []]);
  const tuesday = await told(world, { session: "tuesday" });
  assert.deepEqual(tuesday.captured.map(({ summary }) => summary), ["Another day"]); // prettier-ignore
  assert.deepEqual(tuesday.injected.map(({ id }) => id).toSorted(), [one.id, two.id].toSorted()); // prettier-ignore
  assert.match(sessions.render(tuesday, READER), /Left:\n {2}\S+ {2}Another day\nGiven:\n/);
  await assert.rejects(told(world, { session: "nobody" }), { code: "not_found" });
  assert.equal((await told(world, { limit: 1 })).sessions.length, 1);
  assert.equal(sessions.render(await told(await testWorld()), READER), "No sessions are known here.");
});

test("a command or a single call of a server is no session, unless anything else is known of it", async () => {
  const world = await testWorld();
  const writing = async (host: string, ...contents: string[]) => {
    const session = world.ids.next();
    for (const content of contents) {
      await keep({ ...world, origin: { ...world.origin, host, session } }, content, {});
      world.clock.time += 60_000;
    }
    return session;
  };
  await writing("cli", "The ferry leaves at nine", "The mill is closed");
  await writing("mcp", "The harbour has two tugs");
  const working = await writing("mcp", "The lock is narrow", "The tide table is kept by year");
  const handed = await writing("cli", "Pilots come by boat");
  const given: Change = { kind: "note_injected", session: handed, keys: ["a-report"], at: world.clock.time };
  await world.project.apply([given], world.origin);
  const listed = async (limit: number) => (await told(world, { limit })).sessions.map(({ session }) => session);
  assert.deepEqual(await listed(20), [handed, working]);
  assert.deepEqual(await listed(2), [handed, working], "commands take no place of sessions");
});

test("cards that an interrupted run, an import or an upgrade left to be made are made before they are listed", async () => {
  const world = await laterWorld();
  await taken(world, [{ prompt: "Why are berths slow?" }, { reply: "They are not cached." }]);
  const [made] = await world.project.sessionCards({ limit: 1 });
  const [item] = await world.project.items("evidence", await world.project.evidenceOf("s1"));
  const kept = { card: made!.card, notes: [], errors: [], rules: made!.rules, turns: 0 };
  await apply(world.project, { kind: "keep_session", kept, evidence: [`${item!.id} ${item!.version}`] });
  assert.deepEqual(await world.project.sessionCards({ limit: 1 }), []);
  const readOnly = { ...world, project: { ...world.project, readOnly: true } };
  assert.equal((await told(readOnly)).sessions[0]?.title, null, "nothing is written where nothing may be");
  assert.equal((await told(world)).sessions[0]?.title, "Why are berths slow?");
});
