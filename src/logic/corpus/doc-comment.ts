/**
 * Documentation of a definition: the comment above it, or the string its body opens with.
 *
 * Read from lines, not from a syntax tree: a comment above a definition looks the same in every language of a family.
 */
import { cutLine } from "../../model/text/cut.ts";
import type { ParsedLanguage } from "./languages.ts";

export interface Lead {
  /** The line where the comment begins; the definition's own line if there is none. */
  fromLine: number;
  doc: string | null;
}

const DOC_LIMIT_CHARACTERS = 300;
const LONGEST_COMMENT_LINES = 200;

const SLASHES = /^\/\//;
const HASH = /^#(?!!|\[)/;
const LINE_COMMENT: Record<ParsedLanguage, RegExp | null> = {
  bash: HASH,
  c: SLASHES,
  cpp: SLASHES,
  csharp: SLASHES,
  css: null,
  go: SLASHES,
  ini: /^[#;]/,
  java: SLASHES,
  javascript: SLASHES,
  php: /^\/\/|^#(?!\[)/,
  powershell: HASH,
  python: HASH,
  ruby: HASH,
  rust: /^\/\/(?!!)/,
  tsx: SLASHES,
  typescript: SLASHES,
};
/** Allowed between a comment and its definition: `#[derive]`, `@Test`, `[Fact]`. */
const ATTRIBUTE = /^(#\[|@[\w.]+|\[[A-Z])/;
/** A line of attributes after everything in brackets has been removed. */
const BARE_ATTRIBUTES = /^(#!?|@[\w.]+|\s)*$/;
const LONGEST_ATTRIBUTE = 1_000;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const BLOCK_MARK = /^(\/\*+!?|<#|\*+(?!\/))|(\*+\/|#>)$/g;
const LINE_MARK = /^(\/{2,}!?|#+|;+)/;
const TAG_LINE = /^([@\\][a-z]|:\w+[^:]*:)/i;
const DOCSTRING = /^\s*[rRuUbB]{0,2}("""|'''|"|')/;

export function leadOf(lines: readonly string[], startLine: number, language: ParsedLanguage): Lead {
  let above = startLine - 2;
  const lineAt = (index: number): string => lines[index]?.trim() ?? "";
  while (above >= 0 && isAttribute(lineAt(above))) above -= 1;
  const first = commentStart(lineAt, above, LINE_COMMENT[language]);
  if (first === null) return { fromLine: startLine, doc: null };
  return { fromLine: first + 1, doc: paragraphOf(lines.slice(first, above + 1)) };
}

/** True for a line with nothing but attributes: a line that also begins a definition belongs to that one. */
function isAttribute(line: string): boolean {
  if (!ATTRIBUTE.test(line) || line.length > LONGEST_ATTRIBUTE) return false;
  let [depth, outside] = [0, ""];
  for (const character of line.replace(QUOTED, "").replace(/\/\/.*$/, "")) {
    if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    else if (depth === 0) outside += character;
  }
  return depth === 0 && BARE_ATTRIBUTES.test(outside);
}

/** The first line of the comment that ends on this line; null if none does. */
function commentStart(lineAt: (index: number) => string, end: number, lineComment: RegExp | null): number | null {
  const lowest = Math.max(0, end - LONGEST_COMMENT_LINES);
  if (/(\*\/|#>)$/.test(lineAt(end))) {
    for (let index = end; index >= lowest; index--) {
      const line = lineAt(index);
      if (/^(\/\*|<#)/.test(line)) return index;
      // Code before the comment, or a comment that ends above: this one belongs to something else.
      if (line.includes("/*") || (index < end && line.includes("*/"))) return null;
    }
    return null;
  }
  let index = end;
  while (lineComment && index >= lowest && lineComment.test(lineAt(index))) index -= 1;
  return index === end ? null : index + 1;
}

/** The string a body opens with. */
export function docstringOf(body: string): string | null {
  const opening = DOCSTRING.exec(body);
  if (!opening) return null;
  const quote = opening[1] ?? '"';
  const start = opening[0].length;
  const end = body.indexOf(quote, start);
  return end < 0 ? null : paragraphOf(body.slice(start, end).split("\n"));
}

/** The first paragraph, on one line, without comment markers. */
function paragraphOf(lines: readonly string[]): string | null {
  const collected: string[] = [];
  for (const line of lines) {
    const bare = withoutMarks(line);
    const isBlank = !/[\p{L}\p{N}]/u.test(bare);
    if (isBlank && collected.length === 0) continue;
    if (isBlank || TAG_LINE.test(bare)) break;
    collected.push(bare);
  }
  const paragraph = collected.join(" ").replace(/\s+/g, " ").trim();
  return paragraph === "" ? null : cutLine(paragraph, DOC_LIMIT_CHARACTERS);
}

function withoutMarks(line: string): string {
  const trimmed = line.trim();
  const bare = LINE_MARK.test(trimmed) ? trimmed.replace(LINE_MARK, "") : trimmed.replace(BLOCK_MARK, "");
  return bare.replace(/<\/?(summary|remarks|para)>/g, "").trim();
}
