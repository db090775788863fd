/** How a JSON text is laid out: line ends, indentation, and a value written in the same way. */
import type { Json } from "../../model/connect/json.ts";
import { type JsonNode, commentEnd } from "./json-text.ts";

export interface Layout {
  lineEnd: string;
  /** One step of indentation. */
  unit: string;
  /** The whole document is on one line. */
  isCompact: boolean;
}

export function layoutOf(text: string, root: JsonNode): Layout {
  const inner = text.slice(root.start, root.end);
  return {
    lineEnd: lineEndOf(text),
    unit: unitIn(text, root) ?? "  ",
    isCompact: root.items.length > 0 && !inner.includes("\n"),
  };
}

export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

function unitIn(text: string, node: JsonNode): string | null {
  const outer = indentAt(text, node.start);
  for (const { start, node: inner } of node.items) {
    const own = leadOf(text, start);
    const indent = own.includes("\n") ? own.slice(own.lastIndexOf("\n") + 1) : "";
    if (indent.length > outer.length && indent.startsWith(outer)) return indent.slice(outer.length);
    const deeper = unitIn(text, inner);
    if (deeper !== null) return deeper;
  }
  return null;
}

/** The indentation of the line on which this stands. */
export function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))![0];
}

/** The blanks before this: from its line's beginning with the line end, or what separates it from its neighbour. */
export function leadOf(text: string, at: number): string {
  let from = at;
  while (from > 0 && " \t".includes(text[from - 1]!)) from -= 1;
  if (text[from - 1] !== "\n") return text.slice(from, at);
  return text.slice(text[from - 2] === "\r" ? from - 2 : from - 1, at);
}

/** Behind the comments that follow on the same line. */
export function afterComments(text: string, from: number): number {
  for (let end = from; ; ) {
    let at = end;
    while (text[at] === " " || text[at] === "\t") at += 1;
    const after = commentEnd(text, at);
    if (after === null) return end;
    end = after;
  }
}

/** Whether a line comment ends here, so that nothing may follow on the same line. */
export function endsLineComment(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const after = commentEnd(text, at);
    if (after === null) at += 1;
    else if (text.startsWith("//", at)) return true;
    else at = after;
  }
  return false;
}

/** What is longer than this goes onto lines of its own. */
const LINE_WIDTH = 160;

/** `broken`: so many levels are on lines of their own in any case. */
export function writeJson(value: Json, layout: Layout, indent: string, broken = 0): string {
  if (layout.isCompact || typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const written = (deeper: string) =>
    isList
      ? value.map((one) => writeJson(one, layout, deeper, broken - 1))
      : Object.entries(value).map(
          ([key, one]) => `${JSON.stringify(key)}: ${writeJson(one, layout, deeper, broken - 1)}`,
        );
  const short = written(indent).join(", ");
  if (short === "") return isList ? "[]" : "{}";
  if (broken <= 0 && indent.length + short.length < LINE_WIDTH && !short.includes("\n"))
    return isList ? `[${short}]` : `{ ${short} }`;
  const line = layout.lineEnd + indent + layout.unit;
  const parts = written(indent + layout.unit).join(`,${line}`);
  return `${isList ? "[" : "{"}${line}${parts}${layout.lineEnd}${indent}${isList ? "]" : "}"}`;
}
