/**
 * Definitions: grammar matches turned into symbols with names, signatures and comments.
 *
 * Two patterns may match one definition: the more specific kind wins, and so does the wider span, which includes
 * decorators. The container of a definition is whatever encloses its span.
 */
import type { Passage } from "../../memory/shelves.ts";
import { CHUNK, cutPassages, PASSAGE_LIMIT_CHARACTERS, windowsOf } from "../../text/passages.ts";
import { cutLine } from "../../text/short-text.ts";
import type { CodeSymbol, SymbolKind } from "../corpus.ts";
import type { ParsedLanguage } from "../languages.ts";

/**
 * Documentation of a definition: the comment above it, or the string its body opens with.
 *
 * Read from lines, not from a syntax tree: a comment above a definition looks the same in every language of a family.
 */
interface Lead {
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

export type Capture = SymbolKind | "declaration" | "member" | "scope";

/** The location of a match, in UTF-16 units and lines. */
export interface Match {
  capture: Capture;
  start: number;
  end: number;
  startLine: number;
  endLine: number;
  nameStart: number;
  nameEnd: number;
  /** Separator between the parts of its name; null if it has only one part. */
  joint: "." | "::" | null;
  /** Where its signature ends; null if it has no body. */
  bodyStart: number | null;
  /** Location of the name of its container. */
  scope: readonly [start: number, end: number] | null;
}

/** A symbol and the line where its comment begins. */
export interface Definition extends CodeSymbol {
  fromLine: number;
}

interface Source {
  text: string;
  lines: readonly string[];
  language: ParsedLanguage;
}

interface Surrounding {
  end: number;
  name: string;
  capture: Capture;
}

const SIGNATURE_LIMIT_CHARACTERS = 200;
const NAME_LIMIT_CHARACTERS = 120;
const HEAD_READ_CHARACTERS = 800;
const DOCSTRING_READ_CHARACTERS = 2_000;
const LINE_PREFIX_CHARACTERS = 60;
const MOST_DEFINITIONS = 5_000;

const KIND_OF: Partial<Record<Capture, SymbolKind>> = { declaration: "function", member: "method" };
/** Kinds that lose against any other kind that matches the same definition; the last loses most. */
const LESS_TELLING: readonly Capture[] = ["export", "constant", "type", "declaration"];
const ONLY_OUTSIDE: ReadonlySet<Capture> = new Set(["constant", "export", "declaration", "member"]);
const WITH_METHODS: ReadonlySet<Capture> = new Set(["class", "interface", "enum", "scope"]);
const WITHOUT_BODY: ReadonlySet<Capture> = new Set(["constant", "type", "export"]);
/** Parts of a qualified name that carry no meaning. */
const MEANINGLESS_PARTS: ReadonlySet<string> = new Set(["exports", "module", "prototype", "this", "self", ""]);

export function definitionsOf(matches: readonly Match[], text: string, language: ParsedLanguage): Definition[] {
  const source: Source = { text, lines: text.split("\n"), language };
  const enclosing: Surrounding[] = [];
  const found: Definition[] = [];
  for (const match of inOrder(matches)) {
    while (enclosing.length > 0 && (enclosing.at(-1)?.end ?? 0) <= match.start) enclosing.pop();
    const { name, within } = nameOf(match, text);
    if (name === "") continue;
    const isInside = enclosing.some(({ capture }) => capture === "function" || capture === "method");
    if (isInside && ONLY_OUTSIDE.has(match.capture)) continue;
    const container = [...enclosing.map((outer) => outer.name), ...within].join(".") || null;
    const capture = within.length > 0 ? inside(match.capture) : asMethod(match.capture, enclosing.at(-1), language);
    enclosing.push({ end: match.end, name, capture });
    if (capture === "scope") continue;
    found.push(definitionOf(match, { kind: KIND_OF[capture] ?? (capture as SymbolKind), name, container }, source));
    if (found.length === MOST_DEFINITIONS) break;
  }
  return withoutRepeated(found);
}

/** `export { open }` is redundant if `open` is defined in the same file. */
function withoutRepeated(found: readonly Definition[]): Definition[] {
  const own = new Set(found.filter(({ kind, container }) => kind !== "export" && !container).map(({ name }) => name));
  return found.filter(({ kind, name }) => kind !== "export" || !own.has(name));
}

/** One match per name, outer ones first. */
function inOrder(matches: readonly Match[]): Match[] {
  const byName = new Map<number, Match>();
  for (const match of matches) {
    const known = byName.get(match.nameStart);
    byName.set(match.nameStart, known ? merge(known, match) : match);
  }
  return [...byName.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

function merge(a: Match, b: Match): Match {
  const [more, less] = LESS_TELLING.indexOf(a.capture) <= LESS_TELLING.indexOf(b.capture) ? [a, b] : [b, a];
  const [outer] = a.start < b.start || (a.start === b.start && a.end >= b.end) ? [a] : [b];
  const { start, end, startLine, endLine } = outer;
  return { ...more, start, end, startLine, endLine, bodyStart: more.bodyStart ?? less.bodyStart };
}

function asMethod(capture: Capture, outer: Surrounding | undefined, language: ParsedLanguage): Capture {
  const isMember = outer && (WITH_METHODS.has(outer.capture) || (language === "ruby" && outer.capture === "module"));
  return isMember ? inside(capture) : capture;
}

const inside = (capture: Capture): Capture =>
  capture === "function" || capture === "declaration" ? "method" : capture;

/** Its own name, and the containers that its qualified name states. */
function nameOf(
  { nameStart, nameEnd, joint, scope, capture }: Match,
  text: string,
): { name: string; within: string[] } {
  const written = onOneLine(text.slice(nameStart, Math.min(nameEnd, nameStart + HEAD_READ_CHARACTERS)));
  const bare = capture === "scope" ? withoutTypes(written) : written.replace(/^(["'`])(.*)\1$/, "$2");
  const within = scope
    ? [withoutTypes(text.slice(scope[0], Math.min(scope[1], scope[0] + NAME_LIMIT_CHARACTERS)))]
    : [];
  if (joint === null || bare === "module.exports") return { name: cutLine(bare, NAME_LIMIT_CHARACTERS), within };
  const parts = bare.split(joint).map((part) => part.trim());
  const name = parts.pop() ?? "";
  return { name: cutLine(name, NAME_LIMIT_CHARACTERS), within: parts.filter((part) => !MEANINGLESS_PARTS.has(part)) };
}

/** `*Server[T]` and `Server<T>` both mean Server. */
function withoutTypes(written: string): string {
  return /[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*/u.exec(written)?.[0] ?? "";
}

function definitionOf(
  match: Match,
  named: Pick<Definition, "kind" | "name" | "container">,
  { text, lines, language }: Source,
): Definition {
  const { startLine, endLine, bodyStart } = match;
  // The comment above a line describes what the line begins with, not what follows further on.
  const opensLine = modifiersBefore(match.start, text) !== null;
  const lead = opensLine ? leadOf(lines, startLine, language) : { fromLine: startLine, doc: null };
  const opensWithDoc = language === "python" && bodyStart !== null;
  const docstring = opensWithDoc ? docstringOf(text.slice(bodyStart, bodyStart + DOCSTRING_READ_CHARACTERS)) : null;
  const signature = signatureOf(match, text, language) || named.name;
  return { ...named, startLine, endLine, fromLine: lead.fromLine, signature, doc: docstring ?? lead.doc };
}

function signatureOf(match: Match, text: string, language: ParsedLanguage): string {
  const start = match.start - (modifiersBefore(match.start, text) ?? 0);
  const end = match.bodyStart ?? match.end;
  const decorated = /^\s*(@|\[|#\[)/.test(text.slice(start, start + LINE_PREFIX_CHARACTERS));
  const from = decorated ? Math.max(start, text.lastIndexOf("\n", match.nameStart) + 1) : start;
  const head = text.slice(from, Math.max(from, Math.min(end, from + HEAD_READ_CHARACTERS)));
  const isOpen = match.bodyStart === null || language === "ruby";
  const whole = isOpen && !WITHOUT_BODY.has(match.capture) ? firstStatement(head) : head;
  // A comment between a signature and its body belongs to the body.
  const signature = language === "python" && !isOpen ? whole.replace(/:[ \t]*#[^]*$/, "") : whole;
  return cutLine(onOneLine(signature).replace(/\s*(=>|[={:;])$/, ""), SIGNATURE_LIMIT_CHARACTERS);
}

/**
 * How many characters precede a definition on its line if they are only modifiers: grammars leave `export const` and
 * the like outside. Null if they are anything else.
 */
function modifiersBefore(start: number, text: string): number | null {
  const before = text.slice(Math.max(0, start - LINE_PREFIX_CHARACTERS), start);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isWholeLine = line.length < before.length || before.length === start;
  return isWholeLine && /^[\w\s]*$/.test(line) ? line.length : null;
}

/** Up to a brace, a semicolon, or a line end that leaves nothing open. */
function firstStatement(head: string): string {
  const end = /[{;]|(?<![,(\\])\n/.exec(head)?.index ?? head.length;
  return head.slice(0, end);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Code passages: source text split where definitions begin and end.
 *
 * A definition and its comment form one passage if they are short enough, small neighbours share one, and a long
 * definition is split at its members, then at natural breaks. No line is lost. Code without definitions is split into
 * overlapping windows of lines, so that anything a boundary divides is intact in one of them.
 */
export type CodePassage = Omit<Passage, "tokens">;

/**
 * A definition up to this length stays in one passage; longer ones are split into pieces of it. The embedder reads only
 * their beginning.
 */
const WHOLE_LIMIT_CHARACTERS = 1_200;
const WINDOW_LIMIT_CHARACTERS = 8_000;
const HEADING_LIMIT_CHARACTERS = 160;
/** Nobody writes deeper nesting on purpose; it is split like plain text. */
const DEEPEST_LEVEL = 12;

/** Lines that belong together, both ends included. */
interface Span {
  from: number;
  to: number;
  name: string | null;
}

interface Branch extends Span {
  members: Branch[];
}

/** The text as lines; `ends[n]` is the number of characters in the first n lines. */
interface Page {
  lines: readonly string[];
  ends: readonly number[];
}

export function codePassages(text: string, definitions: readonly Definition[], chunk = CHUNK): CodePassage[] {
  const page = pageOf(text);
  const spans =
    definitions.length === 0
      ? windowsOf(page.lines, chunk, WINDOW_LIMIT_CHARACTERS).map((window) => ({ ...window, name: null }))
      : packed(spansIn({ from: 1, to: page.lines.length, name: null, members: treeOf(definitions) }, page, 0), page);
  return spans
    .flatMap((span) => piecesOf(span, page, definitions.length === 0 ? WINDOW_LIMIT_CHARACTERS : undefined))
    .map((piece, ordinal) => ({ ordinal, ...piece }));
}

function pageOf(text: string): Page {
  const lines = text.split("\n");
  const ends = [0];
  for (const [index, line] of lines.entries()) ends.push((ends[index] ?? 0) + line.length + 1);
  return { lines, ends };
}

const charactersIn = ({ from, to }: Span, { ends }: Page): number => (ends[to] ?? 0) - (ends[from - 1] ?? 0);

/** Definitions as a tree of line ranges. A definition that starts on another's first line belongs to that one. */
function treeOf(definitions: readonly Definition[]): Branch[] {
  const top: Branch[] = [];
  const open: Branch[] = [];
  const ordered = [...definitions].sort((a, b) => a.fromLine - b.fromLine || b.endLine - a.endLine);
  for (const { fromLine: from, endLine: to, name, container } of ordered) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) < from) open.pop();
    const outer = open.at(-1);
    if (outer && (to > outer.to || from === outer.from)) continue;
    const branch = { from, to, name: container ? `${container}.${name}` : name, members: [] };
    (outer?.members ?? top).push(branch);
    open.push(branch);
  }
  return top;
}

/** The spans of a branch: the branch itself if it is short, else its members and the gaps between them. */
function spansIn(branch: Branch, page: Page, level: number): Span[] {
  const isShort = level > 0 && charactersIn(branch, page) <= WHOLE_LIMIT_CHARACTERS;
  if (isShort || branch.members.length === 0 || level > DEEPEST_LEVEL) return [branch];
  const spans: Span[] = [];
  let next = branch.from;
  const gapUntil = (to: number): void => {
    if (to >= next) spans.push({ from: next, to, name: branch.name });
  };
  for (const member of branch.members) {
    gapUntil(member.from - 1);
    spans.push(...spansIn(member, page, level + 1));
    next = member.to + 1;
  }
  gapUntil(branch.to);
  return spans;
}

/** Merges neighbours that are small enough together; a span of closing brackets stays with what it closes. */
function packed(spans: readonly Span[], page: Page): Span[] {
  const packs: { from: number; to: number; names: string[] }[] = [];
  for (const span of spans) {
    const last = packs.at(-1);
    const together = last ? charactersIn({ ...last, to: span.to, name: null }, page) : Infinity;
    if (last && (together <= PASSAGE_LIMIT_CHARACTERS || hasOnlyPunctuation(span, page))) {
      last.to = span.to;
      if (span.name !== null && !last.names.includes(span.name)) last.names.push(span.name);
    } else packs.push({ from: span.from, to: span.to, names: span.name === null ? [] : [span.name] });
  }
  return packs.map(({ from, to, names }) => ({ from, to, name: names.join(", ") || null }));
}

function hasOnlyPunctuation({ from, to }: Span, { lines }: Page): boolean {
  return lines.slice(from - 1, to).every((line) => line.length < 40 && !/[\p{L}\p{N}]{4}/u.test(line));
}

function piecesOf(span: Span, page: Page, fixedLimit?: number): Omit<CodePassage, "ordinal">[] {
  const text = page.lines.slice(span.from - 1, span.to).join("\n");
  const heading = span.name === null ? null : cutLine(span.name, HEADING_LIMIT_CHARACTERS);
  const limit = fixedLimit ?? (text.length <= WHOLE_LIMIT_CHARACTERS + 100 ? text.length + 1 : WHOLE_LIMIT_CHARACTERS);
  return cutPassages(text, limit).map((piece) => ({
    heading,
    startLine: span.from + piece.startLine - 1,
    endLine: span.from + piece.endLine - 1,
    text: piece.text,
  }));
}
