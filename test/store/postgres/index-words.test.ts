/** Words of passages: as FTS5 divides, folds, stems, counts and ranks them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import fc from "fast-check";
import type { IndexedText } from "../../../src/memory/shelves.ts";
import { BM25, indexTokens, passageWords, phraseWeight, rarityOf } from "../../../src/store/postgres/words.ts";

const db = new Sqlite(":memory:");
after(() => db.close());
db.exec(`
  create virtual table fts using fts5 (
    title, text, tags, split, cjk, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2');
  insert into fts (fts, rank) values ('rank', 'bm25(1.5, 1.0, 1.2, 0.6, 1.0)');
  create virtual table instance using fts5vocab (fts, 'instance')`);

function fill(passages: readonly IndexedText[]): void {
  db.exec("delete from fts; insert into fts (fts) values ('delete-all')");
  const insert = db.prepare(`insert into fts (rowid, title, text, tags, split, cjk) values (?, ?, ?, ?, ?, ?)`);
  for (const [index, { title, text, tags, split, cjk }] of passages.entries())
    insert.run(index + 1, title, text, tags, split, cjk);
}

const words = (...given: string[]) =>
  fc.array(fc.constantFrom(...given), { maxLength: 12 }).map((all) => all.join(" "));
const plain = words(
  "deploy",
  "deploys",
  "deployed",
  "cache",
  "caches",
  "Redis",
  "naïve",
  "the",
  "0x1F",
  "a_b",
  "don't",
);
const column = fc.record<IndexedText>({
  title: plain,
  text: plain,
  tags: plain,
  split: plain,
  cjk: words("内存", "泄漏"),
});

/** Letters of scripts in use, marks, digits, signs and emoji. */
const SIGNS =
  "aZéÉßøØłñçšğІиЙйабвЖωΩςΣאבعربहिन्दीไทย한국語カタ々ー0٣४½²_-'’.,:;/\\@#€©😀\u0301\u0308\u200d\ufe0f\u00ad\u2028\ue000";
const text = fc
  .array(fc.constantFrom(...SIGNS, " ", " "), { maxLength: 30 })
  .map((all) => all.join("").normalize("NFC"));

test("a text is divided into the words that FTS5 finds in it", () => {
  const found = db.prepare<[], string>(`select term from instance where col = 'text' order by offset`).pluck();
  fc.assert(
    fc.property(text, (given) => {
      fill([{ title: "", text: given, tags: "", split: "", cjk: "" }]);
      assert.deepEqual(indexTokens(given), found.all(), JSON.stringify(given));
    }),
  );
});

/** As a store would rank them. */
function ranked(passages: readonly IndexedText[], terms: readonly string[]): [number, number][] {
  const all = passages.map(passageWords);
  const average = all.reduce((sum, { count }) => sum + count, 0) / all.length;
  const weights = terms.map((term) => {
    const tokens = indexTokens(term);
    return all.map(({ weights: own }, index) =>
      tokens.length === 1
        ? (own.get(tokens[0]!) ?? 0)
        : tokens.length === 0
          ? 0
          : phraseWeight(passages[index]!, tokens),
    );
  });
  const scores = all.map(({ count }, passage) =>
    weights.reduce((score, own) => {
      const [weight, { k1, b }] = [own[passage]!, BM25];
      if (weight === 0) return score;
      const rarity = rarityOf(own.filter((one) => one > 0).length, all.length);
      return score + rarity * ((weight * (k1 + 1)) / (weight + k1 * (1 - b + (b * count) / average)));
    }, 0),
  );
  return scores
    .map((score, index): [number, number] => [index + 1, score])
    .filter(([passage]) => weights.some((own) => own[passage - 1]! > 0))
    .sort((one, two) => two[1] - one[1] || one[0] - two[0]);
}

test("passages are ranked as FTS5 ranks them, phrases included", () => {
  const match = db
    .prepare<[string], [number, number]>(`select rowid, -rank from fts where fts match ? order by +rank, rowid`)
    .raw();
  const terms = fc.uniqueArray(fc.constantFrom("deploy", "cache", "redis", "naive", "a_b", "don't", "内存", "x"), {
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 25 }), terms, (passages, asked) => {
      fill(passages);
      const expected = match.all(asked.map((term) => `"${term}"`).join(" OR "));
      const own = ranked(passages, asked);
      assert.deepEqual(
        own.map(([passage]) => passage),
        expected.map(([passage]) => passage),
      );
      for (const [index, [, score]] of own.entries()) assert.ok(Math.abs(score - expected[index]![1]) < 1e-9);
    }),
  );
});
