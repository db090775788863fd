import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reasonNotToRun } from "../../scripts/documents/shell.ts";
import { type Step, plainWords, stepsIn, withOutputs } from "../../scripts/documents/steps.ts";
import { asInDocument, differenceOf, inThisRun } from "../../scripts/documents/same-output.ts";

const DOCUMENT = `# Title

<!-- file docs/a.md
# A
-->
<!-- first
$ stele remember "a"
-->

\`\`\`console
$ stele list
0a1b2c3d  a

$ stele log "one
two" --title b
Kept: 1a1b2c3d
\`\`\`

\`\`\`text
$ not run
\`\`\`

<!-- in-a-clone -->
<!-- typed y 2 -->

\`\`\`sh
npm start
stele serve # until Ctrl-C
\`\`\`

\`\`\`json
{ "llm": {} }
\`\`\`

<!-- afresh -->
<!-- database ~/a.db from test/a.sql -->

\`\`\`js
program();
\`\`\`

\`\`\`console
$ stele pause
\`\`\`
`;

const placed = ({ startLine, endLine, ...step }: Step) => ({ ...step, lines: endLine - startLine });

test("a document's commands, scripts, files and outputs are found in order", () => {
  const [isFirst, isInClone, none] = [false, true, [] as string[]];
  assert.deepEqual(stepsIn(DOCUMENT).map(placed), [
    { kind: "file", path: "docs/a.md", text: "# A\n", isFirst: true, lines: 2 },
    { kind: "command", command: 'stele remember "a"', expected: null, isFirst, lines: 0 },
    { kind: "command", command: "stele list", expected: "0a1b2c3d  a", isFirst, lines: 1 },
    { kind: "command", command: 'stele log "one\ntwo" --title b', expected: "Kept: 1a1b2c3d", isFirst, lines: 1 },
    {
      kind: "script",
      script: "npm start\nstele serve # until Ctrl-C",
      isInClone,
      typed: ["y", "2"],
      isFirst,
      lines: 2,
    },
    { kind: "settings", text: '{ "llm": {} }', isFirst, lines: 1 },
    { kind: "database", path: "~/a.db", source: "test/a.sql", isFirst: true, lines: 1 },
    { kind: "file", path: "program.mjs", text: "program();\n", isFirst, lines: 1 },
    { kind: "command", command: "stele pause", expected: "", isFirst, lines: 0 },
  ]);
  assert.deepEqual(stepsIn("```sh\nls\n```").map(placed), [
    { kind: "script", script: "ls", isInClone: false, typed: none, isFirst: true, lines: 1 },
  ]);
});

test("a block that nothing runs or checks is refused", () => {
  for (const [block, fault] of [
    ["```python\nprint()\n```", /Line 1: a block is one of console, sh, js, json, text, not "python"/],
    ["```\nls\n```", /not ""/],
    ["```sh\nls", /``` is missing/],
  ] as const)
    assert.throws(() => stepsIn(block), fault);
});

test("output is put where it stood, and nothing else changes", () => {
  const steps = stepsIn(DOCUMENT).filter((step) => step.kind === "command" && step.expected !== null);
  assert.equal(
    withOutputs(
      DOCUMENT,
      steps.map((step) => ({ step, output: (step as { expected: string }).expected })),
    ),
    DOCUMENT,
  );
  const written = withOutputs(DOCUMENT, [
    { step: steps[0]!, output: "x\ny" },
    { step: steps[2]!, output: "Paused." },
  ]);
  assert.ok(written.includes('$ stele list\nx\ny\n\n$ stele log "one\ntwo"'));
  assert.ok(written.endsWith("$ stele pause\nPaused.\n```\n"));
});

test("plain commands of ours are divided into words, and everything else is left to a shell", () => {
  assert.deepEqual(plainWords('stele recall "a | b" --limit 1'), ["recall", "a | b", "--limit", "1"]);
  for (const command of [
    ...["stele list | head", "stele list; rm", "stele get $X", 'stele get "$X"', "stele list > f", "stele list # all"],
    ...["git log", "stele extract ~/a.jsonl", "stele search-code 'a b'"],
  ])
    assert.equal(plainWords(command), null, command);
  assert.throws(() => stepsIn("```console\noutput without a command\n```"), /neither a command/);
});

const outputs: [expected: string, actual: string, difference: string | null][] = [
  ["Kept: 0a1b2c3d", "Kept: 9a1b2c3d", null],
  ["0a1b2c3d, 0a1b2c3d", "9a1b2c3d, 8a1b2c3d", "0a1b2c3d stands for something else"],
  ["0a1b2c3d, 1a1b2c3d", "9a1b2c3d, 9a1b2c3d", "1a1b2c3d stands for something else"],
  ["from 2026-11-16, 0.5 s", "from 2027-01-02, 12 s", null],
  ["17 Nov: a", "3 Dec: a", null],
  ["relevance 69 %", "relevance 64 %", null],
  ["relevance 69 %", "relevance 24 %", "69 % is now 24 %"],
  ["1 of 1", "2 of 2", "the words differ"],
  ["a\nb", "a", "the words differ"],
  ["a", "a\nb", "the words differ"],
  ["a\n…\nd", "a\nb\nc\nd", null],
  ["a\n…\nd", "a\nb\nc", "the words differ"],
  ["a\n…\nd", "x\nb\nd", "the words differ"],
];
for (const [expected, actual, difference] of outputs)
  test(`${JSON.stringify(expected)} printed as ${JSON.stringify(actual)}: ${difference ?? "the same"}`, () =>
    assert.equal(differenceOf(expected, actual, new Map()), difference));

test("a handle of the document stands for the one of this run, both ways", () => {
  const handles = new Map<string, string>();
  differenceOf("Kept: 0a1b2c3d", "Kept: 9a1b2c3d", handles);
  assert.equal(inThisRun("stele get 0a1b2c3d", handles), "stele get 9a1b2c3d");
  assert.equal(asInDocument("Kept: 9a1b2c3d, 8a1b2c3d", handles), "Kept: 0a1b2c3d, 8a1b2c3d");
});

test("the script that documents leave to `.ci/run` is run there", () => {
  const { reason } = reasonNotToRun("npm ci && npm test")!;
  const checks = readFileSync(new URL("../../.ci/run", import.meta.url), "utf8");
  assert.match(reason, /`\.ci\/run` runs both/);
  assert.match(checks, /^npm ci$/m);
  assert.match(checks, /^npm test$/m);
  assert.deepEqual([reasonNotToRun("npm start"), reasonNotToRun("stele serve --status")], [null, null]);
});
