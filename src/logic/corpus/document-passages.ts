/**
 * Document passages: blocks packed under their headings.
 *
 * A section begins at a heading of the first three levels. Blocks that fit share a passage, and a block that is too
 * long on its own is split at line ends. A block extends to the start of the next one, so no line is ever lost.
 */
import type { Passage } from "../../model/memory/shelf.ts";
import { cutPassages, PASSAGE_LIMIT_CHARACTERS, type Piece } from "../text/passages.ts";

export interface Block {
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

export function packPassages(lines: readonly string[], blocks: readonly Block[]): Omit<Passage, "tokens">[] {
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
