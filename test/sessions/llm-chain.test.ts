/** From a session to its end: a configured language model's memories are linked, shown, and fade. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSurface } from "../../src/briefing/build-surface.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import { CAUSE, OPEN, sayingModel } from "./saying-model.ts";
import { DAY_MS, itemsOn, laterWorld, taken } from "./session-steps.ts";

const ALSO = { ...CAUSE, type: "gotcha", content: "The login fails at midnight UTC, because `createSession()` reads the system clock." }; // prettier-ignore
/** Three steps of reading, at least. */
const LONG = "The ferry left the harbour before the tide turned. ".repeat(400);

test("steps of 100 KB become typed memories, edges, lines of the surface, and are archived once they faded", async () => {
  const world = { ...(await laterWorld()), llm: sayingModel(CAUSE, OPEN, ALSO) };
  const sayings = Array.from({ length: 16 }, (_, index) => [
    { prompt: `Look at createSession and refreshToken, part ${index}` },
    { command: `cat part-${index}`, result: LONG },
    {
      reply: `Part ${index}: createSession() in src/session.ts and refreshToken() in src/token.ts read the system clock.`,
    },
  ]).flat();
  const read = await taken(world, sayings);
  assert.equal(read.memories.length, 3);
  assert.equal(world.llm.asked.length, 1, "asked once, at the end of the work");
  assert.ok(!world.llm.asked[0]!.includes("The ferry left"), "what tools printed is not sent");
  const memories = await itemsOn(world, "memory");
  assert.deepEqual(memories.map(({ type }) => type).toSorted(), ["bug_fix", "gotcha", "progress"]);
  assert.ok(memories.every(({ source, session }) => source === "extraction" && session === "s1"));

  await maintain(world);
  const ids = memories.map(({ id }) => id);
  const edges = await world.project.edgesOf("memory", ids, { limit: 10 });
  assert.ok(edges.some(({ source, target }) => ids.includes(source) && ids.includes(target)));

  const shown = await buildSurface("main", world);
  assert.match(shown.text, /captured: .*refreshToken/);
  assert.match(shown.text, /captured: .*midnight UTC/);

  world.clock.time += 60 * DAY_MS;
  await maintain(world);
  const left = (await itemsOn(world, "memory")).map(({ type, status }) => `${type} ${status}`).toSorted();
  assert.deepEqual(left, ["bug_fix active", "gotcha active", "progress archived"]);
  assert.ok(
    !(await buildSurface("main", world)).text.includes("captured: `refreshToken"),
    "an archived one is not told",
  );
});
