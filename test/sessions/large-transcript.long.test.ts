/** A transcript of four megabytes is read whole, in steps, and leaves turns, a card and notes within their limits. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { NOTE_CHARACTERS, NOTES_MOST } from "../../src/sessions/card.ts";
import { extract } from "../../src/sessions/extract.ts";
import { PRINTED_CHARACTERS } from "../../src/sessions/turns.ts";
import { inLane } from "../lane.ts";
import { laterWorld, leftBy, pathOf, taken, turnsOf } from "./session-steps.ts";
import { claudeLines, codexLines, type Saying } from "./transcript.ts";

const BYTES = inLane({ fast: 400_000, long: 4_000_000, soak: 16_000_000 });
const TURN_BYTES = 20_000;
const TURNS = Math.ceil(BYTES / TURN_BYTES);

const SAID: Saying[] = Array.from({ length: TURNS }, (_, number): Saying[] => [
  { prompt: `Please convert harbour ${number} to its own zone.`, minute: number },
  { command: `convert --harbour ${number}`, result: `row ${number} of the table\n`.repeat(600), minute: number },
  { command: "npm test", result: `error: harbour ${number % 7} is gone\n${"noise ".repeat(800)}`, isError: number % 3 === 0, minute: number },
  { reply: `Harbour ${number} must be read in its own zone, because table ${number} of the whole coast overlaps with \`zone${number}.ts\` there.`, minute: number },
]).flat(); // prettier-ignore

for (const [host, linesOf] of Object.entries({ "Claude Code": claudeLines, Codex: codexLines }))
  test(`of ${host}`, async () => {
    const world = await laterWorld();
    const read = await taken(world, [], { lines: linesOf(SAID, "s1") });
    assert.ok(statSync(pathOf(world, "s1")).size > BYTES * 0.9);
    assert.deepEqual([read.evidence, read.skippedLines, read.isOpen], [TURNS, 0, false]);
    const turns = await turnsOf(world);
    assert.ok(turns.every((parts) => parts.length === 4));
    assert.ok(turns.flat().every(({ label, text }) => label !== "tool" || text.length <= PRINTED_CHARACTERS));
    const { cards, errors } = await leftBy(world, "s1");
    const [{ card, notes, turns: counted } = assert.fail("no card")] = cards;
    assert.deepEqual([counted, card.asked, errors.length], [TURNS, "Please convert harbour 0 to its own zone.", 1]);
    assert.ok(JSON.stringify(card).length < 6_000);
    assert.equal(notes.length, NOTES_MOST);
    assert.ok(notes.every(({ text }) => text.length <= NOTE_CHARACTERS));
    const before = await leftBy(world, "s1");
    assert.equal((await extract({ path: pathOf(world, "s1"), isEnded: true }, world)).evidence, 0);
    assert.deepEqual(await leftBy(world, "s1"), before);
  });
