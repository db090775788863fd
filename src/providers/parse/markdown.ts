/**
 * Parses Markdown into passages under their headings, and its references.
 *
 * The parser determines where blocks begin and what is a link; the text is always taken from the file itself, so
 * nothing is lost. The parser gets the text in segments, because its time grows with the square of the length.
 */
import { fromMarkdown } from "mdast-util-from-markdown";
import { packPassages, type Block } from "../../logic/corpus/document-passages.ts";
import { segmentsOf, type Segment } from "../../logic/text/markdown-segments.ts";
import { frontEnd, plainText, readMarkdown } from "../../logic/text/markdown-sections.ts";
import { PASSAGE_LIMIT_CHARACTERS } from "../../logic/text/passages.ts";
import { isExternal, REFS } from "../../logic/corpus/references.ts";
import type { ParsedFile } from "../../model/corpus/corpus.ts";

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
