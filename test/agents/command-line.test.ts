/** Commands as one string: every shell reads back the words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commandLine, wordsOf } from "../../src/agents/recognise.ts";

const CASES: [Parameters<typeof commandLine>[1], string[], string][] = [
  ["sh", ["/usr/bin/node", "/opt/stele/bin/stele.js", "hook"], "/usr/bin/node /opt/stele/bin/stele.js hook"],
  ["sh", ["/usr/bin/node", "/it's $HOME/x.js"], "/usr/bin/node '/it'\\''s $HOME/x.js'"],
  ["cmd", ["C:\\Program Files\\node.exe", "C:\\x.js"], '"C:\\Program Files\\node.exe" C:\\x.js'],
  ["powershell", ["C:\\Program Files\\node.exe", "C:\\it's.js"], "& 'C:\\Program Files\\node.exe' 'C:\\it''s.js'"],
  ["powershell", ["C:\\node.exe", "C:\\x.js"], "C:\\node.exe C:\\x.js"],
  ["either", ["C:\\Program Files\\node.exe", "C:\\my tools\\x.js"], 'node "C:\\my tools\\x.js"'],
];
for (const [shell, words, line] of CASES)
  test(`${shell}: ${line}`, () => assert.equal(commandLine(words, shell), line));

test("the words come back from any shell's quotes", () => {
  const word = fc
    .array(fc.constantFrom("a", "B", "/", ".", " ", "$", "&", "é", "(", "-"), { minLength: 1 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(word, word, fc.constantFrom("sh", "cmd", "powershell"), (node, entry, shell) => {
      assert.deepEqual(wordsOf(commandLine([`/${node}`, `/${entry}`, "hook"], shell)), [
        `/${node}`,
        `/${entry}`,
        "hook",
      ]);
    }),
  );
  assert.deepEqual(wordsOf("'/it'\\''s/x.js' hook"), ["/it's/x.js", "hook"]);
});
