/**
 * Segments: markdown cut where a new block surely begins, for a parser whose time grows with the square of a text.
 *
 * Nested lists and quotes cost it most. Cut into pieces of a few thousand characters, a text costs as much as it is
 * long. What no parser should be given, such as a quote in a quote in a quote, ten deep, is marked as plain.
 */
export interface Segment {
  /** The number of its first line, counted from one. */
  startLine: number;
  lines: string[];
  isPlain: boolean;
}

/** From here on a segment ends at the next block, and from there at the next line. */
const ENOUGH_CHARACTERS = 2_000;
const MOST_CHARACTERS = 8_000;
/** A blank line and then text at the margin, or one of these at the margin, is a new block of the whole text. */
const OPENS_BLOCK = /^(?:#{1,6}[ \t]|[-*+][ \t]+\S|1[.)][ \t]+\S|>)/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
const RAW = /^( {0,3})(<!--|<(?:pre|script|style|textarea)(?=[\s>]|$))/i;
const RAW_END = /<\/(?:pre|script|style|textarea)>/i;
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){10}/;

/** What goes on until its end, whatever stands in it. */
interface Enclosure {
  isEnd(line: string): boolean;
  /** It began at the margin, so the parser sees it the same way, and it may be of any length. */
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
    if (opened?.isSure || isCut(line, { characters, isAfterBlank, inside })) begin(startLine + index);
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

function isCut(line: string, { characters, isAfterBlank, inside }: LineState): boolean {
  if (characters < ENOUGH_CHARACTERS || inside?.isSure) return false;
  if (characters >= MOST_CHARACTERS) return true;
  // A line too long for the parser is to harm nobody else.
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
