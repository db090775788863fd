/** Evidence as text: nothing is printed twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import evidence from "../../src/decisions/verbs/evidence.ts";
import { READER } from "../catalog/reader.ts";
import { testWorld } from "../test-world.ts";

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
