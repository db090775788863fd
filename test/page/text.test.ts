/** Text of people: whatever it is, it stays text, and nothing of it is lost or made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutText, matchedPieces, oneLine, seenText, wordsOf } from "../../src/page/rules/matched-text.ts";
import { wordDiff } from "../../src/page/rules/word-diff.ts";

const text = fc.string({ unit: "binary", maxLength: 200 });

test("pieces joined are the text, whatever is marked in it", () => {
  fc.assert(
    fc.property(text, fc.string(), (written, query) => {
      const pieces = matchedPieces(written, wordsOf(query));
      assert.equal(pieces.map((piece) => piece.text).join(""), written);
    }),
  );
});

const unseen: [written: string, seen: string][] = [
  ["\u202Egnp.exe", "⟨U+202E⟩gnp.exe"],
  ["a\u0000b\u009Bc", "a⟨U+0000⟩b⟨U+009B⟩c"],
  ["yes\u{E0049}\u{E0067}\u{E006E}", "yes⟨3 unseen characters⟩"],
  ["a\u200B\u200B\u2066b", "a⟨3 unseen characters⟩b"],
  ["a\u200D\u200C\u200D\u200Eb", "a⟨4 unseen characters⟩b"],
  ["🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 👩‍👩‍👧 ❤️ co\u00ADop שלום\u200F a\tb\nc", ""],
];
for (const [written, seen] of unseen)
  test(`${JSON.stringify(written)} hides nothing`, () => assert.equal(seenText(written), seen || written));

test("words of the question are marked, also as the beginning of longer ones", () => {
  const marked = (written: string, query: string) =>
    matchedPieces(written, wordsOf(query)).filter(({ isMatch }) => isMatch).map((piece) => piece.text); // prettier-ignore
  assert.deepEqual(marked("Deploys need the VPN.", "how to DEPLOY the thing"), ["Deploys", "the"]);
  assert.deepEqual(marked("<b>bold</b>", "bold"), ["bold"]);
  assert.deepEqual(marked("预发布环境", "预发布环境"), ["预发布环境"]);
  assert.deepEqual(marked("an ox", "an ox"), [], "words this short are everywhere");
});

test("a cut is between characters, and broken ones are made whole", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (written, most) => {
      const { text: cut, isCut } = cutText(written, most);
      assert.ok(cut.isWellFormed() && cut.length <= most);
      assert.equal(isCut, seenText(written).length > most);
    }),
  );
  assert.equal(cutText("a😀b", 2).text, "a");
  assert.equal(cutText("\ud83d alone", 99).text, "\ufffd alone");
  assert.equal(oneLine("  two\n\n lines  ", 99), "two lines");
  assert.equal(oneLine("a long one", 6), "a long…");
});

test("a difference contains both texts", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = wordDiff(before, after);
      const without = (kind: string) => pieces.filter((piece) => piece.kind !== kind).map((piece) => piece.text);
      const bare = (parts: readonly string[]) => parts.join("").replace(/\s+/g, "");
      assert.equal(bare(without("added")), before.replace(/\s+/g, ""));
      assert.equal(bare(without("removed")), after.replace(/\s+/g, ""));
    }),
  );
});

test("a difference is in words, and what is the same stays so", () => {
  assert.deepEqual(wordDiff("Production runs on Postgres 15.", "Production runs on Postgres 16."), [
    { kind: "same", text: "Production runs on Postgres " },
    { kind: "removed", text: "15." },
    { kind: "added", text: "16." },
  ]);
  assert.deepEqual(wordDiff("same", "same"), [{ kind: "same", text: "same" }]);
  assert.deepEqual(wordDiff("", "new"), [{ kind: "added", text: "new" }]);
  const [long, other] = ["a ".repeat(2_000), "b ".repeat(2_000)];
  assert.deepEqual(
    wordDiff(long, other).map(({ kind }) => kind),
    ["removed", "added"],
    "too different to be read word by word",
  );
});
