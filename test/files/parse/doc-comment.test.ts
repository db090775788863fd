import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedLanguage } from "../../../src/files/languages.ts";
import { docstringOf, leadOf } from "../../../src/files/parse/code.ts";

const cases: [language: ParsedLanguage, above: string, doc: string | null, linesAbove: number][] = [
  ["typescript", "/**\n * Opens it.\n * Twice.\n *\n * More.\n * @param a that\n */", "Opens it. Twice.", 7],
  ["typescript", "/** One line. */", "One line.", 1],
  ["typescript", "// first\n// second", "first second", 2],
  ["typescript", "// far away\n", null, 0],
  ["typescript", "call(); /* not alone */", null, 0],
  ["go", "// Open opens.\n//\n// Details.", "Open opens.", 3],
  ["rust", "//! of the crate\n/// Of the item.\n#[derive(Debug)]", "Of the item.", 2],
  ["csharp", "/// <summary>\n/// Says so.\n/// </summary>\n[Fact]", "Says so.", 4],
  ["python", "# Says so.", "Says so.", 1],
  ["bash", "#!/bin/bash", null, 0],
  ["c", "#include <stdio.h>", null, 0],
  ["powershell", "<#\n.SYNOPSIS\nGets it.\n#>", ".SYNOPSIS Gets it.", 4],
  ["css", "/* The frame. */", "The frame.", 1],
  ["php", "#[Attribute]", null, 0],
  ["java", "/** Of first. */\n@Override public int first() { return 1; }", null, 0],
  ["java", '/** Says so. */\n@Named("a)b") @Test(timeout = (1)) // why', "Says so.", 2],
  ["rust", "/// Of first.\n#[test] fn first() {}", null, 0],
  ["csharp", "/// Of first.\n[Fact] public void First() {}", null, 0],
  ["csharp", '/// Says so.\n[Theory, Data("x")]', "Says so.", 2],
  ["typescript", "/** Of first. */\n@Input() first = of()", null, 0],
];
for (const [language, above, doc, linesAbove] of cases) {
  test(`${language}: ${JSON.stringify(above)} says ${doc}`, () => {
    const lines = `${above}\ndefinition`.split("\n");
    const lead = leadOf(lines, lines.length, language);
    assert.equal(lead.doc, doc);
    assert.equal(lines.length - lead.fromLine, linesAbove);
  });
}

test("a docstring is what a body opens with", () => {
  assert.equal(docstringOf('"""Runs it.\n\n    More.\n    """\n    return 1'), "Runs it.");
  assert.equal(docstringOf("r'''Runs\n    it.'''"), "Runs it.");
  assert.equal(docstringOf("return '''no'''"), null);
  assert.equal(docstringOf('"""never closed'), null);
});
