/**
 * Passages of code: cut where definitions begin and end.
 *
 * A definition with its comment is one passage when it is not too long, small neighbours share
 * one, and a long one is cut at its members, then at pauses. No line is lost. Where nothing is
 * defined, windows of lines overlap, so that what a cut divides is whole in one of them.
 */
import type { Passage } from "../../model/memory/shelf.ts";
import type { Definition } from "./definitions.ts";
import { cutLine } from "../../model/text/cut.ts";
import { CHUNK, windowsOf } from "../text/line-windows.ts";
import { cutPassages, PASSAGE_LIMIT_CHARACTERS } from "../text/passages.ts";

export type CodePassage = Omit<Passage, "tokens">;

/** A definition may be this long before it is cut, and its pieces are; the embedder reads their beginning. */
const WHOLE_LIMIT_CHARACTERS = 1_200;
const WINDOW_LIMIT_CHARACTERS = 8_000;
const HEADING_LIMIT_CHARACTERS = 160;
/** Deeper nesting is nobody's style; it is cut like plain text. */
const DEEPEST_LEVEL = 12;

/** Lines that belong together, from the first to the last. */
interface Span {
  from: number;
  to: number;
  name: string | null;
}

interface Branch extends Span {
  members: Branch[];
}

/** The text by lines; `ends[n]` is how many characters the first n lines have. */
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

/** Definitions as a tree of lines. What begins on a line that another one has belongs to that one. */
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

/** The spans of a branch: itself when it is short, else its members and what stands between them. */
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

/** Neighbours that are small together become one; what only closes something stays with what it closes. */
function packed(spans: readonly Span[], page: Page): Span[] {
  const packs: { from: number; to: number; names: string[] }[] = [];
  for (const span of spans) {
    const last = packs.at(-1);
    const together = last ? charactersIn({ ...last, to: span.to, name: null }, page) : Infinity;
    if (last && (together <= PASSAGE_LIMIT_CHARACTERS || saysNothing(span, page))) {
      last.to = span.to;
      if (span.name !== null && !last.names.includes(span.name)) last.names.push(span.name);
    } else packs.push({ from: span.from, to: span.to, names: span.name === null ? [] : [span.name] });
  }
  return packs.map(({ from, to, names }) => ({ from, to, name: names.join(", ") || null }));
}

function saysNothing({ from, to }: Span, { lines }: Page): boolean {
  return lines.slice(from - 1, to).every((line) => line.length < 40 && !/[\p{L}\p{N}]{4}/u.test(line));
}

function piecesOf(span: Span, page: Page, given?: number): Omit<CodePassage, "ordinal">[] {
  const text = page.lines.slice(span.from - 1, span.to).join("\n");
  const heading = span.name === null ? null : cutLine(span.name, HEADING_LIMIT_CHARACTERS);
  const limit = given ?? (text.length <= WHOLE_LIMIT_CHARACTERS + 100 ? text.length + 1 : WHOLE_LIMIT_CHARACTERS);
  return cutPassages(text, limit).map((piece) => ({
    heading,
    startLine: span.from + piece.startLine - 1,
    endLine: span.from + piece.endLine - 1,
    text: piece.text,
  }));
}
