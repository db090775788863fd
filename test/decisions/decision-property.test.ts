/** Whatever is proposed, settled and taken back, the store tells what the model tells. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { decisionRounds } from "./decision-rounds.ts";

test("at every time at most one decision of a chain holds, and evidence never changes", async () => {
  const lives = inLane({ fast: 2, long: 40, soak: 1_000 });
  const tally = await decisionRounds(lives);
  assert.equal(tally.lives, lives);
  assert.ok(
    tally.ratified > 0 && tally.superseded > 0 && tally.refused > 0 && tally.takenBack > 0,
    JSON.stringify(tally),
  );
});
