/** The text of a question to a person. Text written by others is marked, so that it cannot pass for our own words. */
import { handleOf } from "../model/memory/handle.ts";
import { counted } from "../model/text/count.ts";

const WIDTH = 76;
const LINES_SHOWN = 100;

/** A question waits for its answer, so the rest is read elsewhere. */
export const readElsewhere = (id: string): string =>
  `\`stele get ${handleOf(id)}\` in another terminal shows all of it`;

/** Wrapped here, because a terminal's own wrapping could put foreign text at the start of a line, like one of ours. */
export const wrapped = (lines: readonly string[]): string => lines.join("\n").split("\n").flatMap(wrap).join("\n");

function wrap(line: string): string[] {
  const mark = line.startsWith("> ") ? "> " : "    ";
  const rows: string[] = [];
  let start = 0;
  // The first row has its mark already; the others are shorter by theirs.
  for (let width = WIDTH; line.length - start > width; width = WIDTH - mark.length) {
    // Within the row: a line without spaces would otherwise be searched from its beginning again for each row.
    const space = line.slice(start, start + width + 1).lastIndexOf(" ");
    const end = start + (space > width / 2 ? space : width);
    rows.push(line.slice(start, end));
    start = end;
    while (line[start] === " ") start += 1;
  }
  return [...rows, line.slice(start)].map((row, index) => (index === 0 ? row : mark + row));
}

/** `rest` says where a person finds the lines that are not shown. */
export function quoted(text: string, rest: string): string[] {
  const lines = text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/).map((line) => `> ${line}`);
  const hidden = lines.length - LINES_SHOWN;
  return hidden <= 0 ? lines : [...lines.slice(0, LINES_SHOWN), `(${counted(hidden, "more line")}; ${rest}.)`];
}
