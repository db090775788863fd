/** Whatever was done, taking all of it back leaves what was there before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { rollbackRounds } from "./rollback-rounds.ts";

test("any calls taken back leave what was there, and taking that back brings them back", async () => {
  const rounds = inLane({ fast: 1, long: 8, soak: 150 });
  const tally = await rollbackRounds({ calls: inLane({ fast: 60, long: 200, soak: 200 }), rounds });
  assert.equal(tally.rounds, rounds);
  assert.ok(tally.undone > 0, "something was taken back at all");
});
