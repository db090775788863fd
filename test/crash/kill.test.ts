/** A process may die at any moment: what it had acknowledged is there, and the files are sound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { killRounds } from "./kill-rounds.ts";

test("three processes killed in the middle of their work lose nothing that they acknowledged", async (context) => {
  const { acknowledged } = await killRounds(3, (line) => context.diagnostic(line));
  assert.ok(acknowledged > 0, "some were acknowledged before the end came");
});
