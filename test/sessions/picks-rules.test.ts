/** Which option an answer picks, and which prompts are worth a word to the agent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nudgeFor, pickIn } from "../../src/sessions/picks.ts";

const OFFER =
  "What shall I do with the old tide tables?\n1. Keep the files\n2. Delete the files\n3. Move them to the cellar";

const picks: [answer: string, picked: string | null][] = [
  ["2", "Delete the files"],
  ["option 3 please", "Move them to the cellar"],
  ["1, no new folder please", "Keep the files"],
  ["the last one", "Move them to the cellar"],
  ["second", "Delete the files"],
  ["Move them to the cellar", "Move them to the cellar"],
  ["the last time I did this the first attempt broke the disk", null],
  ["not 2", null],
  ["none of them", null],
  ["what does 2 mean?", null],
  ["both 1 and 3", null],
  ["thanks", null],
];
for (const [answer, picked] of picks)
  test(`"${answer}" picks ${picked ?? "nothing"}`, () => assert.equal(pickIn(OFFER, answer)?.picked ?? null, picked));

const nudges: [prompt: string, kind: string | null][] = [
  ["no, never cache the tide table of a harbour", "correction"],
  ["Wrong: the ferry has two decks and one ramp", "correction"],
  ["no problem, thanks for the quick and thorough repair", null],
  ["actually can you also show me the diff please?", null],
  ["wrong number of arguments in the call of the ferry", null],
  ["no, why would the harbour need two tugs?", null],
];
for (const [prompt, kind] of nudges)
  test(`"${prompt}" is worth ${kind ?? "nothing"}`, () => assert.equal(nudgeFor("I cached the table.", prompt), kind));
