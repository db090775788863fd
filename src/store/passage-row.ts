/** Converts between passages and rows, and says which passages of an item stay as they are when it changes. */
import type { Item } from "../memory/item.ts";
import type { Passage, StoredPassage, Turn } from "../memory/shelves.ts";
import { turnOf } from "../text/turns.ts";

// Wordpieces of passages as bytes, and in how many passages each occurs.

/** The piece that counts passages themselves. */
export const ALL_PASSAGES = -1;
/** All values of 16 bits. */
const PIECE_NUMBERS = 65_536;

/** Adds, for each of these pieces, in how many of the passages it occurs. */
export function countPieces(
  pieces: readonly number[],
  passages: readonly Buffer[],
  frequency: Map<number, number>,
): void {
  // The last passage, numbered from 1, in which each wanted piece was seen: a piece counts once per passage.
  const seen = new Uint16Array(PIECE_NUMBERS);
  const isWanted = new Uint8Array(PIECE_NUMBERS);
  for (const piece of pieces) isWanted[piece] = 1;
  for (const [index, tokens] of passages.entries()) {
    for (const piece of wordpiecesOf(tokens)) {
      if (isWanted[piece] === 0 || seen[piece] === index + 1) continue;
      seen[piece] = index + 1;
      frequency.set(piece, (frequency.get(piece) ?? 0) + 1);
    }
  }
}

export function distinctPieces(tokens: Buffer | null): Set<number> {
  return new Set([ALL_PASSAGES, ...(tokens ? wordpiecesOf(tokens) : [])]);
}

export function bytesOf(tokens: Uint16Array): Buffer {
  return Buffer.from(tokens.buffer, tokens.byteOffset, tokens.byteLength);
}

export function wordpiecesOf(bytes: Buffer): Uint16Array {
  // A blob may start at an odd address; a copy does not. An odd byte at its end is ignored.
  return new Uint16Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2))).buffer);
}

export interface ItemChange {
  before: Item;
  after: Item;
}

export interface PassageRow {
  number: number;
  item_id: string;
  embed: number;
  ordinal: number;
  heading: string | null;
  start_line: number | null;
  end_line: number | null;
  text: string;
  tokens: Buffer | null;
  speaker: string | null;
  role: Turn["role"];
  said_at: number | null;
}

export function toPassage(row: PassageRow): StoredPassage {
  const turn = turnOf({ speaker: row.speaker, role: row.role, at: row.said_at });
  return {
    passage: row.number,
    itemId: row.item_id,
    ordinal: row.ordinal,
    heading: row.heading,
    startLine: row.start_line,
    endLine: row.end_line,
    text: row.text,
    tokens: row.tokens ? wordpiecesOf(row.tokens) : null,
    ...(turn && { turn }),
  };
}

export const turnValues = ({ turn }: Passage) => [turn?.speaker ?? null, turn?.role ?? null, turn?.at ?? null];

/** In the column order of the insert statement. */
export function passageValues(passage: Passage, itemSeq: number, embed: boolean): (string | number | Buffer | null)[] {
  const { ordinal, heading, startLine, endLine, text, tokens } = passage;
  const bytes = tokens && bytesOf(tokens);
  return [itemSeq, ordinal, heading, startLine, endLine, text, bytes, embed ? 1 : 0, ...turnValues(passage)];
}

/** A passage that is there, as far as a change of it needs to know. */
export interface WrittenPassage {
  number: number;
  text: string;
  tokens: Buffer | null;
  embed: number;
}

/**
 * How many passages at the head and tail are unchanged and keep their vectors: most edits change one place of a text.
 * Title and text are embedded together, so a new title changes all passages, and new tags change none.
 */
export function unchanged(
  present: readonly WrittenPassage[],
  { before, after }: ItemChange,
  passages: readonly Passage[],
  embed: boolean,
): { head: number; tail: number } {
  const most = before.title === after.title ? Math.min(present.length, passages.length) : 0;
  const isSame = (index: number) =>
    present.at(index)!.text === passages.at(index)!.text && present.at(index)!.embed === (embed ? 1 : 0);
  let [head, tail] = [0, 0];
  while (head < most && isSame(head)) head += 1;
  while (tail < most - head && isSame(-1 - tail)) tail += 1;
  return { head, tail };
}

// How much a search looks at. Every engine keeps to the same limits, so that all give the same answers.

/** A substring search reads text, so it covers the newest passages only. */
export const SUBSTRING_PASSAGES = 20_000;

/** This share of a shelf's vectors is checked one by one before the filter is run over all items. */
export const CHECKED_SHARE = 0.02;

export const LARGE_STORE_PASSAGES = 20_000;
/** A word in more passages than this is too common to select candidates by. */
export const SELECTIVE_PASSAGES = 10_000;
export const WHOLE_RANKING = 100_000;
