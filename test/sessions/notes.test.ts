import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Note, NOTE_CHARACTERS, NOTES_MOST } from "../../src/sessions/card.ts";
import { notesFor, notesOf } from "../../src/sessions/notes.ts";
import type { Part, PartLabel, SessionTurn } from "../../src/sessions/turns.ts";
import { anyCharacter } from "../any-character.ts";

const part = (label: PartLabel, text: string, more: Partial<Part> = {}): Part => ({ label, text, at: 1, ...more });
const agent = (text: string, more: Partial<Part> = {}) => part("agent", text, more);
const ran = (text: string, failed = false, path: string | null = null) =>
  part("tool", text, { call: { name: "Bash", command: null, path, edits: false, failed } });
const turn = (...parts: Part[]): SessionTurn => ({ at: 1, branch: null, parts });
const textsOf = (...turns: SessionTurn[]): string[] => notesOf("one", turns).map(({ text }) => text);

const TIDE =
  "The tide table was read in local time, so every harbour east of Greenwich showed high water one day too early.";
const GAUGE =
  "The gauge must be polled before its buffer is full, because it drops the oldest readings without any warning.";
const QUAY = "Quay walls are stored once per harbour now, and `berthsOf()` joins them instead of copying every row.";

const cases: [parts: Part[], notes: string[], why: string][] = [
  [[part("own", "go"), agent(TIDE)], [TIDE], "what the agent says"],
  [[part("own", TIDE), part("pasted", GAUGE), ran(QUAY)], [], "nobody else's words"],
  [[agent(TIDE, { written: "title" })], [], "no title of the agent's program"],
  [[agent(TIDE, { written: "compaction" })], [TIDE], "its program's summary"],
  [[agent("Done, and everything passes.")], [], "nothing too short to be understood later"],
  [[agent(`${TIDE} Let me look at the other harbours as well.`)], [TIDE], "not what the agent does next"],
  [[agent(`${TIDE} Shall the old rows be converted as well?`)], [TIDE], "no questions, which the card tells"],
  [[agent(`${TIDE}\n\n\`\`\`\n${GAUGE}\n\`\`\``)], [TIDE], "no code"],
  [[agent(`${TIDE}\n\n> ${GAUGE}\n\n- "${QUAY}"`)], [TIDE], "no quotations"],
  [[agent(`${TIDE} It looks so:\n\`\`\`\nx\n\`\`\`\n${GAUGE}`)], [`${TIDE} ${GAUGE}`], "no sentence that announces code"],
  [[agent(`## Cause\n\n${TIDE}`)], [`Cause: ${TIDE}`], "the heading as its subject"],
  [[agent(`**Cause:**\n\n- **Time**: ${TIDE}`)], [`Cause: Time: ${TIDE}`], "without marks of emphasis"],
  [
    [agent("| File | Change |\n| --- | --- |\n| `quay.ts` | joins the walls instead of copying them, and only once per harbour |\n| `tide.ts` | reads the table in the zone of its harbour |")],
    ["`quay.ts` — joins the walls instead of copying them, and only once per harbour; `tide.ts` — reads the table in the zone of its harbour"],
    "the rows of a table, without their columns' names",
  ],
  [
    [agent("Three things have changed:\n- harbours know their zone\n- the table is read in that zone, never in ours\n- old rows are converted when they are read")],
    ["Three things have changed: harbours know their zone; the table is read in that zone, never in ours; old rows are converted when they are read"],
    "a list with what announces it",
  ],
]; // prettier-ignore
for (const [parts, notes, why] of cases)
  test(`notes: ${why}`, () => assert.deepEqual(textsOf(turn(part("own", "go on"), ...parts)), notes));

test("a note says when it was written, and which file is meant where one name fits one file only", () => {
  const calls = ["src/tide.ts", "src/quay/index.ts", "src/gauge/index.ts"].map((path) => ran("ok", false, path));
  const text = `${TIDE} It stood in \`tide.ts\`, and is tested by index.ts and docs/tides.md, see example.org/tide.`;
  const [note] = notesOf("one", [turn(...calls, agent(text, { at: 7 }))]);
  assert.deepEqual([note?.at, note?.files], [7, ["src/tide.ts", "docs/tides.md"]]);
});

const PIER = QUAY.replaceAll("Quay", "Pier");
const STALE = "The root cause is that `quayOf()` must not be called twice, because it returns stale rows.";
const LONGER = TIDE.replace("harbour", "harbour of the whole coast");
const orders: [turns: SessionTurn[], first: string, why: string][] = [
  [[turn(agent(PIER), ran("ok"), agent(QUAY), ran("ok"))], QUAY, "the later of two like ones"],
  [[turn(agent(PIER)), turn(part("own", "go"), agent(QUAY), ran("ok"))], PIER, "the last message of a turn"],
  [[turn(ran("no", true), agent(PIER), ran("ok"), agent(QUAY), ran("ok"))], PIER, "a message after a failure"],
  [[turn(agent(GAUGE), ran("ok"), agent(TIDE), ran("ok"))], GAUGE, "a reason and a rule"],
  [[turn(agent(STALE), ran("ok"), agent(LONGER), ran("ok"))], LONGER, "a longer one"],
];
for (const [turns, first, why] of orders)
  test(`notes begin with ${why}`, () => assert.equal(textsOf(...turns)[0], first));

test("what says nearly the same as an earlier note comes after what says something else", () => {
  const texts = [TIDE, GAUGE.replace("readings", "samples"), QUAY, GAUGE];
  assert.deepEqual(textsOf(...texts.map((text) => turn(agent(text)))).slice(0, 2), [GAUGE, QUAY]);
});

test("a remark is told once, however often and in whatever marks it was made", () => {
  const turns = [TIDE, `- **${TIDE}**`, `## Summary\n\n${TIDE}`, `${GAUGE} ${TIDE}`].map((text) => turn(agent(text)));
  assert.equal(textsOf(...turns).join("\n").split("one day too early").length, 2); // prettier-ignore
});

test("a sentence that is quoted is left out, and its neighbours stay", () => {
  const notes = notesOf("one", [turn(agent(`${TIDE} ${GAUGE}`))], { isQuoted: (sentence) => sentence === TIDE });
  assert.deepEqual(notes.map(({ text }) => text), [GAUGE]); // prettier-ignore
});

const sentence = fc
  .array(
    fc.constantFrom("buoy", "mast", "keel", "`rudderOf()`", "must", "because", "never", "sail.ts", "only", "wind"),
    {
      minLength: 3,
      maxLength: 30,
    },
  )
  .chain((words) => fc.nat(10_000).map((number) => `Number ${number} of ${words.join(" ")}.`));
const line = fc.oneof(
  sentence,
  sentence.map((text) => `- ${text}`),
  sentence.map((text) => `# ${text.slice(0, 60)}`),
  sentence.map((text) => `**${text.slice(0, 40)}**`),
  fc.constantFrom("", "", "```", "Now let me see.", "These are left:", "| a | b |", "|---|---|", `${TIDE} \ud83d`),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const message = fc.array(fc.oneof(line, fc.array(sentence, { maxLength: 9 }).map((all) => all.join(" "))), { maxLength: 12 }).map((lines) => lines.join("\n")); // prettier-ignore
const anyPart: fc.Arbitrary<Part> = fc.record({
  label: fc.constantFrom<PartLabel[]>("agent", "agent", "agent", "own", "pasted", "tool"),
  text: message,
  at: fc.option(fc.nat()),
});

test("at most twelve notes of at most 400 characters, each in one line and by an id of its own", () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 20 }), (parts) => {
      const notes = notesOf("one", [turn(...parts)]);
      assert.ok(notes.length <= NOTES_MOST);
      assert.ok(
        notes.every(({ text }) => text.length <= NOTE_CHARACTERS && !text.includes("\n") && text.isWellFormed()),
      );
      assert.equal(new Set(notes.map(({ id }) => id)).size, notes.length);
    }),
  );
});

test("the same parts give the same notes, however they are divided into turns", () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 12 }), fc.array(fc.nat(12)), (parts, cuts) => {
      const ends = [...cuts.sort((one, two) => one - two), parts.length];
      const turns = ends.map((end, index) => turn(...parts.slice(ends[index - 1] ?? 0, end)));
      assert.deepEqual(notesOf("one", turns), notesOf("one", [turn(...parts)]));
    }),
  );
});

test("no sentence of the person, of what was pasted or of a tool, even where the agent repeats it", () => {
  const theirs = fc
    .nat(10_000)
    .map((number) => `Harbour ${number} must never be dredged in winter because of the seals`);
  const label = fc.constantFrom<PartLabel[]>("own", "pasted", "tool");
  const set = fc.constantFrom((text: string) => `${text}.`, (text: string) => `- **${text}**`, (text: string) => `## ${text}`); // prettier-ignore
  fc.assert(
    fc.property(fc.array(theirs, { minLength: 1, maxLength: 4 }), label, set, message, (said, label, set, around) => {
      const repeated = said.map((text) => `${around}\n\n${set(text)}\n\n${TIDE}`).join("\n\n");
      for (const text of textsOf(turn(part(label, `${said.join(". ")}.`)), turn(agent(repeated))))
        assert.doesNotMatch(text, /dredged/);
    }),
  );
});

test("as much text as there may be is read from both ends", () => {
  const [first, ...rest] = textsOf(turn(agent(`${TIDE}\n${"[a](*`| ".repeat(60_000)}\n\n${GAUGE}`)));
  assert.ok([first, ...rest].some((text) => text?.includes(TIDE)));
  assert.ok([first, ...rest].some((text) => text?.includes(GAUGE)));
});

test("what is joined over a heading keeps it: under the next one it may mean the opposite", () => {
  const message =
    "**Rejected:**\n- DynamoDB, because it cannot join the invoices with their customers at all\n" +
    "- MongoDB, because nobody on the team has run it for longer than a week\n\n**Chosen:**\n" +
    "- Postgres for the invoices, because it is there already and everybody on the team can query it and restore it";
  const found = textsOf(turn(agent(message)));
  assert.ok(found.some((text) => text.includes("Postgres")));
  for (const text of found) assert.ok(!text.includes("Postgres") || text.includes("Chosen: Postgres"), text);
});

const note = (text: string, at: number): Note => ({ id: text, text, at, files: [] });
const notes = [
  note("the anchor chain rusts", 1),
  note("the anchor is let go twice in a storm", 2),
  note("a storm tears the sail", 3),
  note("the hull is painted", 4),
];

const prompts: [prompt: string, found: number[], why: string][] = [
  ["why does the chain rust?", [0, 3, 2, 1], "that share words with it, in any form"],
  ["the anchor in a storm", [1, 2, 0, 3], "more shared words first, of equals the latest"],
  ["rust and storms", [0, 2, 1, 3], "a rare word counts more"],
  ["what is in the galley?", [3, 2, 1, 0], "the latest first, if none shares a word"],
];
for (const [prompt, found, why] of prompts)
  test(`notes for a prompt: ${why}`, () => assert.deepEqual(notesFor(notes, prompt).map((one) => notes.indexOf(one)), found)); // prettier-ignore
