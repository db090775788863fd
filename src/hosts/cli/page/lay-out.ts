/**
 * Lays paragraphs out on a sheet: wrapped if it has a width, coloured if it shows colours.
 *
 * Text may come from others: it is made visible before it is measured, so no escape code of theirs reaches the screen.
 */
import { styleText } from "node:util";
import type { Paragraph, Span, Style } from "../../../model/text/paragraph.ts";
import { visible } from "../../visible.ts";
import { type Row, wrap } from "./wrap.ts";

export interface Sheet {
  /** Null if rows are not wrapped. */
  readonly columns: number | null;
  readonly colours: boolean;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const MOST_COLUMNS = 120;
const LEAST_COLUMNS = 20;

const LOOKS = {
  handle: "yellow",
  match: "bold",
  fact: "dim",
  name: "bold",
  warning: "yellow",
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

export const layOut = (paragraphs: readonly Paragraph[], sheet: Sheet): string =>
  paragraphs.flatMap((paragraph) => rowsOf(paragraph, sheet)).join("\n");

/** Plain text, wrapped: each line hangs where its text begins. */
export function layOutText(text: string, sheet: Sheet): string {
  const lines = visible(text).split("\n");
  return layOut(lines.map(paragraphOf), sheet);
}

/** What stands before the text of a line: a bullet, a handle, or the name of a row. */
const LEAD = /^\s*(?:(?:[-*>•]|\d+\.) +|[0-9a-f]{8}  |[a-z][a-z ]{0,12}  +)?/;
const LONGEST_LEAD = 24;

function paragraphOf(line: string): Paragraph {
  const indent = /^ */.exec(line)![0].length;
  const lead = LEAD.exec(line)![0].length;
  return { spans: [{ text: line.slice(indent) }], indent, hang: lead <= LONGEST_LEAD ? lead : indent };
}

function rowsOf({ spans, indent = 0, hang = indent }: Paragraph, { columns, colours }: Sheet): string[] {
  const shown = spans.map((span) => ({ ...span, text: visible(span.text).replaceAll("\t", "  ") }));
  const text = shown.map((span) => span.text).join("");
  if (text.trim() === "") return [""];
  const width = columns === null ? Infinity : Math.max(LEAST_COLUMNS, Math.min(columns, MOST_COLUMNS));
  const rows = wrap(text, width - indent, width - hang);
  return rows.map((row, index) => " ".repeat(index === 0 ? indent : hang) + painted(shown, row, colours));
}

/** The part of the spans that a row shows. */
function painted(spans: readonly Span[], { from, to }: Row, colours: boolean): string {
  let at = 0;
  return spans
    .map(({ text, style }) => {
      const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
      at += text.length;
      return style !== undefined && colours && part.trim() !== ""
        ? styleText(LOOKS[style], part, { validateStream: false })
        : part;
    })
    .join("");
}
