/**
 * Pieces of a section that are worth a memory each.
 *
 * A rule in a list stands alone; names, commands and steps make sense only together, so their list stays whole, in parts
 * of a sensible size. Paragraphs are joined up to that size. A line that introduces a list is told with each of its items.
 */
import { plainText } from "../../text/markdown-sections.ts";
import { type Block, blocksOf } from "./markdown-blocks.ts";
import { isRule } from "./kinds.ts";

export interface Piece {
  text: string;
  /** The line above the list that it is an item of. */
  intro: string | null;
  /** A list of names, commands or steps, which its heading describes best. */
  isReference: boolean;
}

/** What a person reads at a glance. */
const PIECE_CHARACTERS = 1_200;
const INTRO_CHARACTERS = 300;
const LEAST_WORDS_ALONE = 7;
const MAJORITY = 0.6;

export function piecesOf(body: string): Piece[] {
  const pieces: Piece[] = [];
  let paragraphs: string[] = [];
  const blocks = blocksOf(body).filter(({ text }) => !isBoilerplate(text));
  for (let at = 0; at < blocks.length; ) {
    const end = runEnd(blocks, at);
    const list = blocks.slice(at, end);
    if (list[0]!.kind !== "item") {
      paragraphs.push(...list.map(({ text }) => text));
      at = end;
      continue;
    }
    const intro = introIn(paragraphs);
    if (intro !== null) paragraphs = paragraphs.slice(0, -1);
    pieces.push(...joined(paragraphs, null, false), ...ofList(list, intro));
    paragraphs = [];
    at = end;
  }
  return [...pieces, ...joined(paragraphs, null, false)];
}

/** Where the list that begins here ends, or the block itself. */
function runEnd(blocks: readonly Block[], at: number): number {
  const { kind, isNumbered } = blocks[at]!;
  let end = at + 1;
  while (kind === "item" && blocks[end]?.kind === "item" && blocks[end]!.isNumbered === isNumbered) end += 1;
  return end;
}

/** Hosts write these when they create a file, and tables of contents say nothing themselves. */
const isBoilerplate = (text: string): boolean =>
  /^this file provides guidance to /i.test(text) || /^\[[^\]]{0,200}\]\(#[^)]{0,200}\)$/.test(text);

function introIn(paragraphs: readonly string[]): string | null {
  const last = paragraphs.at(-1);
  if (last === undefined || last.length > INTRO_CHARACTERS || last.includes("\n\n")) return null;
  return /:[*_]*$/.test(last) ? last : null;
}

function ofList(list: readonly Block[], intro: string | null): Piece[] {
  const isReference = list[0]!.isNumbered || !isOfRules(list);
  if (isReference) {
    const marked = list.map(({ text, isNumbered }, index) => markedItem(text, isNumbered ? `${index + 1}.` : "-"));
    const [first = "", ...rest] = marked;
    return joined([intro === null ? first : `${intro}\n${first}`, ...rest], null, true);
  }
  const pieces: Piece[] = [];
  let fragments: string[] = [];
  const flush = () => {
    if (fragments.length === 1) pieces.push({ text: fragments[0]!, intro, isReference: false });
    else
      pieces.push(
        ...joined(
          fragments.map((text) => markedItem(text, "-")),
          intro,
          true,
        ),
      );
    fragments = [];
  };
  for (const { text } of list) {
    if (!standsAlone(text)) {
      fragments.push(text);
      continue;
    }
    flush();
    pieces.push({ text, intro, isReference: false });
  }
  flush();
  return pieces;
}

const markedItem = (text: string, mark: string): string =>
  `${mark} ${text.replaceAll("\n", `\n${" ".repeat(mark.length + 1)}`)}`;

/** A list of names or commands begins most of its items with them. */
function isOfRules(list: readonly Block[]): boolean {
  const share = (isMeant: (text: string) => boolean) => list.filter(({ text }) => isMeant(text)).length / list.length;
  const isNamed = (text: string) => /^(?:\*\*)?[`[]/.test(text) && !isRule(text);
  return share(standsAlone) >= MAJORITY && share(isNamed) < MAJORITY;
}

function standsAlone(text: string): boolean {
  const words = wordCount(text);
  return words >= LEAST_WORDS_ALONE || (words >= 2 && isRule(text));
}

export const wordCount = (text: string): number =>
  plainText(text)
    .split(" ")
    .filter((word) => /\p{L}|\p{N}/u.test(word)).length;

/** Texts that belong together, in parts of a sensible size. Items of a list follow each other closely. */
function joined(texts: readonly string[], intro: string | null, isReference: boolean): Piece[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    const separator = isReference ? "\n" : "\n\n";
    if (last === undefined || last.length + text.length > PIECE_CHARACTERS) parts.push(text);
    else parts[parts.length - 1] = `${last}${separator}${text}`;
  }
  return parts.map((text) => ({ text, intro, isReference }));
}
