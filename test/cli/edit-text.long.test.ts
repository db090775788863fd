import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { editText } from "../../src/cli/edit-text.ts";

const folder = mkdtempSync(join(tmpdir(), "editor of mine "));
const drafts = mkdtempSync(join(tmpdir(), "drafts-"));
after(() => [folder, drafts].forEach((path) => rmSync(path, { recursive: true })));

/** An editor that does this with the file, whose path is its last argument. */
function editor(what: string): string {
  const path = join(folder, "editor.mjs");
  writeFileSync(path, `import fs from "node:fs";\nconst file = process.argv.at(-1);\n${what}\n`);
  return `"${process.execPath}" "${path}"`;
}

const edits: [name: string, what: string, text: string, edited: string][] = [
  ["a change", 'fs.appendFileSync(file, "and more\\n")', "one", "one\nand more"],
  ["nothing", "", "one", "one"],
  ["nothing, of a text that ends in a new line", "", "one\n", "one\n"],
  ["a new line at the end alone", 'fs.appendFileSync(file, "\\n\\n")', "one", "one"],
  ["no text", 'fs.writeFileSync(file, "")', "one", ""],
  ["lines and leading spaces", 'fs.writeFileSync(file, "  a\\n\\n  b\\n")', "x", "  a\n\n  b"],
];
for (const [name, what, text, edited] of edits)
  test(`an editor that leaves ${name}`, async () => {
    assert.equal(await editText(text, editor(what), drafts), edited);
    assert.deepEqual(readdirSync(drafts), []);
  });

test("the draft is private, and the editor gets its own arguments first", async () => {
  const note = join(folder, "note.json");
  const what = `import path from "node:path";
    const modes = [file, path.dirname(file)].map((one) => (fs.statSync(one).mode & 0o777).toString(8));
    fs.writeFileSync(${JSON.stringify(note)}, JSON.stringify({ modes, words: process.argv.slice(2, -1) }));`;
  await editText("text", `${editor(what)} --wait 'two words' ;rm $HOME`, drafts);
  const { modes, words } = JSON.parse(readFileSync(note, "utf8"));
  assert.deepEqual(words, ["--wait", "two words", ";rm", "$HOME"], "no shell reads them");
  assert.deepEqual(modes, ["600", "700"]);
});

const failures: [name: string, command: () => string, code: string, message: RegExp][] = [
  ["an editor that fails", () => editor("process.exit(3)"), "unavailable", /ended with 3; nothing was changed/],
  ["an empty command", () => "''", "unavailable", /command of the editor is empty/],
  ["no such editor", () => join(folder, "missing"), "unavailable", /cannot be started/],
  ["a file that is gone", () => editor("fs.rmSync(file)"), "invalid_input", /gone, or not UTF-8/],
  ["no text at all", () => editor("fs.writeFileSync(file, Buffer.from([255, 254]))"), "invalid_input", /UTF-8/],
];
for (const [name, command, code, message] of failures)
  test(`${name} is an error, and nothing stays behind`, async () => {
    await assert.rejects(editText("text", command(), drafts), { code, message });
    assert.deepEqual(readdirSync(drafts), []);
  });
