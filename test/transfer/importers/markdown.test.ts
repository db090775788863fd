/** Memories in instructions for agents: what is one memory, what it is called and of which type it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blocksOf, importsIn, readInstructions, withoutImports } from "../../../src/transfer/importers/markdown.ts";
import { source } from "./given-source.ts";
import { withoutMarks } from "./words.ts";

const read = (text: string, name = "CLAUDE.md") => readInstructions({ name, text });

test("a CLAUDE.md of a hundred lines becomes what a person would write down", () => {
  const memories = read(source("CLAUDE.md"));
  assert.deepEqual(
    memories.map(({ type, title, content }) => [type, title, content.split("\n")[0]]),
    [
      [
        "architecture",
        "Project overview",
        "Parcel is a web shop for refurbished tools. The backend is a single TypeScript service with a PostgreSQL",
      ],
      ["architecture", "Project overview › Tech stack", "- TypeScript 5.9"],
      ["architecture", "Project overview › Directory structure", "```"],
      ["architecture", "Project overview › Directory structure", "- `src/cart/` – everything before payment"],
      ["documentation", "Commands", "- `pnpm install` – install dependencies"],
      ["documentation", "Commands", "To run a single test file:"],
      ["convention", "Code style", "Code style: Use tabs for indentation."],
      ["convention", "Code style", "Prefer `type` over `interface`, unless declaration merging is needed."],
      ["convention", "Code style", "Never use `any`; use `unknown` and narrow it."],
      ["convention", "Code style", "Names of booleans start with `is`, `has` or `should`."],
      ["convention", "Code style", "Functions have at most three parameters. With more, pass an object:"],
      ["convention", "Code style", "Imports are sorted by the formatter, so do not sort them by hand."],
      ["convention", "Code style", "Error messages are full sentences and name the thing that failed."],
      ["convention", "Code style › SQL", "- Lower-case keywords"],
      ["convention", "Testing", "Every bug fix comes with a test that fails without it."],
      ["convention", "Testing", "Use the builders in `test/builders.ts` instead of literal objects."],
      ["convention", "Testing", "Do not mock the database; start a real one with `pnpm db:test`."],
      ["convention", "Testing", "Avoid snapshots. They are updated without being read."],
      [
        "convention",
        "Testing",
        "End-to-end tests run against the staging payment provider, which declines every card ending in 0002.",
      ],
      ["convention", "Workflow", "1. Create a branch from `main`, named after the ticket."],
      ["convention", "Workflow › Commits", "Subjects are imperative and at most 72 characters long"],
      ["convention", "Workflow › Commits", "Commits: One topic per commit"],
      ["convention", "Workflow › Commits", "Do not mention tools or assistants in commit messages"],
      [
        "gotcha",
        "Gotchas",
        "The tax service rounds per line, not per order, so totals computed by us may differ by a cent.",
      ],
      ["gotcha", "Gotchas", "`orders.state` is text, not an enum: old rows contain `shiped` with one p."],
      ["gotcha", "Gotchas", "The staging database is reset every night at 02:00 UTC."],
      ["gotcha", "Gotchas", "Dates in the carrier's API are local time without a zone."],
      ["gotcha", "Gotchas", "Careful: `pnpm db:reset` does not ask before it deletes everything."],
      [
        "convention",
        "Security",
        "Secrets come from the environment and are never committed. The file `.env.example` lists all of them.",
      ],
      [
        "decision",
        "Decisions",
        "We decided to keep sessions in PostgreSQL instead of Redis, because one store is easier to back up.",
      ],
      ["preference", "About me", "I prefer short answers without a summary at the end."],
      ["context", "About me", "I work on Linux and use fish as my shell."],
      ["progress", "Open ends", "- [ ] Move the label printing into a queue"],
    ],
  );
  const about = (word: string) => memories.find(({ content }) => content.includes(word))!;
  assert.match(about("at most three parameters").content, /pass an object:\n\n```ts\n[^]*createOrder[^]*```$/);
  assert.match(about("To run a single test").content, /file:\n\n```bash\npnpm test src\/cart\/totals\.test\.ts\n```$/);
  assert.match(about("Secrets come").content, /TAX_API_KEY/);
  assert.equal(about("test/builders.ts").background, "When writing tests:");
  assert.ok(memories.every(({ files, content }) => files.join() === "CLAUDE.md" && content.length <= 1_300));
  assert.ok(!memories.some(({ content }) => /provides guidance|badge|for humans/.test(content)));
});

const pieces: [what: string, text: string, expected: string[]][] = [
  [
    "a rule of its own, each",
    "- Never push to main directly.\n- Always rebase before merging.",
    ["Never push to main directly.", "Always rebase before merging."],
  ],
  ["names stay together", "- React\n- Vite\n- Postgres", ["- React\n- Vite\n- Postgres"]],
  [
    "commands stay together",
    "- `make` – builds everything there is to build\n- `make test` – runs all of the tests we have",
    ["- `make` – builds everything there is to build\n- `make test` – runs all of the tests we have"],
  ],
  [
    "steps stay together",
    "1. Write a test that fails first.\n2. Make the test pass.",
    ["1. Write a test that fails first.\n2. Make the test pass."],
  ],
  [
    "what is nested stays with its item",
    "- Name branches after the ticket:\n  - fix/123 for fixes\n  - feature/123 for the rest\n- Never reuse a branch that was merged.",
    [
      "Name branches after the ticket:\n- fix/123 for fixes\n- feature/123 for the rest",
      "Never reuse a branch that was merged.",
    ],
  ],
  [
    "a wrapped line belongs to its item",
    "- Never push to main\n  or to a release branch.",
    ["Never push to main\nor to a release branch."],
  ],
  [
    "a list in code is code",
    "Write lists like this one:\n\n```\n- one item\n# no heading\n```",
    ["Write lists like this one:\n\n```\n- one item\n# no heading\n```"],
  ],
  [
    "a short rule is told with its heading",
    "## Indentation\n\n- Use tabs.\n- Never align with spaces.",
    ["Indentation: Use tabs.", "Indentation: Never align with spaces."],
  ],
  [
    "fragments among rules stay together",
    "- Always write a test for the fix.\n- kebab-case\n- two spaces\n- Never commit generated files to git.\n- Never skip a failing test.",
    [
      "Always write a test for the fix.",
      "- kebab-case\n- two spaces",
      "Never commit generated files to git.",
      "Never skip a failing test.",
    ],
  ],
  [
    "a table of contents says nothing",
    "- [Style](#style)\n- [Tests](#tests)\n\nThe shop is written in Go.",
    ["The shop is written in Go."],
  ],
  ["an empty section, a rule and a badge say nothing", "## Later\n\n---\n\n![x](y.png)\n", []],
];
for (const [what, text, expected] of pieces)
  test(`pieces: ${what}`, () => {
    assert.deepEqual(
      read(text).map(({ content }) => content),
      expected,
    );
  });

test("long text is divided between paragraphs, under the same title", () => {
  const paragraph = (name: string) => `${name} ${"says a little more about the whole thing. ".repeat(12)}`.trim();
  const text = `## Design\n\n${["One", "Two", "Three"].map(paragraph).join("\n\n")}`;
  const memories = read(text);
  assert.deepEqual(
    memories.map(({ title, content }) => [title, content.split(" ")[0]]),
    [
      ["Design", "One"],
      ["Design", "Three"],
    ],
  );
  assert.equal(
    memories.map(({ content }) => content).join("\n\n"),
    ["One", "Two", "Three"].map(paragraph).join("\n\n"),
  );
});

const types: [text: string, type: string][] = [
  ["Never use `any` in new code.", "convention"],
  ["Use the builders in test/builders.ts.", "convention"],
  ["Tests should not depend on the clock.", "convention"],
  ["I prefer short answers.", "preference"],
  ["The user prefers tabs over spaces.", "preference"],
  ["We decided to use Postgres instead of Redis for sessions.", "decision"],
  ["Shall we have decided to use Postgres?", "fact"],
  ["The carrier's API silently drops umlauts.", "gotcha"],
  ["The shop sells refurbished tools.", "fact"],
  ["End-to-end tests run against staging.", "fact"],
];
for (const [text, type] of types)
  test(`type: ${text} is a ${type}`, () =>
    assert.deepEqual(
      read(text).map((memory) => memory.type),
      [type],
    ));

test("a rule of Cursor says what it applies to, and counts more if it always applies", () => {
  const rule = (front: string) => `---\n${front}\n---\n\n- Use server components unless state is needed.\n`;
  const [scoped] = read(
    rule('description: React components\nglobs: ["src/**/*.tsx", "app/**"]\nalwaysApply: false'),
    ".cursor/rules/react.mdc",
  );
  assert.equal(scoped!.background, 'React components\nApplies to "src/**/*.tsx", "app/**".');
  assert.deepEqual([scoped!.priority, scoped!.files], [undefined, [".cursor/rules/react.mdc"]]);
  const [always] = read(rule("alwaysApply: true"), ".cursor/rules/all.mdc");
  assert.deepEqual([always!.priority, always!.background], [7, null]);
});

test("a file that is one memory by its front matter stays one; an index of such files says nothing itself", () => {
  const text = (type: string) =>
    `---\nname: short-answers\ndescription: Short answers\n${type}\n---\n\nKeep answers short.\n\n**Why:** I read on a phone.\n`;
  for (const type of ["type: feedback", "metadata:\n  type: feedback"])
    assert.deepEqual(
      read(text(type), "memory/short-answers.md").map((memory) => [memory.type, memory.title, memory.content]),
      [["convention", "Short answers", "Keep answers short.\n\n**Why:** I read on a phone."]],
    );
  assert.deepEqual(
    read("# Memory\n\n- [Short answers](short-answers.md) — I read on a phone\n", "memory/MEMORY.md"),
    [],
  );
});

test("the same text has the same key, another heading another one", () => {
  const keys = (text: string) => read(text).map(({ key }) => key);
  const rule = "Never select all columns of a table at once.";
  assert.deepEqual(keys(`## A\n\n${rule}`), keys(`## A\n\n${rule}\n\n## B\n`));
  assert.notDeepEqual(keys(`## A\n\n${rule}`), keys(`## B\n\n${rule}`));
});

const includes: [text: string, paths: string[]][] = [
  ["@docs/style.md", ["docs/style.md"]],
  ["- Style: see @docs/style.md.", ["docs/style.md"]],
  ["See @./a.md and @../b.md and @~/.claude/c.md", ["./a.md", "../b.md", "~/.claude/c.md"]],
  ["Ask @alice or look at @scope/package", []],
  ["Write `@docs/style.md` to include it", []],
  ["```\n@docs/style.md\n```", []],
  ["mail@docs/style.md", []],
];
for (const [text, paths] of includes)
  test(`includes: ${JSON.stringify(text)}`, () => assert.deepEqual(importsIn(text), paths));

test("a line that only includes a file is no memory", () => {
  assert.equal(
    withoutImports("Before.\n@docs/style.md\n- @docs/tests.md\nSee @docs/more.md too.").replaceAll("\n", ""),
    "Before.See @docs/more.md too.",
  );
});

test("no word of a text is lost or made up between its blocks, whatever it is", () => {
  const line = fc.constantFrom(
    "- item",
    "  - nested",
    "1. step",
    "```",
    "text",
    "",
    "| a | b |",
    "> quoted",
    "    code",
    "## Heading",
    "~~~",
    "* star",
    "---",
    "wide text here",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const body = lines.filter((one) => !one.startsWith("#") && one !== "---").join("\n");
      assert.deepEqual(
        withoutMarks(
          blocksOf(body)
            .map(({ text }) => text)
            .join("\n"),
        ),
        withoutMarks(body),
      );
    }),
  );
});
