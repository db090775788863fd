/**
 * The rows of a question, so that no stored text in it can pass for our own words.
 *
 * A line that is marked as foreign keeps its mark on every row, however narrow the screen is. Terminals disagree about
 * the width of characters, so all but ASCII count as the widest there are, and what nobody would see is left out.
 */
import { createHash } from "node:crypto";
import { visible } from "../text/paragraph.ts";
import type { Question } from "./question.ts";

const MARK = "> ";
/** None of our own lines begins like this. */
const INDENT = "    ";
export const ROW_COLUMNS = 76;
const LEAST_COLUMNS = 20;
const MESSAGE_CHARACTERS = 20_000;
/** The beginning says what is asked; our own last lines say what follows from it. */
const HEAD_SHARE = 0.6;

export function questionRows(message: string, columns = ROW_COLUMNS): string[] {
  const width = Math.max(LEAST_COLUMNS, columns);
  return plain(message)
    .split("\n")
    .flatMap((line) => wrap(line, width));
}

/** The whole message, wrapped; what is too long is left out in the middle, and says so. */
export function shownQuestion(message: string): string {
  const rows = questionRows(message);
  const characters = rows.reduce((sum, row) => sum + row.length + 1, 0);
  if (characters <= MESSAGE_CHARACTERS) return rows.join("\n");
  const head = within(rows, MESSAGE_CHARACTERS * HEAD_SHARE);
  const tail = within(rows.toReversed(), MESSAGE_CHARACTERS * (1 - HEAD_SHARE)).toReversed();
  return [...head, `(${rows.length - head.length - tail.length} more lines are not shown.)`, ...tail].join("\n");
}

function within(rows: readonly string[], characters: number): string[] {
  let left = characters;
  return rows.slice(
    0,
    rows.findIndex((row) => (left -= row.length + 1) < 0),
  );
}

/** Without what is not seen, what overlaps other rows, and what has a width of its own. */
function plain(text: string): string {
  return visible(text)
    .replaceAll("\t", INDENT)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\p{Zs}\u2800]/gu, " ")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1");
}

function wrap(line: string, width: number): string[] {
  const mark = line.startsWith(MARK) ? MARK : INDENT;
  const rows: string[] = [];
  let [row, columns] = ["", 0];
  for (const character of line) {
    const own = character <= "~" ? 1 : 2;
    if (columns + own > width) {
      const kept = character === " " ? row.length : endOf(row, mark);
      rows.push(row.slice(0, kept));
      row = mark + row.slice(kept).trimStart();
      columns = columnsOf(row);
    }
    // The space at which a row was broken is not part of the next one.
    if (character === " " && rows.length > 0 && row === mark) continue;
    row += character;
    columns += own;
  }
  return [...rows, row];
}

/** Behind the last word that fits, unless that leaves most of the row empty. */
function endOf(row: string, mark: string): number {
  const space = row.lastIndexOf(" ");
  return space > Math.max(mark.length, row.length / 2) ? space : row.length;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character <= "~" ? 1 : 2;
  return columns;
}

/** Ties an answer to the very question that was shown, and to the call it was asked for: either one changed, another print. */
export const questionFingerprint = (verb: string, input: unknown, question: Question): string =>
  createHash("sha256")
    .update(JSON.stringify([verb, input, question]))
    .digest("base64url");
