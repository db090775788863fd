/** Resuming: what is said where hooks record nothing anyway. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import pause from "../../src/sessions/verbs/pause.ts";
import resume from "../../src/sessions/verbs/resume.ts";
import { createReaderMark } from "../../src/team/records.ts";
import { temporaryFolder, testWorld } from "../test-world.ts";

test("a reader is told why hooks record nothing although it was resumed", async () => {
  const spool = join(temporaryFolder(), "spool", "0".repeat(32));
  const world = { ...(await testWorld()), spool: createSpool(() => spool) };
  const resumed = async () => resume.render((await dispatch(resume, {}, world)).answer);
  await dispatch(pause, {}, world);
  assert.equal(await resumed(), "Resumed: hooks record again in this project.");
  createReaderMark(spool).note(true, 1);
  await dispatch(pause, {}, world);
  const why = "You may only read what the team shares, so hooks still record nothing in this project.";
  assert.equal(await resumed(), `Resumed.\n${why}`);
  assert.equal(await resumed(), `It was not paused.\n${why}`);
});
