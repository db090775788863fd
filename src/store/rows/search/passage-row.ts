/** Converts between passages and rows, and says which passages of an item stay as they are when it changes. */
import { turnOf } from "../../../logic/text/turns.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, StoredPassage, Turn } from "../../../model/memory/shelf.ts";
import { bytesOf, wordpiecesOf } from "./wordpiece-bytes.ts";

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
