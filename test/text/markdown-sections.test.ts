import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nested, plainText, readMarkdown, wholeBody } from "../../src/text/markdown.ts";

const outline = (text: string) =>
  readMarkdown(text).sections.map(({ level, heading, body }) => [level, heading, body] as const);

const texts: [string, string, (readonly [number, string, string])[]][] = [
  ["headings", "# One\nA\n\n## Two ##\nB", [[0, "", ""], [1, "One", "A"], [2, "Two", "B"]]], // prettier-ignore
  ["underlines", "One\n===\nA\n\nTwo\n---\nB", [[0, "", ""], [1, "One", "A"], [2, "Two", "B"]]], // prettier-ignore
  ["what stands before", "A\n# One", [[0, "", "A"], [1, "One", ""]]], // prettier-ignore
  ["Windows and old Mac lines", "# One\r\nA\r# Two\rB", [[0, "", ""], [1, "One", "A"], [1, "Two", "B"]]], // prettier-ignore
  ["code is no heading", "```\n# No\n```\n# One", [[0, "", "```\n# No\n```"], [1, "One", ""]]], // prettier-ignore
  ["a shorter fence does not close", "````\n```\n# No\n````", [[0, "", "````\n```\n# No\n````"]]],
  ["another fence does not close", "~~~\n```\n# No\n~~~", [[0, "", "~~~\n```\n# No\n~~~"]]],
  ["indented code is no heading", "    # No", [[0, "", "# No"]]],
  ["a tag is no heading", "#No", [[0, "", "#No"]]],
  ["seven marks are none", "####### No", [[0, "", "####### No"]]],
  ["a rule is no underline", "A\nB\n---\nC", [[0, "", "A\nB\n---\nC"]]],
  ["nor below a list", "- A\n---", [[0, "", "- A\n---"]]],
  ["nor below a numbered list", "1. A\n---", [[0, "", "1. A\n---"]]],
  ["a numbered title", "1. A\n===", [[0, "", ""], [1, "1. A", ""]]], // prettier-ignore
  ["nor below a table", "| A |\n---", [[0, "", "| A |\n---"]]],
  ["comments go", "<!-- # No -->\n# One <!-- two -->\nA", [[0, "", ""], [1, "One", "A"]]], // prettier-ignore
  ["an open comment stays", "# One\n<!-- A", [[0, "", ""], [1, "One", "<!-- A"]]], // prettier-ignore
  ["an empty heading", "#\nA", [[0, "", ""], [1, "", "A"]]], // prettier-ignore
  ["no heading is that long", `# ${"a".repeat(500)}`, [[0, "", `# ${"a".repeat(500)}`]]],
  ["nothing", "", [[0, "", ""]]],
];
for (const [name, text, sections] of texts) test(`sections: ${name}`, () => assert.deepEqual(outline(text), sections));

const fronts: [string, string, [string, string][]][] = [
  ["keys", '---\nStatus: "accepted"\nDate: 2024-03-09\n---\n# One', [["status", "accepted"], ["date", "2024-03-09"]]], // prettier-ignore
  ["lists", "---\nsupersedes:\n  - ADR-1\n  - 'ADR-2'\n---", [["supersedes", "ADR-1, ADR-2"]]],
  ["short lists", "---\nsuperseded_by: [3, 4]\n---", [["superseded-by", "3, 4"]]],
  ["a value with a colon", "---\ntitle: One: two\n---", [["title", "One: two"]]],
  ["never closed", "---\nstatus: accepted\n", []],
  ["not at the top", "\n---\nstatus: accepted\n---\n", []],
];
for (const [name, text, front] of fronts)
  test(`front matter: ${name}`, () => assert.deepEqual([...readMarkdown(text).front], front));

test("front matter is no section", () => assert.deepEqual(outline("---\na: b\n---\n# One"), outline("# One")));

test("a section has what is nested in it", () => {
  const { sections } = readMarkdown("# T\n## A\na\n### B\nb\n#### C\n\n### D\nd\n## E\ne");
  assert.deepEqual(
    nested(sections, 2).map(({ heading }) => heading),
    ["B", "C", "D"],
  );
  assert.equal(wholeBody(sections, 2), "a\n\nB\n\nb\n\nD\n\nd");
  assert.equal(wholeBody(sections, 6), "e");
});

const plain: [string, string][] = [
  ["**Use** [Redis](https://redis.io) _now_", "Use Redis now"],
  ["`snake_case` and 2 * 3", "snake_case and 2 3"],
  ["![image](a.png) [one][two]", "image one"],
  ["  two\n lines ", "two lines"],
];
for (const [markdown, text] of plain)
  test(`plain: ${JSON.stringify(markdown)}`, () => assert.equal(plainText(markdown), text));

test("no line is lost but comments and the marks of headings", () => {
  const line = fc.constantFrom("# A", "## B", "a", "- b", "```", "===", "", "    c", "> d");
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { sections } = readMarkdown(lines.join("\n"));
      const kept = sections.flatMap(({ heading, body }) => [heading, ...body.split("\n")]).join(" ");
      for (const letter of "ABabcd") {
        const count = (text: string) => text.split(letter).length;
        assert.equal(count(kept), count(lines.join(" ")), letter);
      }
    }),
  );
});
