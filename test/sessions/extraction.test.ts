import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CAPTURED_TYPES, capturedIn, extractionQuestion, jsonObjects } from "../../src/sessions/llm-extract.ts";

const TURNS = ["The cache in src/cache.ts is never emptied, because evictOldest() compares strings."];
const ONE = {
  type: "bug_fix",
  content: "The cache is never emptied, because evictOldest() compares strings.",
  subject: "",
  files: ["src/cache.ts", "src/invented.ts"],
  symbols: ["evictOldest"],
  confidence: 0.7,
  priority: 7,
};
const told = (...memories: object[]) => JSON.stringify({ memories });
const read = (reply: string) => capturedIn(reply, TURNS);

describe("a question", () => {
  test("holds the turns in order, and what it may not hold is left out from the beginning", () => {
    const { prompt } = extractionQuestion(["first said", "then said"]);
    assert.ok(prompt.indexOf("first said") < prompt.indexOf("then said"));
    const long = extractionQuestion(Array.from({ length: 100 }, (_, turn) => `${turn}: ${"x".repeat(5_000)}`)).prompt;
    assert.ok(long.length < 61_000);
    assert.ok(long.includes("99: x") && !long.includes("\n0: x") && /^\(\d+ earlier turns/.test(long));
  });

  test("of any turns is bounded and well formed", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 20_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (turns) => {
        const { prompt } = extractionQuestion(turns);
        return prompt.length < 61_000 && prompt.isWellFormed();
      }),
    );
  });
});

describe("a reply", () => {
  const wanted = { ...ONE, subject: null, files: ["src/cache.ts"] };

  const readable: [string, string][] = [
    ["as agreed", told(ONE)],
    ["as a bare list", JSON.stringify([ONE])],
    ["in a fence", `Here's what I found:\n\`\`\`json\n${told(ONE)}\n\`\`\`\nDone.`],
    ["cut off", told(ONE, { ...ONE, content: "Something else that was" }).slice(0, -90)],
    ["with a broken part", told(ONE).replace("]}", ',{"type": oops}]}')],
    ["told twice", told(ONE, ONE)],
  ];
  for (const [how, reply] of readable) test(`${how} is read`, () => assert.deepEqual(read(reply), [wanted]));

  test("that says there is nothing is believed, and one that says nothing is not", () => {
    assert.deepEqual(read('{"memories": []}'), []);
    for (const reply of ["", "I cannot help with that.", "{}", '{"memories": [{"type":', "null", "[[[[", '{"a":"'])
      assert.equal(read(reply), null);
  });

  test("keeps to every limit", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...ONE, content: `${index} ${"long ".repeat(200)}` }));
    const [first, ...rest] = read(told(...many))!;
    assert.equal(rest.length, 11);
    assert.equal(first?.content.length, 400);
    const extreme = { ...ONE, confidence: 40, priority: -3.5, files: 7, symbols: [{}, "evictOldest", "evictOldest"] };
    const [kept] = read(told(extreme))!;
    assert.deepEqual([kept?.confidence, kept?.priority, kept?.files, kept?.symbols], [0.8, 1, [], ["evictOldest"]]);
  });

  test("with unknown types, without content or of other types is dropped", () => {
    const bad = [{ ...ONE, type: "code" }, { ...ONE, content: "" }, { ...ONE, content: 5 }, { type: "fact" }];
    assert.equal(read(told(...bad)), null);
    assert.deepEqual(read(told(...bad, ONE)), [wanted]);
  });

  test("gives a decision a subject, and nothing else one", () => {
    const [named] = read(told({ ...ONE, type: "decision", subject: "cache eviction" }))!;
    const [unnamed] = read(told({ ...ONE, type: "decision", subject: " " }))!;
    assert.equal(named?.subject, "cache eviction");
    assert.ok(unnamed?.subject);
    assert.equal(read(told({ ...ONE, subject: "cache" }))?.[0]?.subject, null);
  });

  test("never makes a rule: preferences and conventions are dropped", () => {
    const rules = ["preference", "convention"].map((type) => ({ ...ONE, type }));
    assert.equal(read(told(...rules)), null);
    assert.deepEqual(read(told(...rules, ONE)), [wanted]);
  });

  test("of any kind is read without failing, and within the limits", () => {
    const memory = fc.record({
      type: fc.constantFrom(...CAPTURED_TYPES, "other"),
      content: fc.string({ maxLength: 900 }),
      confidence: fc.double(),
    });
    const reply = fc.tuple(fc.array(memory, { maxLength: 20 }), fc.nat(2_000), fc.string());
    fc.assert(
      fc.property(reply, ([memories, end, around]) => {
        const found = read(around + told(...memories).slice(0, end) + around) ?? [];
        return (
          found.length <= 12 &&
          found.every(({ content, confidence }) => content.length <= 400 && confidence >= 0 && confidence <= 0.8)
        );
      }),
    );
  });
});

test("objects are found whatever surrounds them", () => {
  assert.deepEqual(jsonObjects('{"a": {"b": "}{"}, "c": [{"d": "\\"}"}]'), [{ b: "}{" }, { d: '"}' }]);
});
