/**
 * Parses Markdown into passages under their headings, and its references.
 *
 * The parser determines where blocks begin and what is a link; the text is always taken from the file itself, so
 * nothing is lost. The parser gets the text in segments, because its time grows with the square of the length.
 */
import { fromMarkdown } from "mdast-util-from-markdown";
import type { Passage } from "../../memory/shelves.ts";
import { frontEnd, plainText, readMarkdown, type Segment, segmentsOf } from "../../text/markdown.ts";
import { cutPassages, PASSAGE_LIMIT_CHARACTERS, type Piece } from "../../text/passages.ts";
import type { ParsedFile } from "../corpus.ts";
import { isExternal, REFS } from "../references.ts";

/**
 * Document passages: blocks packed under their headings.
 *
 * A section begins at a heading of the first three levels. Blocks that fit share a passage, and a block that is too
 * long on its own is split at line ends. A block extends to the start of the next one, so no line is ever lost.
 */
interface Block {
  /** Its first line, counted from one. */
  line: number;
  kind: "heading" | "code" | "text";
  /** Headings only. */
  depth?: number;
  text?: string;
}

const SECTION_DEPTH = 3;

/** A piece of text that fits into a passage. */
interface Atom extends Piece {
  section: { depth: number; text: string } | null;
  /** A heading with no text of its own. */
  isBare: boolean;
}

function packPassages(lines: readonly string[], blocks: readonly Block[]): Omit<Passage, "tokens">[] {
  const passages: Omit<Passage, "tokens">[] = [];
  const path: { depth: number; text: string }[] = [];
  let current: Atom | null = null;
  let heading: string | null = null;
  const finish = () => {
    if (current === null) return;
    const { text, startLine, endLine } = current;
    passages.push({ ordinal: passages.length, heading, startLine, endLine, text });
    current = null;
  };
  for (const atom of atomsOf(lines, blocks)) {
    // A heading followed directly by a deeper one stays with it.
    if (atom.section !== null && !(isBareAbove(current, atom.section) && fits(current, atom))) finish();
    else if (!fits(current, atom)) finish();
    if (atom.section !== null) {
      while ((path.at(-1)?.depth ?? 0) >= atom.section.depth) path.pop();
      path.push(atom.section);
    }
    heading = pathText(path);
    current = current === null ? atom : joined(current, atom);
  }
  finish();
  return passages;
}

function isBareAbove(current: Atom | null, section: { depth: number }): boolean {
  return current !== null && current.isBare && current.section !== null && current.section.depth < section.depth;
}

function fits(current: Atom | null, next: Atom): boolean {
  if (current === null) return true;
  const gap = next.startLine - current.endLine;
  return gap > 0 && current.text.length + gap + next.text.length <= PASSAGE_LIMIT_CHARACTERS;
}

function joined(one: Atom, two: Atom): Atom {
  const text = one.text + "\n".repeat(two.startLine - one.endLine) + two.text;
  const section = two.section ?? one.section;
  return { text, startLine: one.startLine, endLine: two.endLine, section, isBare: one.isBare && two.isBare };
}

function pathText(path: readonly { text: string }[]): string | null {
  return (
    path
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join(" > ") || null
  );
}

function atomsOf(lines: readonly string[], blocks: readonly Block[]): Atom[] {
  const atoms: Atom[] = [];
  const starts = inOrder(blocks, lines);
  for (let index = 0; index < starts.length; index += 1) {
    const block = starts[index];
    if (block === undefined) continue;
    const isHeading = block.kind === "heading" && (block.depth ?? 0) <= SECTION_DEPTH;
    const section = isHeading ? { depth: block.depth ?? 1, text: block.text ?? "" } : null;
    const own = pieceOf(lines, block.line, starts[index + 1]?.line);
    const next = starts[index + 1];
    const withNext = next?.kind === "text" && isHeading ? pieceOf(lines, block.line, starts[index + 2]?.line) : own;
    // A heading is not separated from the text below it just because that text is long.
    const isTogether = withNext.text.length > PASSAGE_LIMIT_CHARACTERS && withNext !== own;
    if (isTogether) index += 1;
    const pieces = splitIfLong(isTogether ? withNext : own);
    const isBare = isHeading && !isTogether;
    atoms.push(...pieces.map((piece, at) => ({ ...piece, section: at === 0 ? section : null, isBare })));
  }
  return atoms;
}

/** Each line begins at most one block, and the first block begins where the text does. */
function inOrder(blocks: readonly Block[], lines: readonly string[]): Block[] {
  const first = lines.findIndex((line) => line.trim() !== "") + 1;
  if (first === 0) return [];
  const sorted = blocks.toSorted((a, b) => a.line - b.line);
  const once = sorted.filter(({ line }, index) => line >= first && line !== sorted[index - 1]?.line);
  return once[0]?.line === first ? once : [{ line: first, kind: "text" }, ...once];
}

/** The lines from one block to the next, without surrounding blank lines. */
function pieceOf(lines: readonly string[], from: number, to = lines.length + 1): Piece {
  let [start, end] = [from, to - 1];
  while (start < end && isBlank(lines[start - 1])) start += 1;
  while (end > start && isBlank(lines[end - 1])) end -= 1;
  return {
    text: lines
      .slice(start - 1, end)
      .join("\n")
      .trimEnd(),
    startLine: start,
    endLine: end,
  };
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

function splitIfLong(piece: Piece): Piece[] {
  if (piece.text.length <= PASSAGE_LIMIT_CHARACTERS) return piece.text.trim() === "" ? [] : [piece];
  const lines = piece.text.split("\n");
  const offset = piece.startLine - 1;
  let before = 0;
  return cutPassages(piece.text).map(({ text, startLine, endLine }) => {
    const isWholeLine = startLine > before;
    before = endLine;
    const indent = isWholeLine ? (/^[ \t]*/.exec(lines[startLine - 1] ?? "")?.[0] ?? "") : "";
    const fitsIndented = indent.length + text.length <= PASSAGE_LIMIT_CHARACTERS;
    return { text: fitsIndented ? indent + text : text, startLine: startLine + offset, endLine: endLine + offset };
  });
}

/** A node of the parser's tree, as far as needed here. */
interface Node {
  type: string;
  depth?: number;
  value?: string;
  url?: string;
  children?: Node[];
  position?: { start: Point; end: Point } | undefined;
}
interface Point {
  line: number;
  offset?: number | undefined;
}

/** Emphasis is not needed here, and unusual text can make it slow. */
const OPTIONS = { extensions: [{ disable: { null: ["attention", "autolink", "hardBreakEscape"] } }] };
/** Each line costs the parser time, however short. */
const MOST_LINES = 50_000;
const LONGEST_HEADING = 200;
const LONGEST_SUMMARY = 1_000;
const PARAGRAPH_LINES_MOST = 20;
const MOST_TAGS = 50;
const MOST_REFERENCES = 1_000;
const LONGEST_REFERENCE = 300;
/** Trimming takes quadratic time, so long lines and names are truncated first. */
const LONGEST_LIST = 5_000;
const LONGEST_NAME = 300;

const WIKI_LINK = /\[\[[^[\]\n]{1,300}\]\]/g;
const SPEC_MENTION = /(?<![\w./-])specs\/[\w-]+(?:[./][\w-]+){0,8}/g;
const REFERENCE_LINE = /^\W{0,4}refs?[*_]{0,2}:[*_]{0,2}(.*)$/i;
const ANCHOR = /\bhref\s{0,3}=\s{0,3}["']([^"'\s]{1,300})["']/gi;

/** Results collected while reading. */
interface Reading {
  blocks: Block[];
  references: Set<string>;
  fault: string | null;
}

export function parseMarkdown(text: string): ParsedFile {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const end = frontEnd(lines);
  const front = end === -1 ? new Map<string, string>() : readMarkdown(lines.slice(0, end + 1).join("\n")).front;
  const reading: Reading = { blocks: [], references: new Set(), fault: null };
  if (end !== -1) reading.blocks.push({ line: 1, kind: "text" });
  if (lines.length > MOST_LINES) reading.fault = `it has more than ${MOST_LINES} lines; its headings were not read`;
  else for (const segment of segmentsOf(lines.slice(end + 1), end + 2)) readSegment(segment, reading);
  const { blocks, references, fault } = reading;
  const firstHeading = blocks.find(({ kind, depth }) => kind === "heading" && depth === 1)?.text;
  return {
    title: clipped(front.get("title"), LONGEST_HEADING) ?? clipped(firstHeading, LONGEST_HEADING),
    summary: clipped(summaryIn(front) ?? firstWords(lines, blocks, end + 1), LONGEST_SUMMARY),
    language: "markdown",
    passages: packPassages(lines, blocks),
    symbols: [],
    references: [...references],
    tags: tagsIn(front),
    fault,
  };
}

function summaryIn(front: ReadonlyMap<string, string>): string | undefined {
  // A block indicator such as | or > only announces text on the lines below.
  return ["description", "summary"].map((key) => front.get(key)).find((text) => text && !/^[|>][+-]?$/.test(text));
}

/** The first paragraph below the front matter. */
function firstWords(lines: readonly string[], blocks: readonly Block[], after: number): string | undefined {
  const first = blocks.find(({ kind, line }) => kind === "text" && line > after);
  if (!first) return undefined;
  const rest = lines.slice(first.line - 1, first.line - 1 + PARAGRAPH_LINES_MOST);
  const blank = rest.findIndex((line) => line.trim() === "");
  return rest.slice(0, blank === -1 ? rest.length : blank).join(" ");
}

function tagsIn(front: ReadonlyMap<string, string>): string[] {
  const tags = namesIn(front.get("tags") ?? "", /,/).map((tag) => tag.replace(/^[\s#"']+|[\s"']+$/g, ""));
  return [...new Set(tags.filter((tag) => tag !== "" && tag.length <= 100))].slice(0, MOST_TAGS);
}

function namesIn(list: string, between: RegExp): string[] {
  const names = list.slice(0, LONGEST_LIST).split(between);
  // The last one is truncated.
  if (list.length > LONGEST_LIST) names.pop();
  return names.map((name) => name.slice(0, LONGEST_NAME));
}

function clipped(text: string | undefined, limit: number): string | null {
  const line = text?.slice(0, limit).split(/\s+/).join(" ").trim();
  return line ? line.toWellFormed() : null;
}

function readSegment({ startLine, lines, isPlain }: Segment, reading: Reading): void {
  if (isPlain) {
    reading.blocks.push({ line: startLine, kind: "text" });
    reading.fault = "parts of it are nested too deeply or have too long lines";
    return;
  }
  let root: Node;
  try {
    root = fromMarkdown(lines.join("\n"), OPTIONS);
  } catch (thrown) {
    reading.blocks.push({ line: startLine, kind: "text" });
    reading.fault = `parts of it could not be parsed: ${thrown instanceof Error ? thrown.message.slice(0, 200) : "?"}`;
    return;
  }
  for (const child of root.children ?? []) {
    addBlocks(child, startLine - 1, reading.blocks);
    addReferences(child, reading.references);
  }
}

/** A list or quote that fits into a passage is one block; a longer one is split into its children. */
function addBlocks(node: Node, offset: number, blocks: Block[]): void {
  const { start, end } = node.position ?? {};
  if (start === undefined || end === undefined) return;
  const line = start.line + offset;
  const characters = (end.offset ?? 0) - (start.offset ?? 0);
  if (node.type === "heading") {
    blocks.push({ line, kind: "heading", depth: node.depth ?? 1, text: headingText(node) });
  } else if (/^(?:list|listItem|blockquote)$/.test(node.type) && characters > PASSAGE_LIMIT_CHARACTERS) {
    // A heading inside a quote or list item applies only to it.
    const inner: Block[] = [];
    for (const child of node.children ?? []) addBlocks(child, offset, inner);
    blocks.push({ line, kind: "text" });
    blocks.push(
      ...inner.map((block) => (block.kind === "heading" ? { line: block.line, kind: "text" as const } : block)),
    );
  } else {
    blocks.push({ line, kind: node.type === "code" ? "code" : "text" });
  }
}

function headingText(node: Node): string {
  return clipped(plainText(textOf(node)), LONGEST_HEADING) ?? "";
}

function textOf(node: Node): string {
  if (node.type === "html") return "";
  if (node.type === "break") return "\n";
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

function addReferences(node: Node, references: Set<string>): void {
  if (node.type === "code" || references.size >= MOST_REFERENCES) return;
  if ((node.type === "link" || node.type === "definition") && node.url !== undefined) add(node.url, references);
  if (node.type === "html") for (const [, url] of (node.value ?? "").matchAll(ANCHOR)) add(url ?? "", references);
  if (node.type === "paragraph" || node.type === "heading") {
    const text = textOf(node);
    for (const [mention] of text.matchAll(WIKI_LINK)) add(mention, references);
    for (const [mention] of text.matchAll(SPEC_MENTION)) add(mention, references);
    for (const line of text.split("\n")) {
      const names = namesIn(REFERENCE_LINE.exec(line)?.[1] ?? "", /[,;]/);
      for (const name of names) add(REFS + name.replace(/^[\s"'([]+|[\s"').\]]+$/g, ""), references);
    }
  }
  for (const child of node.children ?? []) addReferences(child, references);
}

function add(reference: string, references: Set<string>): void {
  const isOwn = reference.startsWith(REFS) ? reference !== REFS : !isExternal(reference);
  const isFit = reference.trim() !== "" && reference.length <= LONGEST_REFERENCE && references.size < MOST_REFERENCES;
  if (isOwn && isFit) references.add(reference.toWellFormed());
}
