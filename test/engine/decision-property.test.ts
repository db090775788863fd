/** Whatever is proposed, settled and taken back, the store tells what the model tells; `decision-rounds.ts` plays more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionRounds } from "./decision-rounds.ts";

test("at every time at most one decision of a chain holds, and evidence never changes", async () => {
  // Always the same few lives, because it must be sure that something happens in them.
  const tally = await decisionRounds(6, 5);
  assert.equal(tally.lives, 6);
  assert.ok(
    tally.ratified > 0 && tally.superseded > 0 && tally.refused > 0 && tally.takenBack > 0,
    JSON.stringify(tally),
  );
});
