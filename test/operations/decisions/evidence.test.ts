/** Evidence as text: nothing is printed twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepEvidence } from "../../../src/engine/decisions/keep-evidence.ts";
import { dispatch } from "../../../src/hosts/dispatch.ts";
import evidence from "../../../src/operations/decisions/evidence.ts";
import { testWorld } from "../../engine/test-world.ts";
import { READER } from "../reader.ts";

const cases: [why: string, title: string, linesBeforeText: number][] = [
  ["a title of its own is shown", "Bedtime", 4],
  ["one that the text is or begins with is not", "The walrus sleeps", 3],
];
for (const [why, title, linesBeforeText] of cases)
  test(why, async () => {
    const world = await testWorld();
    const { id } = await keepEvidence({ turns: [{ text: "The walrus sleeps" }], title }, world);
    const lines = evidence.render((await dispatch(evidence, { id }, world)).answer, READER).split("\n");
    assert.equal(lines.indexOf("The walrus sleeps"), linesBeforeText);
  });
