import assert from "node:assert/strict";
import { test } from "node:test";
import { editorWords } from "../../src/cli/edit-text.ts";

const cases: [command: string, words: string[]][] = [
  ["vi", ["vi"]],
  ["  code  --wait ", ["code", "--wait"]],
  ['"/opt/my editor/ed" -n', ["/opt/my editor/ed", "-n"]],
  ["/opt/my\\ editor/ed -n", ["/opt/my editor/ed", "-n"]],
  [`emacs --eval '(setq a "b")'`, ["emacs", "--eval", '(setq a "b")']],
  ['ed "a \\"quoted\\" word" \\"', ["ed", 'a "quoted" word', '"']],
  ["ed 'it'\\''s' 'a''b'", ["ed", "it's", "ab"]],
  ["ed ''", ["ed", ""]],
  ["ed $(touch x) `y`;z", ["ed", "$(touch", "x)", "`y`;z"]],
  ["ed 'open", ["ed", "'open"]],
  ["", []],
];
for (const [command, words] of cases)
  test(`the words of ${command}`, () => assert.deepEqual(editorWords(command, { escapes: true }), words));

test("a backslash of Windows separates folders", () => {
  const command = '"C:\\Program Files\\Notepad++\\notepad++.exe" -multiInst C:\\a.ini';
  assert.deepEqual(editorWords(command, { escapes: false }), [
    "C:\\Program Files\\Notepad++\\notepad++.exe",
    ...["-multiInst", "C:\\a.ini"],
  ]);
});
