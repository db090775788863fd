/**
 * Code passages: source text split where definitions begin and end.
 *
 * A definition and its comment form one passage if they are short enough, small neighbours share one, and a long
 * definition is split at its members, then at natural breaks. No line is lost. Code without definitions is split into
 * overlapping windows of lines, so that anything a boundary divides is intact in one of them.
 */
import type { Passage } from "../../model/memory/shelf.ts";
import type { Definition } from "./definitions.ts";
import { cutLine } from "../../model/text/cut.ts";
import { CHUNK, windowsOf } from "../text/line-windows.ts";
import { cutPassages, PASSAGE_LIMIT_CHARACTERS } from "../text/passages.ts";

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
