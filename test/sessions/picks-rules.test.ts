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
  ["Ok, let's go with the second option.", "Delete the files"],
  ["3 please", "Move them to the cellar"],
  ["2 :)", "Delete the files"],
  ["1. 5 days are enough", "Keep the files"],
  ["1 and 2", null],
  ["1, 3", null],
  ["2/3", null],
  ["do 1 then 3", null],
  ["1: yes, 2: later", null],
  ["the first one, then the last one", null],
  ["use 3 workers for that", null],
  ["go for 3 days", null],
  ["2 of these look wrong to me", null],
  ["option 2 looks wrong to me", null],
  ["try 1.5 instead", null],
  ["use 2%", null],
  ["-1", null],
  ["3-day tables are enough", null],
  ["the last one failed yesterday", null],
  ["I ran the last one.", null],
];
for (const [answer, picked] of picks)
  test(`"${answer}" picks ${picked ?? "nothing"}`, () => assert.equal(pickIn(OFFER, answer)?.picked ?? null, picked));

const LETTERED = "Where shall the old tide tables go?\nA) to the cellar\nB) to the museum\nC) to the mill";
const lettered: [answer: string, picked: string | null][] = [
  ["I'd go with A.", "to the cellar"],
  ["b, a bit slower than that", "to the museum"],
  ["a day of thought first", null],
  ["b and a", null],
  ["c is broken", null],
];
for (const [answer, picked] of lettered)
  test(`"${answer}" picks ${picked ?? "nothing"}`, () =>
    assert.equal(pickIn(LETTERED, answer)?.picked ?? null, picked));

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
