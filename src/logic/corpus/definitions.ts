/**
 * Definitions: grammar matches turned into symbols with names, signatures and comments.
 *
 * Two patterns may match one definition: the more specific kind wins, and so does the wider span, which includes
 * decorators. The container of a definition is whatever encloses its span.
 */
import type { CodeSymbol, SymbolKind } from "../../model/corpus/corpus.ts";
import { cutLine } from "../../model/text/cut.ts";
import { docstringOf, leadOf } from "./doc-comment.ts";
import type { ParsedLanguage } from "./languages.ts";

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
