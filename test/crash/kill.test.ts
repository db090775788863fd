/** A process may die at any moment: what it had acknowledged is there, and the files are sound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { killRounds } from "./kill-rounds.ts";

test("processes killed in the middle of their work lose nothing that they acknowledged", async () => {
  const acknowledged = await killRounds(inLane({ fast: 2, long: 25, soak: 400 }));
  assert.ok(acknowledged > 0, "some were acknowledged before the end came");
});
