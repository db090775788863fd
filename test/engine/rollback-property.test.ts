/** Whatever was done, taking all of it back leaves what was there before; `rollback-rounds.ts` plays longer lives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { rollbackRounds } from "./rollback-rounds.ts";

test("any calls taken back leave what was there, and taking that back brings them back", async () => {
  const { rounds, undone } = await rollbackRounds({ calls: 60, rounds: 3 });
  assert.equal(rounds, 3);
  assert.ok(undone > 0, "something was taken back at all");
});
