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
