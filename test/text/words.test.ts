/** Words: parts, bigrams, folding as in the index, and queries that are never syntax. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import fc from "fast-check";
import {
  cjkBigrams,
  fold,
  identifierParts,
  indexedText,
  jaccard,
  queryTerms,
  stems,
  words,
} from "../../src/text/words.ts";
import { anyCharacter } from "../any-character.ts";

const db = new Sqlite(":memory:");
after(() => db.close());
db.exec(`
  create virtual table passage using fts5 (title, text, tags, split, cjk, tokenize = 'porter unicode61 remove_diacritics 2');
  create virtual table plain using fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
  create virtual table plain_vocabulary using fts5vocab (plain, 'instance');
`);

/** Whether the index finds the text by the query's terms, quoted as the store quotes them. */
function finds(query: string, text: string): boolean {
  const { title, tags, split, cjk, ...row } = indexedText({ title: null, text, tags: [] });
  db.exec("delete from passage");
  db.prepare("insert into passage values (?, ?, ?, ?, ?)").run(title, row.text, tags, split, cjk);
  const expression = queryTerms(query)
    .map((term) => `"${term.replaceAll('"', '""')}"`)
    .join(" OR ");
  if (expression === "") return false;
  return db.prepare("select 1 from passage where passage match ?").get(expression) !== undefined;
}

const identifiers: [string, string[]][] = [
  ["getUserById", ["get", "user", "by", "id"]],
  ["HTTPServer2", ["http", "server", "2"]],
  ["parseJSON", ["parse", "json"]],
  ["utf8", ["utf", "8"]],
  ["ÜberCache", ["über", "cache"]],
  ["ПолучитьИмя", ["получить", "имя"]],
  ["react内存", ["react", "内存"]],
  ["word", []],
  ["Word", []],
  ["WORD", []],
  ["2024", []],
  ["हिन्दी", []],
  ["E\u0301cole", []],
  ["", []],
];
for (const [word, parts] of identifiers)
  test(`parts of ${JSON.stringify(word)}: ${parts.join(" ") || "none"}`, () => {
    assert.deepEqual(identifierParts(word), parts);
  });

test("underscores, dashes, dots and slashes separate words by themselves", () => {
  assert.deepEqual(words("snake_case kebab-case src/logic/words.ts"), [
    "snake",
    "case",
    "kebab",
    "case",
    "src",
    "logic",
    "words",
    "ts",
  ]);
});

const bigrams: [string, string[]][] = [
  ["内存泄漏", ["内存", "存泄", "泄漏"]],
  ["猫", ["猫"]],
  ["メモリー", ["メモ", "モリ", "リー"]],
  ["메모리", ["메모", "모리"]],
  ["人々", ["人々"]],
  ["修复 bug 内存", ["修复", "内存"]],
  ["𠮷野家", ["𠮷野", "野家"]],
  ["か\u3099く", ["がく"]],
  ["plain English", []],
];
for (const [text, pairs] of bigrams)
  test(`bigrams of ${text}: ${pairs.join(" ") || "none"}`, () => assert.deepEqual(cjkBigrams(text), pairs));

test("a passage is indexed as it is, by parts and by bigrams, in one Unicode form", () => {
  assert.deepEqual(indexedText({ title: "Cafe\u0301", text: "parseJSON 内存泄漏", tags: ["a b", "c"] }), {
    title: "Café",
    text: "parseJSON 内存泄漏",
    tags: "a b c",
    split: "parse json",
    cjk: "内存 存泄 泄漏",
  });
  assert.equal(indexedText({ title: null, text: "x", tags: [] }).title, "");
});

test("plain text is split as any other text is", () => {
  const unit = fc.constantFrom("a", "b", "X", "Y", "1", "2", "s", "_", "-", " ", "\n");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.string({ unit, maxLength: 10 }), (text, title) => {
      const split = words(`${title}\n${text}`).flatMap(identifierParts).join(" ");
      assert.deepEqual(indexedText({ title, text, tags: [] }), { title, text, tags: "", split, cjk: "" });
    }),
  );
});

const folded: [string, string, string][] = [
  ["Crème BRÛLÉE", "creme brulee", "Latin letters lose their diacritics"],
  ["cre\u0300me", "creme", "composed or not"],
  ["Việt İstanbul", "viet istanbul", "also stacked and dotted ones"],
  ["Straße Øre", "straße øre", "letters of their own stay"],
  ["Йод ЇЖАК", "йод їжак", "other scripts keep their letters"],
  ["и\u0306", "й", "composed first"],
  ["ΛΟΓΟΣ λογος", "λογοσ λογοσ", "one sigma"],
  ["が 한글", "が 한글", "kana and hangul stay"],
];
for (const [text, expected, why] of folded)
  test(`fold ${text} → ${expected}: ${why}`, () => assert.equal(fold(text), expected));

test("living scripts fold as the index folds them", () => {
  const ranges = [
    [0x41, 0x17e],
    [0x391, 0x3c9],
    [0x400, 0x527],
    [0x5d0, 0x5ea],
    [0x621, 0x64a],
    [0x905, 0x939],
    [0x1ea0, 0x1ef9],
    [0x3041, 0x3096],
    [0x4e00, 0x4eff],
    [0xac00, 0xacff],
  ] as const;
  const letters = ranges
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
    // The micro sign is the Greek letter to the index and a sign to everybody else.
    .filter((letter) => /\p{L}/u.test(letter) && letter !== "µ" && letter === letter.normalize("NFC"));
  const insert = db.prepare("insert into plain (rowid, text) values (?, ?)");
  db.transaction(() => letters.forEach((letter, index) => insert.run(index, letter)))();
  const terms = db.prepare<[], string>("select term from plain_vocabulary order by doc").pluck().all();
  assert.deepEqual(letters.map(fold), terms);
});

const queries: [string, string[], string][] = [
  ["how do we run the tests", ["run", "tests"], "stop words go"],
  ["what is it", ["what", "is", "it"], "unless there is nothing else"],
  ["getUserById", ["getuserbyid", "get", "user", "id"], "an identifier, whole and in parts"],
  ["Cache cache CACHE", ["cache"], "each term once"],
  ["内存泄漏", ["内存", "存泄", "泄漏"], "a run as bigrams only"],
  ["React内存泄漏", ["内存", "存泄", "泄漏", "react"], "and the words stuck to it"],
  ["naïve Übung", ["naive", "ubung"], "folded"],
  ["", [], "nothing"],
  [" \t\n", [], "nothing"],
  ["!? … — 🚀", [], "no words"],
  ["\u0301", [], "a mark alone"],
  ['" OR NEAR( * ^ : -', ["near"], "no syntax, only words"],
  ['foo" OR "bar', ["foo", "bar"], "quotes are nothing"],
  ["title:secret NOT x AND {a b}: ^start*", ["title", "secret", "x", "b", "start"], "no columns, no operators"],
  ["'; drop table memory_item; --", ["drop", "table", "memory", "item"], "no statements"],
];
for (const [query, expected, why] of queries)
  test(`terms of ${JSON.stringify(query)}: ${why}`, () => assert.deepEqual(queryTerms(query), expected));

test("a long query keeps its first 48 terms", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `word${"abcdefghij"[index % 10]}x${index}`).join(" ");
  const terms = queryTerms(many);
  assert.equal(terms.length, 48);
  assert.equal(terms[0], "wordax0");
});

test("stop words do not use up the room of a long query", () => {
  assert.deepEqual(queryTerms(`${"the and of to in is it what how why when ".repeat(20)} kiwi`), ["kiwi"]);
});

test("any text is a query that the index accepts, of few, distinct, folded, non-empty terms", () => {
  const syntax = fc.constantFrom(
    '"',
    "*",
    "^",
    ":",
    "-",
    "+",
    "(",
    ")",
    "{",
    "}",
    "OR",
    "AND",
    "NOT",
    "NEAR(",
    "'",
    "\0",
  );
  const text = fc
    .array(fc.oneof(syntax, fc.string({ unit: anyCharacter }), fc.string()), { maxLength: 12 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, (query) => {
      const terms = queryTerms(query);
      assert.ok(terms.length <= 48);
      assert.equal(new Set(terms).size, terms.length);
      assert.ok(terms.every((term) => term !== ""));
      assert.doesNotThrow(() => finds(query, "anything"));
    }),
  );
});

const findable: [string, string, string][] = [
  ["user", "function getUserById(id)", "a part of an identifier"],
  ["getUserById", "get the user by the id", "an identifier by its parts"],
  ["泄漏", "修复内存泄漏问题", "inside a run without spaces"],
  ["мой", "это мой ключ", "Cyrillic with a breve"],
  ["и\u0306ога", "йога", "composed or not"],
  ["йога", "и\u0306ога", "and the other way round"],
  ["λόγος", "ο λόγος", "Greek with an accent"],
  ["हिन्दी", "यह हिन्दी है", "vowel signs"],
  ["résumé", "the resume", "Latin without accents"],
  ["running tests", "run the test", "other forms of a word"],
  ["カ\u3099ス", "ガスの", "kana composed or not"],
];
for (const [query, text, why] of findable)
  test(`${query} finds ${text}: ${why}`, () => {
    assert.ok(finds(query, text));
    assert.ok(!finds(query, "something else altogether"));
  });

test("a letter of another name is another letter: мои does not find мой", () => {
  assert.ok(!finds("мои", "это мой ключ"));
});

test("stems hold words, parts and bigrams in the index's form", () => {
  assert.deepEqual(
    stems("Running parseJSON 内存泄漏"),
    new Set("run parsejson pars json 内存泄漏 内存 存泄 泄漏".split(" ")),
  );
});

const similarities: [string, string, number, string][] = [
  ["red green blue", "red green blue", 1, "equal"],
  ["red green", "green red", 1, "order does not count"],
  ["running tests", "run test", 1, "forms do not count"],
  ["red green", "green blue", 1 / 3, "one of three"],
  ["red", "blue", 0, "nothing in common"],
  ["this was red", "these does red because", 1, "stop words do not count, whatever their stems are"],
  ["the of", "the of", 1, "only stop words, equal"],
  ["the of", "of the", 0, "only stop words, unequal"],
  ["", "", 1, "nothing and nothing"],
  ["", "red", 0, "nothing and something"],
];
for (const [left, right, expected, why] of similarities)
  test(`jaccard of ${JSON.stringify(left)} and ${JSON.stringify(right)}: ${why}`, () => {
    assert.equal(jaccard(left, right), expected);
  });

test("jaccard is symmetric, between 0 and 1, and 1 for a text and itself", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom("the", "red", "green", "runs", "getUser", "内存"), fc.string()), { maxLength: 8 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const similarity = jaccard(left, right);
      assert.equal(similarity, jaccard(right, left));
      assert.ok(similarity >= 0 && similarity <= 1);
      assert.equal(jaccard(left, left), 1);
    }),
  );
});
