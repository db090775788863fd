import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CodePassage, codePassages, type Definition } from "../../../src/files/parse/code.ts";
import { runs } from "../../lane.ts";

function definition(name: string, fromLine: number, endLine: number, container: string | null = null): Definition {
  return { kind: "function", name, container, fromLine, startLine: fromLine, endLine, signature: name, doc: null };
}
const linesOf = (count: number, width = 20): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1} `.padEnd(width, "x")).join("\n");
const outline = (passages: CodePassage[]) =>
  passages.map(({ heading, startLine, endLine }) => `${startLine}-${endLine} ${heading}`);

test("small neighbours share a passage; their names stand over it", () => {
  const text = linesOf(12);
  const passages = codePassages(text, [definition("a", 3, 5), definition("b", 7, 12)]);
  assert.deepEqual(outline(passages), ["1-12 a, b"]);
  assert.equal(passages[0]?.text, text);
});

test("a definition that fills a passage has one of its own", () => {
  const text = linesOf(60, 40);
  const passages = codePassages(text, [definition("a", 11, 35), definition("b", 36, 60)]);
  assert.deepEqual(outline(passages), ["1-10 null", "11-35 a", "36-60 b"]);
});

test("a long class is cut at its members; its head and what lies between keep its name", () => {
  const members = [definition("a", 5, 30, "C"), definition("b", 33, 58, "C"), definition("c", 60, 61, "C")];
  const passages = codePassages(linesOf(64, 40), [definition("C", 1, 64), ...members]);
  assert.deepEqual(outline(passages), ["1-4 C", "5-30 C.a", "31-32 C", "33-58 C.b", "59-64 C, C.c"]);
});

test("a long function without members is cut at pauses, each under its name", () => {
  const passages = codePassages(linesOf(100, 40), [definition("a", 1, 100)]);
  assert.ok(passages.length > 3);
  assert.ok(passages.every(({ heading, text }) => heading === "a" && text.length <= 1_200));
});

test("what only closes something stays with what it closes", () => {
  const text = `${linesOf(50, 22)}\n  });\n}\n`;
  assert.deepEqual(outline(codePassages(text, [definition("a", 1, 50)])), ["1-52 a"]);
});

test("without definitions: windows of 150 lines, ten of them twice", () => {
  assert.deepEqual(outline(codePassages(linesOf(400), [])), ["1-150 null", "141-290 null", "281-400 null"]);
  assert.deepEqual(outline(codePassages(linesOf(150), [])), ["1-150 null"]);
  assert.deepEqual(codePassages("", []), []);
  assert.deepEqual(codePassages("\n \n", []), []);
});

test("long lines make small windows, and one endless line is cut", () => {
  const passages = codePassages(linesOf(300, 500), []);
  assert.ok(passages.every(({ text }) => text.length <= 8_000));
  assert.ok(codePassages("x".repeat(100_000), []).every(({ text }) => text.length <= 8_000));
});

test("whatever is defined where, no line is lost, and passages follow each other", () => {
  const span = fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 60 }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), fc.integer({ min: 1, max: 90 }), (spans, width) => {
      const text = linesOf(120, width);
      const definitions = spans.map(([from, size], index) => definition(`d${index}`, from, Math.min(120, from + size)));
      const passages = codePassages(text, definitions);
      const covered = new Set(
        passages.flatMap(({ startLine, endLine }) =>
          Array.from({ length: (endLine ?? 0) - (startLine ?? 0) + 1 }, (_, index) => (startLine ?? 0) + index),
        ),
      );
      assert.equal(covered.size, 120);
      assert.deepEqual(
        passages.map(({ ordinal }) => ordinal),
        passages.map((_, index) => index),
      );
      const whole = passages.map((passage) => passage.text).join("\n");
      for (const line of text.split("\n")) assert.ok(whole.includes(line.trim()));
    }),
    { numRuns: runs(60) },
  );
});
