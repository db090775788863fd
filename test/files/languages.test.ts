import assert from "node:assert/strict";
import { test } from "node:test";
import { isParsed, languageOf, shelfOf } from "../../src/files/languages.ts";

const cases: [path: string, text: string, language: string | null][] = [
  ["src/main.ts", "", "typescript"],
  ["a/b/App.TSX", "", "tsx"],
  ["lib/x.h", "", "c"],
  ["Makefile", "", "make"],
  ["docker/Dockerfile.dev", "", "dockerfile"],
  ["CMakeLists.txt", "", "cmake"],
  ["LICENSE", "", "text"],
  [".bashrc", "", "bash"],
  ["bin/run", "#!/usr/bin/env python3\nprint(1)", "python"],
  ["bin/run", "#!/usr/bin/env -S node --flag\n", "javascript"],
  ["bin/run", "#!/bin/sh", "bash"],
  ["bin/run", "#!/opt/strange/thing", null],
  ["bin/run", "plain text", null],
  ["data.unknown", "#!/bin/sh", null],
  ["", "", null],
  ["folder.py/", "", null],
];
for (const [path, text, language] of cases) {
  test(`${path || "an empty path"} ${JSON.stringify(text.slice(0, 24))} is ${language}`, () =>
    assert.equal(languageOf(path, text), language));
}

test("prose is a document, everything else is code", () => {
  for (const path of ["README.md", "docs/a.mdx", "a.markdown", "b.rst", "c.adoc", "d.txt", "NOTICE"]) {
    assert.equal(shelfOf(path), "document", path);
  }
  for (const path of ["a.py", "b.json", "Makefile", "unknown.zzz", "CMakeLists.txt"]) {
    assert.equal(shelfOf(path), "code", path);
  }
});

test("only languages with a grammar are parsed", () => {
  assert.deepEqual(["python", "tsx", "c", "json", "markdown", null].map(isParsed), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
