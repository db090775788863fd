/** A transcript leaves the same whether it is read at once, in any steps, or twice. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { extract } from "../../src/sessions/extract.ts";
import { inLane } from "../lane.ts";
import type { TestWorld } from "../test-world.ts";
import { laterWorld, leftBy, pathOf } from "./session-steps.ts";
import { claudeLines, codexLines, FIXED_LOGIN, type Saying } from "./transcript.ts";

const RUNS = inLane({ fast: 4, long: 40, soak: 200 });

const PICKED: Saying[] = [
  { prompt: "How shall the tide table be stored?" },
  { reply: "There are two ways. Which one do you want?\n1. one row for each harbour\n2. one file for each year" },
  { prompt: "1" },
  { reply: "Done: each harbour has one row now, because the years overlap and `berthsOf()` reads them all." },
];
const LONG: Saying[] = Array.from({ length: 12 }, (_, number): Saying[] => [
  { prompt: `yes, part ${number} please`, minute: number * 2 },
  { command: `cat harbour-${number}.txt`, result: `row ${number} `.repeat(4_000) },
  { command: "npm test", result: `src/a.ts:${number}:1 - error TS2304: Cannot find name 'berth'.`, isError: number % 2 === 0 },
  { reply: `Part ${number} is done because the harbour ${number} has a zone of its own now.` },
]).flat(); // prettier-ignore
const BROKEN_UP: Saying[] = [
  { reply: "A reply that nobody asked for, from before." },
  { prompt: "go on", minute: 5 },
  { compaction: "This session is continued. Pending: the gauge must be polled before its buffer is full." },
  { command: "make", result: "make: *** no rule", isError: true, minute: 50 },
  { prompt: "yes", minute: 51 },
  { prompt: "yes", minute: 52, branch: "topic" },
  { reply: "Both are done, héllo 世界 🚀.", minute: 53, branch: "topic" },
];
const TRANSCRIPTS: Record<string, readonly string[]> = {
  "a fix": claudeLines(FIXED_LOGIN),
  "a choice": claudeLines(PICKED),
  "a long one": claudeLines(LONG),
  "one with pauses and a summary": claudeLines(BROKEN_UP),
  "one with broken lines": claudeLines(FIXED_LOGIN).flatMap((line) => [line, "{broken", line.slice(0, 40)]),
  "a fix of Codex": codexLines(FIXED_LOGIN, "s1"),
  "a choice of Codex": codexLines(PICKED, "s1"),
  "a long one of Codex": codexLines(LONG, "s1"),
};

const endOf = (world: TestWorld) => extract({ path: pathOf(world, "s1"), isEnded: true }, world);

function write(world: TestWorld, bytes: Buffer): void {
  const path = pathOf(world, "s1");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

for (const [what, lines] of Object.entries(TRANSCRIPTS)) {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  test(`${what}: in any steps as at once, and twice as once`, async () => {
    const whole = await laterWorld();
    write(whole, bytes);
    assert.equal((await endOf(whole)).error, null);
    const expected = await leftBy(whole, "s1");
    assert.ok(expected.evidence.length > 0 && expected.cards.length === 1);
    const again = await endOf(whole);
    assert.deepEqual([again.evidence, await leftBy(whole, "s1")], [0, expected]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const world = await laterWorld();
        for (const cut of cuts.toSorted((one, two) => one - two)) {
          write(world, bytes.subarray(0, cut));
          await extract({ path: pathOf(world, "s1"), isEnded: false }, world);
        }
        write(world, bytes);
        assert.equal((await endOf(world)).error, null);
        assert.deepEqual(await leftBy(world, "s1"), expected);
      }),
      { numRuns: RUNS },
    );
  });
}

test("a session that is found again under another name brings nothing", async () => {
  const world = await laterWorld();
  write(world, Buffer.from(`${TRANSCRIPTS["a choice"]!.join("\n")}\n`));
  assert.equal((await endOf(world)).evidence, 2);
  const before = await leftBy(world, "s1");
  const copy = pathOf(world, "copy");
  writeFileSync(copy, `${TRANSCRIPTS["a choice"]!.join("\n")}\n`);
  const read = await extract({ path: copy, isEnded: true }, world);
  assert.deepEqual([read.error, read.evidence, read.proposals], [null, 0, []]);
  assert.deepEqual(await leftBy(world, "s1"), before);
});
