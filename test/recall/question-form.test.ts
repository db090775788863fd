import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gistOf, isReport, openingOf, possibleNames, withoutNames } from "../../src/recall/question.ts";
import { runs } from "../lane.ts";

const WORDY = "word ".repeat(41);
const forms: [question: string, isReport: boolean, why: string][] = [
  ["How do I open the store?", false, "a question"],
  ["A headline\nand one line more", false, "two lines"],
  ["A headline\n\nand details", true, "three lines"],
  ["\n\nA headline\n\n", false, "empty lines around it do not count"],
  [WORDY, true, "many words in one line"],
  ["word ".repeat(40), false, "not so many"],
  ["", false, "nothing"],
];
for (const [question, expected, why] of forms)
  test(`${JSON.stringify(question.slice(0, 30))} is ${expected ? "a" : "no"} report: ${why}`, () =>
    assert.equal(isReport(question), expected));

test("the opening is the first line that says something", () => {
  const cases = [
    ["\n  It breaks \r\nand more", "It breaks"],
    ["one line", "one line"],
    ["", ""],
    [" \n ", ""],
  ];
  for (const [question, opening] of cases) assert.equal(openingOf(question!), opening);
});

const gists: [report: string, gist: string, why: string][] = [
  ["It breaks\nwhen I open it", "It breaks\nwhen I open it", "prose stays"],
  ["It breaks\n```\ncode\n```\nalways", "It breaks\n \nalways", "a block of code goes"],
  ["It breaks\n```js\ncode", "It breaks", "also one without an end"],
  ["It breaks\n<!-- a\ntemplate -->\nalways", "It breaks\n \nalways", "a comment goes"],
  ["It breaks\n<!-- never closed", "It breaks", "also one without an end"],
  ["It breaks\n    indented\n\ttabbed\nsaid", "It breaks\nsaid", "indented code goes"],
  [
    'It breaks\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: no',
    "It breaks\nValueError: no",
    "of a trace the error stays",
  ],
  [`It breaks\n${"x".repeat(800)}`, `It breaks\n${"x".repeat(690)}`, "seven hundred characters at most"],
  [`${"x".repeat(699)}😀`, "x".repeat(699), "and none of them halved"],
  ["", "", "nothing"],
];
for (const [report, gist, why] of gists)
  test(`the gist of ${JSON.stringify(report.slice(0, 40))}: ${why}`, () => assert.equal(gistOf(report), gist));

test("names are runs of up to three words, bare and as they are written", () => {
  assert.deepEqual(possibleNames("Did Ann Lee go?"), [
    ...["Did", "Ann", "Lee", "go"],
    ...["Did Ann", "Ann Lee", "Lee go"],
    ...["Did Ann Lee", "Ann Lee go"],
  ]);
  assert.deepEqual(possibleNames(""), []);
  assert.deepEqual(possibleNames("?!"), []);
  assert.deepEqual(possibleNames("Ann"), ["Ann"]);
});

const spoken: [question: string, name: string, why: string][] = [
  ["What did O'Brien say?", "O'Brien", "an apostrophe"],
  ["What did O’Brien say?", "O'Brien", "another apostrophe"],
  ["What is Siobhan O'Neill's plan?", "Siobhan O'Neill", "and what belongs to somebody"],
  ["What is Caroline's plan?", "Caroline", "the bare name of an owner"],
  ["Ask Jean-Luc about it", "Jean-Luc", "a hyphen"],
  ["Ask Jean-Luc about it", "Jean Luc", "or none"],
  ["Ask Dr. Smith, please", "Dr. Smith", "a full stop inside"],
  ["Ask mary_jane", "mary_jane", "an underscore"],
  ["Ask Ann\n  Lee", "Ann Lee", "a line break inside"],
  ["Was hat Jo\u0308rg gesagt?", "Jörg", "a decomposed letter"],
  ["王芳说了什么", "王芳说了什么", "no spaces between words"],
];
for (const [question, name, why] of spoken)
  test(`${JSON.stringify(question)} may name ${name}: ${why}`, () => assert.ok(possibleNames(question).includes(name)));

const lefts: [question: string, names: string[], left: string, why: string][] = [
  ["What did Caroline paint?", ["Caroline"], "What did paint?", "a name"],
  ["What did CAROLINE paint?", ["Caroline"], "What did paint?", "in any case"],
  ["What is Caroline's plan?", ["Caroline"], "What is plan?", "with what makes it an owner"],
  ["What is Caroline’s plan?", ["Caroline"], "What is plan?", "in both spellings"],
  ["What did Carolines paint?", ["Caroline"], "What did Carolines paint?", "but no part of a word"],
  ["What did O’Brien paint?", ["O'Brien"], "What did paint?", "an apostrophe in either spelling"],
  ["What did Ann   Lee paint?", ["Ann Lee"], "What did paint?", "spaces as they come"],
  ["What did Ann and Bo paint?", ["Ann", "Bo"], "What did and paint?", "several"],
  ["Caroline", ["Caroline"], "Caroline", "as it was when nothing else is left"],
  ["Caroline?!", ["Caroline"], "Caroline?!", "signs alone are nothing"],
  ["What is C++ (really)?", ["C++ (really)"], "What is ?", "signs that patterns use"],
  ["a.b and axb", ["a.b"], "and axb", "a full stop stands for itself"],
  ["What did Jörg paint?", ["Jörg"], "What did paint?", "other letters"],
  ["Jörgs Bild", ["Jörg"], "Jörgs Bild", "which are letters at an end too"],
  ["What did she paint?", ["", "  "], "What did she paint?", "no name at all"],
  ["two  spaces", [], "two spaces", "white space is one space"],
];
for (const [question, names, left, why] of lefts)
  test(`${JSON.stringify(question)} without ${JSON.stringify(names)}: ${why}`, () =>
    assert.equal(withoutNames(question, names), left));

const anything = fc.oneof(
  fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom(..."Ann O'Brien \\ ( [a-z] .* $ ^ {2} | ’s \n ` ``` <!-- --> ? + Jean-Luc 字".split(" ")))
    .map((words) => words.join(" ")),
);

test("whatever is asked, and whoever speaks, every form is found without a fault", () => {
  fc.assert(
    fc.property(anything, fc.array(anything, { maxLength: 4 }), (question, names) => {
      assert.ok(!openingOf(question).includes("\n"));
      assert.ok(gistOf(question).length <= 700);
      assert.ok(question.isWellFormed() === false || gistOf(question).isWellFormed());
      const left = withoutNames(question, names);
      assert.ok(left === question || left.length <= question.length);
      for (const name of possibleNames(question)) assert.ok(name !== "" && !/\s{2}|\n/.test(name), name);
    }),
    { numRuns: runs(100) },
  );
});

test("a name that is taken out is no longer there", () => {
  const name = fc.constantFrom("Ann", "Ann Lee", "O'Brien", "Jean-Luc", "Dr. Smith", "C++", "Jörg", "王芳");
  const words = fc.array(fc.constantFrom("what", "did", "paint", ",", "?"), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(name, words, words, (one, before, after) => {
      const left = withoutNames([...before, "why", one, ...after].join(" "), [one]);
      assert.ok(!left.includes(one), left);
      assert.equal(left, [...before, "why", ...after].join(" "));
    }),
  );
});

test("a hostile question or name comes back", () => {
  const size = 120_000;
  const texts = ["a".repeat(size), " ".repeat(size), "a ".repeat(size / 2), "`".repeat(size), "<!-- ".repeat(size / 5)];
  for (const text of [...texts, "a'".repeat(size / 2), `x\n${"\u00a0".repeat(size)}`, "x\n\n".repeat(size / 3)]) {
    for (const name of ["a", `a${" ".repeat(50)}b`, "a b", "a'".repeat(50)]) {
      assert.ok(withoutNames(text, [name]).length <= text.length);
    }
    assert.ok(gistOf(text).length <= 700);
    assert.equal(typeof isReport(text), "boolean");
    assert.ok(possibleNames(text).length <= 1_800);
  }
});
