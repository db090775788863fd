import assert from "node:assert/strict";
import { test } from "node:test";
import { visible } from "../../src/text/paragraph.ts";

/** What Unicode calls each of them, so that no range of ours can be wrong unnoticed. */
function expected(character: string): string {
  if (/[\t\n]/.test(character)) return character;
  if (/[\v\f\r\u0085\p{Zl}\p{Zp}]/u.test(character)) return " ";
  // They join letters and emoji, or choose between their forms.
  if (/[\u200c\u200d\ufe00-\ufe0f]/.test(character)) return character;
  // What stands between them is shown above other text, or nowhere.
  if (/[\ufff9-\ufffb]/.test(character)) return "";
  return /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u.test(character) ? "" : character;
}

test("controls, marks that turn the direction and what nobody sees go, line ends become spaces, the rest stays", () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x20000 || code >= 0xe0000 ? 1 : 0x100) {
    const character = String.fromCodePoint(code);
    if (visible(character) !== expected(character)) assert.fail(`U+${code.toString(16)}`);
  }
});

const cases: [what: string, text: string, shown: string][] = [
  ["a terminal's sequence", "a\u001b[2J\u001b]0;title\u0007b", "a[2J]0;titleb"],
  ["the same in one character", "a\u009b2Jb\u009d0;title\u009cc", "a2Jb0;titlec"],
  ["a turned direction", "a\u202eb\u2066c\u2069\u200fd\u061c", "abcd"],
  ["a forged line", "a\rb\u2028c\u0085d\ve", "a b c d e"],
  ["lines and columns of one's own", "a\r\nb\n\tc", "a\nb\n\tc"],
  ["every one of several", "\u0000\u0000a\u0000\r\r\n\r\n", "a \n\n"],
  ["a message in signs that only a model reads", "a\u{e0069}\u{e0067}\u200b\u00adb\u{e0100}", "ab"],
  ["a message in forms of a character", "a\ufe06\ufe09\ufe0a\u200d\ufe01 b\u200c\u200d\u200d", "a\ufe06 b\u200c"],
  ["signs in their forms", "❤️‍🔥 🏳️‍🌈 ☎︎ क्‍ष", "❤️‍🔥 🏳️‍🌈 ☎︎ क्‍ष"],
  ["joined signs", "👩‍👩‍👧 é", "👩‍👩‍👧 é"],
];
for (const [what, text, shown] of cases) test(what, () => assert.equal(visible(text), shown));
