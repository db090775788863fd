import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { labelled, type LabelledText, typedParts } from "../../src/sessions/origins.ts";

const own = (text: string): LabelledText => ({ label: "own", text });
const pasted = (text: string): LabelledText => ({ label: "pasted", text });

const FORMAL =
  "The retry loop in the uploader ignores the deadline of its context. When the server is slow, every worker keeps its " +
  "connection until the kernel closes it. Consider passing the deadline to the client, and returning the error of the " +
  "context instead of the last response. A test with a server that never answers would have caught this.\n";

const cases: [string, LabelledText[]][] = [
  ["what a person types", [own("please rename the parser to reader, and keep the old name for a while")]],
  ["several lines", [own("I want:\n- a cache\n- no second request\n- a test\n")]],
  ["nothing", []],
  ["what a lead-in takes from elsewhere", [own("Contents of notes.md:\n\n"), pasted("Tabs are always right.")]],
  [
    "the same on the next line, and a word below",
    [own("From the wiki:\n"), pasted("Deploy on Friday.\n\n"), own("is that so?")],
  ],
  ["a lead-in to the person's own list", [own("please do this:\n- rename the cart\n- add a test")]],
  [
    "a fenced block between words",
    [own("why this?\n"), pasted("```\nlet a = 1\n```\n"), own("it should be 2, shouldn't it")],
  ],
  [
    "a document in tags",
    [own("Sum this up\n"), pasted("<document>\nlong\n\ntext of others\n</document>"), own(" in one line")],
  ],
  ["a tag in a sentence", [own("make the <b>title</b> of the page smaller")]],
  ["a tag that never ends", [own("why is <div> shown as text?")]],
  ["a quotation", [pasted("> it was always so\n"), own("who said that?")]],
  [
    "a log with a question below",
    [
      pasted("2026-03-01T10:00:00Z INFO start\n2026-03-01T10:00:01Z ERROR no disk\nProcess is ending.\n\n"),
      own("can you tell what that means?"),
    ],
  ],
  [
    "a compiler's lines with words above",
    [own("I get these: \n\n"), pasted("src/a.ts:3:7: error TS2304: Cannot find name 'b'.\nsrc/a.ts:9:1: unused\n")],
  ],
  [
    "a stack",
    [own("it crashes\n"), pasted("TypeError: x is undefined\n    at run (/a/b.js:3:1)\n    at main (/a/c.js:9:2)\n")],
  ],
  ["a table", [own("sort it by name\n"), pasted("| name | age |\n|---|---|\n| b | 3 |\n")]],
  ["a change", [own("undo this please\n"), pasted("@@ -1,2 +1,2 @@\n-  a = 1\n+  a = 2\n")]],
  [
    "a change without its head",
    [own("what's this: \n"), pasted("-  a = 1\n+  a = 2\n+  b = 3\n\n"), own("Is it needed?")],
  ],
  ["data", [own("add a field to it\n"), pasted('{\n  "name": "x",\n  "size": 3\n}\n')]],
  [
    "a shell",
    [own("I did this\n"), pasted("$ npm install\nadded 3 packages\nup to date\n\n"), own("but it's not there?")],
  ],
  ["a mark of the program", [own("fix "), pasted("[Pasted text #1 +23 lines]"), own(" please")]],
  ["a review after a colon", [own("can you check this:\n\n"), pasted(FORMAL)]],
  ["a review on the line of its lead", [own("is that right: "), pasted(FORMAL)]],
  [
    "a long text after a colon, whoever it speaks to",
    [own("my colleague says:\n\n"), pasted("I think we should keep it as it is. ".repeat(20))],
  ],
  [
    "a review that quotes somebody",
    [pasted(`${FORMAL}The comment should say "we pass the deadline on" in the end.\n`)],
  ],
  ["a review with an answer below", [pasted(`${FORMAL}\n`), own("I think it's wrong, we never set a deadline")]],
  [
    "a plan with headings",
    [
      own("do this plan:\n\n"),
      pasted(
        "# Plan\n\n## Context\n\nYou may find that we have two caches.\n\n## Steps\n\n1. Remove one.\n2. Test the other.\n",
      ),
    ],
  ],
  [
    "prose that a program broke into lines",
    [
      own("what do you think about\n\n"),
      pasted(
        "The scheduler wakes every worker at the same moment, so that all of\nthem ask for the lock and only one gets it, while the others go back\n" +
          "to sleep and are woken again by the next tick of the same clock.\n\nA queue would wake one of them, and the lock would hardly be contended\n" +
          "by anybody, which makes the clock needless for all but the very first\nworker of the process.\n",
      ),
    ],
  ],
];
for (const [name, parts] of cases)
  test(name, () => assert.deepEqual(labelled(parts.map(({ text }) => text).join("")), parts));

const piece = fc.constantFrom(
  ...["\n", "\n\n", " ", "a", "You said it. ", "```\n", "> ", "<a>", "</a>", "<a>\n", "| a |\n", "$ ls\n", "# Head\n"],
  ...[
    "[Pasted text #1 +2 lines]",
    "[",
    "- item\n",
    "+ a\n",
    "- b\n",
    "at x (\n",
    "a.ts:1:2: no\n",
    FORMAL,
    "what? ",
    ": ",
    "   ",
  ],
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
);

test("nothing of a text is lost, and neighbours differ", () =>
  fc.assert(
    fc.property(text, (whole) => {
      const parts = labelled(whole);
      assert.equal(parts.map((part) => part.text).join(""), whole);
      for (const [index, part] of parts.entries()) assert.notEqual(part.label, parts[index - 1]?.label);
    }),
  ));

test("a program's note of what was typed decides, and nothing is lost either", () => {
  const log = "one\ntwo\nthree";
  assert.deepEqual(typedParts(`look at ${log} and fix it`, "look at [Pasted text #1 +2 lines] and fix it"), [
    own("look at"),
    pasted(` ${log} `),
    own("and fix it"),
  ]);
  assert.deepEqual(typedParts(`${log}\n`, "[Pasted text #1 +2 lines]"), [pasted(`${log}\n`)]);
  assert.deepEqual(typedParts("as it is", "as it is"), [own("as it is")]);
});

test("a note of another prompt, or none, leaves it to the layout", () => {
  const whole = "why?\n\n> because\n";
  for (const typed of [null, "something else"]) assert.deepEqual(typedParts(whole, typed), labelled(whole));
});

test("typed parts hold everything too", () =>
  fc.assert(
    fc.property(text, fc.oneof(text, fc.constant(null)), (whole, typed) => {
      assert.equal(typedParts(whole, typed).map((part) => part.text).join(""), whole); // prettier-ignore
    }),
  ));
