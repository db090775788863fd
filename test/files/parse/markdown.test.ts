/** Markdown: sections, passages, references, front matter; no text lost whatever it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseMarkdown } from "../../../src/files/parse/markdown.ts";
import { anyCharacter } from "../../any-character.ts";
import { runs } from "../../lane.ts";

const passages = (text: string) =>
  parseMarkdown(text).passages.map(({ heading, startLine, endLine, text }) => [heading, startLine, endLine, text]);
const long = (name: string, characters: number) => `${name} ${"word ".repeat(characters / 5)}`.trim();

test("sections begin at headings of three levels, and keep their path", () => {
  const text = "before\n# A\none\n\n## B *b*\ntwo\n### C `c`\nthree\n#### D\nfour\n## E\nfive\n# F\nsix";
  assert.deepEqual(passages(text), [
    [null, 1, 1, "before"],
    ["A", 2, 3, "# A\none"],
    ["A > B b", 5, 6, "## B *b*\ntwo"],
    ["A > B b > C c", 7, 10, "### C `c`\nthree\n#### D\nfour"],
    ["A > E", 11, 12, "## E\nfive"],
    ["F", 13, 14, "# F\nsix"],
  ]);
});

test("a heading over nothing goes with the deeper one below it, not with its neighbour", () => {
  assert.deepEqual(passages("# A\n\n## B\n\ntext\n\n## C\n\n## D\ntext"), [
    ["A > B", 1, 5, "# A\n\n## B\n\ntext"],
    ["A > C", 7, 7, "## C"],
    ["A > D", 9, 10, "## D\ntext"],
  ]);
});

const outlines: [string, string, (string | null)[]][] = [
  ["underlined", "A\n===\none\n\nB\n---\ntwo", ["A", "A > B"]],
  ["no heading in code", "# A\n```\n# B\n```\n    # C", ["A"]],
  ["no heading in a comment", "# A\n<!--\n\n# B\n\n-->", ["A"]],
  ["no heading in a list or a quote", `# A\n- # B\n\n  ${long("x", 1_200)}\n\n> # C\n`, ["A", "A", "A"]],
  ["levels left out", "# A\n### B\none\n## C\ntwo", ["A > B", "A > C"]],
  ["an empty heading", "# A\none\n#\ntwo", ["A", null]],
  ["carriage returns", "# A\r\none\r\n\r\n## B\r\ntwo", ["A", "A > B"]],
  ["old Mac lines", "# A\rone\r## B\rtwo", ["A", "A > B"]],
  ["a byte order mark", "\uFEFF# A\none", ["A"]],
];
for (const [why, text, expected] of outlines)
  test(`outline: ${why}`, () => assert.deepEqual(parseMarkdown(text).passages.map(({ heading }) => heading), expected)); // prettier-ignore

test("blocks that fit share a passage; the next begins at a paragraph", () => {
  const [one, two, three] = [long("one", 400), long("two", 400), long("three", 400)];
  assert.deepEqual(passages(`# A\n${one}\n\n${two}\n\n${three}\n`), [
    ["A", 1, 4, `# A\n${one}\n\n${two}`],
    ["A", 6, 6, three],
  ]);
});

test("a paragraph that alone is too long is cut at its lines, and its heading goes with the first", () => {
  const line = long("line", 250);
  assert.deepEqual(passages(`# A\n\n${[line, line, line, line].join("\n")}`), [
    ["A", 1, 5, `# A\n\n${[line, line, line].join("\n")}`],
    ["A", 6, 6, line],
  ]);
});

test("a fence is cut only when it is too long by itself", () => {
  const fence = (lines: number) =>
    `\`\`\`\n${Array.from({ length: lines }, () => `  ${long("code", 90)}`).join("\n\n")}\n\`\`\``;
  const whole = fence(8);
  assert.deepEqual(passages(`${long("text", 400)}\n\n${whole}\n\nend`).map(([, , , text]) => text), [long("text", 400), `${whole}\n\nend`]); // prettier-ignore
  const cut = passages(`# A\n${fence(20)}`);
  assert.ok(cut.length > 2 && cut.every(([, , , text]) => String(text).length <= 900));
  assert.match(String(cut.at(2)?.at(3)), /^ {2}code/);
});

test("a list too long for a passage is cut between its items, and a fence in it stays whole", () => {
  const item = `- ${long("item", 200)}\n\n  \`\`\`\n  a\n\n  b\n  \`\`\``;
  const texts = passages(Array.from({ length: 8 }, () => item).join("\n")).map(([, , , text]) => String(text));
  assert.ok(texts.length > 1);
  for (const text of texts) assert.equal((text.match(/```/g) ?? []).length % 2, 0);
});

test("front matter is read, and is a passage of its own", () => {
  const text = '---\ntitle: "The title"\ntags: [one, "#two"]\ndescription: What it is\n---\n# Another\ntext';
  const parsed = parseMarkdown(text);
  assert.deepEqual([parsed.title, parsed.tags, parsed.summary], ["The title", ["one", "two"], "What it is"]);
  assert.deepEqual(parsed.passages.map(({ heading, startLine, endLine }) => [heading, startLine, endLine]), [[null, 1, 5], ["Another", 6, 7]]); // prettier-ignore
  assert.deepEqual(parseMarkdown("---\ntags:\n  - a\n  - b\nsummary: >\n  folded\n---\n").tags, ["a", "b"]);
  assert.equal(parseMarkdown("---\nsummary: >\n  folded\n---\n").summary, null);
});

test("lists without end are read from their beginning", () => {
  const spaces = " ".repeat(900_000);
  assert.deepEqual(parseMarkdown(`---\ntags: a, b,${spaces}x, c\n---\n`).tags, ["a", "b"]);
  assert.deepEqual(parseMarkdown(`---\ntags: a, b${spaces}x\n---\n`).tags, ["a"]);
  const long = `${"'".repeat(2_600)}x`;
  assert.deepEqual(parseMarkdown(`Refs: a, ${long}, b, ${long}, c\n`).references, ["Refs: a", "Refs: b"]);
});

const titles: [string, string | null][] = [
  ["text\n\n## Two\n\n# One\n# Other", "One"],
  ["## Two", null],
  ["---\ntitle:\n---\n# One", "One"],
  ["---\n\nA rule above and below\n\n---\n# One", "One"],
  ["# [A](b.md) **c** `d` &amp; e", "A c d & e"],
  ["", null],
];
for (const [text, title] of titles)
  test(`title of ${JSON.stringify(text)}`, () => assert.equal(parseMarkdown(text).title, title));

const references: [string, string, string[]][] = [
  ["links", "[a](./a.md#x) and [b](<b c.md> 'title')", ["./a.md#x", "b c.md"]],
  ["an image that is a link", "[![i](i.png)](c.md)", ["c.md"]],
  ["by reference", "See [the guide][g] and [g].\n\n[g]: docs/guide.md\n[x]: https://example.com", ["docs/guide.md"]],
  ["brackets and entities", "[a](a_(b).md) [c](x&amp;y.md)", ["a_(b).md", "x&y.md"]],
  ["anchors", 'Text <a href="h.md">h</a>\n\n<p><a href="i.md">i</a></p>', ["h.md", "i.md"]],
  ["not external", "[a](https://a.com/b.md) <https://c.com> [d](mailto:e@f.g) [h](#i)", []],
  ["not in code", "`[a](a.md)`\n\n```\n[b](b.md) [[c]] specs/d\n```\n\n    [e](e.md)", []],
  ["pages", "[[Page]] and ![[other#part|text]], not [[a\nb]]", ["[[Page]]", "[[other#part|text]]"]],
  ["specifications", "See specs/auth, `specs/users/spec.md` and x/specs/no, specs/.", ["specs/auth", "specs/users/spec.md"]],
  ["lines of references", "text\nRefs: auth, users.\n\n- **Refs:** sessions; [a](a.md)\n", ["Refs: auth", "Refs: users", "Refs: sessions", "Refs: a", "a.md"]],
  ["each once", "[a](a.md) [b](a.md)", ["a.md"]],
]; // prettier-ignore
for (const [why, text, expected] of references)
  test(`references: ${why}`, () => assert.deepEqual(parseMarkdown(text).references.toSorted(), expected.toSorted()));

test("what the parser should not be given is still found, and said", () => {
  const deep = parseMarkdown(`# A\n\n${"> ".repeat(3_000)}a\n`);
  assert.match(deep.fault ?? "", /too deeply/);
  assert.ok(deep.passages.length > 1);
  const lines = parseMarkdown("a\n".repeat(50_001));
  assert.match(lines.fault ?? "", /50000 lines/);
  assert.ok(lines.passages.length > 100);
  assert.equal(parseMarkdown("- a\n  - b\n".repeat(200)).fault, null);
});

const piece = fc.oneof(
  fc.constantFrom("\n", "\n\n", "# ", "## a\n", "###### ", "\n===\n", "\n---\n", "```\n", "~~~", "- ", "  ", "\n    ", "> "),
  fc.constantFrom("<!--", "-->", "<div>", "[a](b.md)", "[[", "]]", "[a]: b\n", "`", "|", "\r\n", "\t", "1. ", "😀", "---\na: b\n---\n"),
  fc.constantFrom("word ".repeat(60), "x".repeat(1_000), "line\n".repeat(100), "\n\npara\n".repeat(40), "- item\n".repeat(60)),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
); // prettier-ignore
const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
const linesOf = (text: string) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").split("\n"); // prettier-ignore
const trimmed = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join("\n");
const bare = (text: string) => text.replace(/\s+/g, "");

test("whatever the text: no line is lost, passages fit, stand where they say, and follow each other", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { passages } = parseMarkdown(text);
      const lines = linesOf(text);
      assert.equal(bare(passages.map((passage) => passage.text).join("")), bare(lines.join("")));
      let before = 1;
      for (const [index, { ordinal, startLine, endLine, text: said }] of passages.entries()) {
        assert.ok(ordinal === index && said.length <= 900 && said.trim() !== "");
        assert.ok(startLine !== null && endLine !== null && before <= startLine && startLine <= endLine);
        assert.ok(trimmed(lines.slice(startLine - 1, endLine)).includes(trimmed(said.split("\n"))));
        before = endLine;
      }
    }),
    { numRuns: runs(60) },
  );
});
