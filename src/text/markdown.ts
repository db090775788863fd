/**
 * Markdown sections: headings with the text below them.
 *
 * Parses only what telling sections apart requires: front matter, comments, fenced code, both kinds of headings. Every
 * step reads a text once, however long its lines are.
 */
export interface Section {
  /** 0 is the text before the first heading. */
  level: number;
  heading: string;
  /** Up to the next heading of any level. */
  body: string;
}

export interface MarkdownText {
  /** Keys in lower case with hyphens; list values are joined by commas. */
  front: ReadonlyMap<string, string>;
  sections: readonly Section[];
}

const LONGEST_HEADING = 400;
const FRONT_LINES_MOST = 200;

export function readMarkdown(text: string): MarkdownText {
  const lines = withoutComments(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")).split("\n");
  const end = frontEnd(lines);
  return { front: frontOf(lines.slice(1, Math.max(1, end))), sections: sectionsOf(lines.slice(end + 1)) };
}

/** The section including nested ones; a heading without text is left out. */
export function wholeBody(sections: readonly Section[], index: number): string {
  const below = nested(sections, index).filter(({ body }) => body !== "");
  return [sections[index]?.body ?? "", ...below.map(({ heading, body }) => `${heading}\n\n${body}`)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The sections nested in this one. */
export function nested(sections: readonly Section[], index: number): Section[] {
  const level = sections[index]?.level ?? 0;
  let end = index + 1;
  while (end < sections.length && sections[end]!.level > level) end += 1;
  return sections.slice(index + 1, end);
}

/** Text without markup: links become their text, emphasis is removed, words are separated by one space. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]\n]{0,300})\](?:\([^()\n]{0,500}\)|\[[^[\]\n]{0,100}\])/g, "$1")
    .replace(/\*\*|__|`|(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

/** An unclosed comment counts as text: a typo must not make anything vanish. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start === -1 ? -1 : text.indexOf("-->", start + 4);
    if (end === -1) return parts.join("") + text.slice(from);
    parts.push(text.slice(from, start));
    from = end + 3;
  }
}

/** The line that closes the front matter, or -1. */
export function frontEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return -1;
  const rest = lines.slice(1, FRONT_LINES_MOST);
  const at = rest.findIndex((line) => /^(?:---|\.\.\.)$/.test(line.trimEnd()));
  // A rule at the top of a text and another below it are not front matter: that has keys.
  return at !== -1 && rest.slice(0, at).some((line) => /^[\w-]+\s*:/.test(line)) ? at + 1 : -1;
}

function frontOf(lines: readonly string[]): Map<string, string> {
  const front = new Map<string, string>();
  let key = "";
  for (const line of lines) {
    const pair = /^([A-Za-z][\w -]{0,40}):(.*)$/.exec(line);
    const entry = /^\s*-\s+(.*)$/.exec(line);
    if (pair) {
      key = pair[1]!
        .trim()
        .toLowerCase()
        .replace(/[\s_]+/g, "-");
      front.set(key, unquoted(pair[2]!));
    } else if (entry && key !== "") {
      front.set(key, [front.get(key), unquoted(entry[1]!)].filter(Boolean).join(", "));
    }
  }
  return front;
}

function unquoted(value: string): string {
  const text = value.trim();
  const isQuoted = /^["'[]/.test(text) && /["'\]]$/.test(text) && text.length > 1;
  return (isQuoted ? text.slice(1, -1) : text).trim();
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  let current = { level: 0, heading: "", lines: [] as string[] };
  let fence: string | null = null;
  const finish = () => {
    const { level, heading, lines: body } = current;
    sections.push({ level, heading, body: body.join("\n").trim() });
  };
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    const wasOpen = fence !== null;
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null;
    const isText = !wasOpen && fence === null;
    const underlined = isText ? underlineOf(line, current.lines) : null;
    const heading = underlined ?? (isText ? headingOf(line) : null);
    if (underlined) current.lines.pop();
    if (heading) {
      finish();
      current = { ...heading, lines: [] };
    } else {
      current.lines.push(line);
    }
  }
  finish();
  return sections;
}

function headingOf(line: string): { level: number; heading: string } | null {
  if (line.length > LONGEST_HEADING) return null;
  const marks = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line);
  if (!marks) return null;
  return {
    level: marks[1]!.length,
    heading: line
      .slice(marks[0].length)
      .trim()
      .replace(/(?:^|\s)#{1,50}$/, "")
      .trim(),
  };
}

/** A line of = or - under a single line of text makes it a heading; under a list or a table it does not. */
function underlineOf(line: string, before: readonly string[]): { level: number; heading: string } | null {
  if (line.length > LONGEST_HEADING || !/^(?:={2,}|-{2,})\s*$/.test(line)) return null;
  const text = before.at(-1) ?? "";
  const level = line.startsWith("=") ? 1 : 2;
  const isLone = text.trim() !== "" && text.length <= LONGEST_HEADING && (before.at(-2) ?? "").trim() === "";
  // Titles of records are often numbered, and nobody underlines a list with =.
  const isOther = /^\s{4}|^\s*[-*+>|]/.test(text) || (level === 2 && /^\s*\d+[.)]\s/.test(text));
  return isLone && !isOther ? { level, heading: text.trim() } : null;
}

/**
 * Segments: Markdown split where a new block certainly begins, for a parser whose time grows with the square of the
 * length.
 *
 * Nested lists and quotes cost it most. In pieces of a few thousand characters, the cost grows only with the length.
 * Text that no parser should get, such as quotes nested ten deep, is marked as plain.
 */
export interface Segment {
  /** Its first line, counted from one. */
  startLine: number;
  lines: string[];
  isPlain: boolean;
}

/** From the first limit on, a segment ends at the next block; from the second on, at the next line. */
const ENOUGH_CHARACTERS = 2_000;
const MOST_CHARACTERS = 8_000;
/** After a blank line any text at the margin begins a new top-level block; these begin one anywhere. */
const OPENS_BLOCK = /^(?:#{1,6}[ \t]|[-*+][ \t]+\S|1[.)][ \t]+\S|>)/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
const RAW = /^( {0,3})(<!--|<(?:pre|script|style|textarea)(?=[\s>]|$))/i;
const RAW_END = /<\/(?:pre|script|style|textarea)>/i;
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){10}/;

/** A construct that continues until its end marker, whatever it contains. */
interface Enclosure {
  isEnd(line: string): boolean;
  /** It began at the margin, so the parser sees it the same way, and it may have any length. */
  isSure: boolean;
}

export function segmentsOf(lines: readonly string[], startLine = 1): Segment[] {
  const segments: Segment[] = [];
  let current: Segment = { startLine, lines: [], isPlain: false };
  let characters = 0;
  let isAfterBlank = false;
  let inside: Enclosure | null = null;
  const begin = (line: number) => {
    if (current.lines.length > 0) segments.push(current);
    current = { startLine: line, lines: [], isPlain: false };
    characters = 0;
  };
  for (const [index, line] of lines.entries()) {
    const opened: Enclosure | null = inside === null ? enclosureAt(line) : null;
    if (opened?.isSure || startsSegment(line, { characters, isAfterBlank, inside })) begin(startLine + index);
    if (characters === 0 && inside !== null && !inside.isSure) inside = null;
    current.lines.push(line);
    characters += line.length + 1;
    isAfterBlank = line.trim() === "";
    if (inside === null && !opened) current.isPlain ||= line.length > MOST_CHARACTERS || TOO_DEEP.test(line);
    if (opened) inside = opened;
    else if (inside?.isEnd(line)) inside = null;
  }
  begin(0);
  return segments;
}

interface LineState {
  characters: number;
  isAfterBlank: boolean;
  inside: Enclosure | null;
}

function startsSegment(line: string, { characters, isAfterBlank, inside }: LineState): boolean {
  if (characters < ENOUGH_CHARACTERS || inside?.isSure) return false;
  if (characters >= MOST_CHARACTERS) return true;
  // A line too long for the parser must not affect its neighbours.
  const next = characters + line.length > MOST_CHARACTERS;
  return inside === null && (next || OPENS_BLOCK.test(line) || (isAfterBlank && /^\S/.test(line)));
}

function enclosureAt(line: string): Enclosure | null {
  const fence = FENCE.exec(line);
  if (fence) {
    const mark = fence[2] ?? "";
    return { isEnd: (other) => FENCE_END.exec(other)?.[1]?.startsWith(mark) ?? false, isSure: fence[1] === "" };
  }
  const raw = RAW.exec(line);
  if (!raw) return null;
  const isEnd = raw[2] === "<!--" ? (other: string) => other.includes("-->") : (other: string) => RAW_END.test(other);
  return isEnd(line) ? null : { isEnd, isSure: raw[1] === "" };
}
