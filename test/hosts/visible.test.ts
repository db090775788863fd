import assert from "node:assert/strict";
import { test } from "node:test";
import { visible } from "../../src/hosts/visible.ts";

/** What Unicode calls each of them, so that no range of ours can be wrong unnoticed. */
function expected(character: string): string {
  if (/[\t\n]/.test(character)) return character;
  if (/[\v\f\r\u0085\p{Zl}\p{Zp}]/u.test(character)) return " ";
  return /[\p{Cc}\p{Bidi_Control}]/u.test(character) ? "" : character;
}

test("every control and every mark that turns the direction goes, line ends become spaces, the rest stays", () => {
  for (let code = 0; code <= 0xffff; code++) {
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
  ["joined signs", "👩‍👩‍👧 é", "👩‍👩‍👧 é"],
];
for (const [what, text, shown] of cases) test(what, () => assert.equal(visible(text), shown));
