/** Encryption and death: a killed command leaves one whole memory, and an encrypted one survives like any other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { killChanges } from "./encryption-rounds.ts";
import { killRounds } from "./kill-rounds.ts";

test("commands killed while they encrypt, decrypt or change the key leave one whole memory", async () => {
  const { acknowledged, before, after, done } = await killChanges(inLane({ fast: 3, long: 12, soak: 150 }));
  assert.ok(acknowledged > 1 && before + after + done > 0);
});

test("processes killed while they write to an encrypted memory lose nothing that they acknowledged", async () => {
  assert.ok((await killRounds(inLane({ fast: 2, long: 12, soak: 100 }), { encrypted: true })) > 0);
});
