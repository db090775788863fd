/**
 * Reads JSON with comments and trailing commas, and keeps where everything stands.
 *
 * Editors of configurations change the text at those places and nothing else. What is neither JSON nor JSONC is
 * refused with its line, never guessed.
 */

/** JSON values, as configurations of hosts hold them. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const isObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface JsonNode {
  kind: "object" | "array" | "scalar";
  start: number;
  end: number;
  items: JsonItem[];
  /** Of a scalar. */
  scalar: null | boolean | number | string;
}

/** A member of an object, or an element of an array. */
interface JsonItem {
  key: string | null;
  /** Where the key begins, or the element. */
  start: number;
  node: JsonNode;
  /** Where the comma after it stands. */
  comma: number | null;
}

export interface Fault {
  fault: string;
}

const DEEPEST = 200;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;

interface Reader {
  text: string;
  at: number;
}

export function readJson(text: string): JsonNode | Fault {
  const reader: Reader = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  try {
    skip(reader);
    const root = readValue(reader, 0);
    skip(reader);
    return reader.at === text.length ? root : fail(reader);
  } catch (thrown) {
    const line = `line ${text.slice(0, reader.at).split("\n").length}`;
    // A pattern's stack is limited: about eight million characters in one string.
    if (thrown instanceof RangeError) return { fault: `${line} is too long` };
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { fault: `${line} is not JSON` };
  }
}

function fail({ at }: Reader): never {
  throw new SyntaxError(String(at));
}

function skip(reader: Reader): void {
  const { text } = reader;
  for (reader.at = skipBlank(text, reader.at); text[reader.at] === "/"; reader.at = skipBlank(text, reader.at))
    reader.at = commentEnd(text, reader.at) ?? fail(reader);
}

function matched(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? fail(reader);
  reader.at += found.length;
  return found;
}

function readValue(reader: Reader, depth: number): JsonNode {
  if (depth > DEEPEST) fail(reader);
  const start = reader.at;
  const first = reader.text[start];
  if (first === "{")
    return { kind: "object", scalar: null, start, items: readItems(reader, depth, "}"), end: reader.at };
  if (first === "[")
    return { kind: "array", scalar: null, start, items: readItems(reader, depth, "]"), end: reader.at };
  const scalar = JSON.parse(matched(reader, first === '"' ? STRING : SCALAR)) as JsonNode["scalar"];
  return { kind: "scalar", start, end: reader.at, items: [], scalar };
}

function readItems(reader: Reader, depth: number, close: "}" | "]"): JsonItem[] {
  const items: JsonItem[] = [];
  reader.at += 1;
  for (skip(reader); reader.text[reader.at] !== close; skip(reader)) {
    if (items.at(-1)?.comma === null) fail(reader);
    items.push(readItem(reader, depth, close === "}"));
  }
  reader.at += 1;
  return items;
}

function readItem(reader: Reader, depth: number, isMember: boolean): JsonItem {
  const start = reader.at;
  let key: string | null = null;
  if (isMember) {
    key = JSON.parse(matched(reader, STRING)) as string;
    skip(reader);
    if (reader.text[reader.at] !== ":") fail(reader);
    reader.at += 1;
    skip(reader);
  }
  const node = readValue(reader, depth + 1);
  skip(reader);
  const comma = reader.text[reader.at] === "," ? reader.at : null;
  reader.at = comma === null ? node.end : comma + 1;
  return { key, start, node, comma };
}

export const isFault = (read: object): read is Fault => "fault" in read;

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return at;
}

/** Where the comment that begins here ends; null if none begins or it has no end. A line comment ends before its line does. */
function commentEnd(text: string, at: number): number | null {
  if (text.startsWith("/*", at)) {
    const end = text.indexOf("*/", at + 2);
    return end === -1 ? null : end + 2;
  }
  if (!text.startsWith("//", at)) return null;
  const end = text.indexOf("\n", at);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

export function jsonValue(node: JsonNode): Json {
  if (node.kind === "scalar") return node.scalar;
  if (node.kind === "array") return node.items.map((item) => jsonValue(item.node));
  return Object.fromEntries(node.items.map((item) => [item.key!, jsonValue(item.node)]));
}

/** The last member of that name, as JSON readers take it. */
export function memberOf(node: JsonNode, key: string): JsonItem | null {
  return node.kind === "object" ? (node.items.findLast((item) => item.key === key) ?? null) : null;
}

export function nodeAt(root: JsonNode, path: readonly (string | number)[]): JsonNode | null {
  let node: JsonNode | null = root;
  for (const step of path) {
    if (node === null) return null;
    node = (typeof step === "number" ? node.items[step]?.node : memberOf(node, step)?.node) ?? null;
  }
  return node;
}

/** How a JSON text is laid out: line ends, indentation, and a value written in the same way. */
interface Layout {
  lineEnd: string;
  /** One step of indentation. */
  unit: string;
  /** The whole document is on one line. */
  isCompact: boolean;
}

function layoutOf(text: string, root: JsonNode): Layout {
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
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))![0];
}

/** The blanks before this: from its line's beginning with the line end, or what separates it from its neighbour. */
function leadOf(text: string, at: number): string {
  let from = at;
  while (from > 0 && " \t".includes(text[from - 1]!)) from -= 1;
  if (text[from - 1] !== "\n") return text.slice(from, at);
  return text.slice(text[from - 2] === "\r" ? from - 2 : from - 1, at);
}

/** Behind the comments that follow on the same line. */
function afterComments(text: string, from: number): number {
  for (let end = from; ; ) {
    let at = end;
    while (text[at] === " " || text[at] === "\t") at += 1;
    const after = commentEnd(text, at);
    if (after === null) return end;
    end = after;
  }
}

/** Whether a line comment ends here, so that nothing may follow on the same line. */
function endsLineComment(text: string, from: number, to: number): boolean {
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
function writeJson(value: Json, layout: Layout, indent: string, broken = 0): string {
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

// Adds, replaces and removes one entry in a JSON text, and touches nothing else.
//
// An entry goes behind the last one. Removing it restores the text byte for byte; what the text alone cannot tell (how an
// empty list was written, which lists did not exist) is in the traces that adding leaves.

/** What removing must know: a list that did not exist, or how it was written while it was empty. */
interface Trace {
  path: string[];
  empty: string | null;
}

interface Edited {
  text: string;
  traces: Trace[];
}

/** Adds a member (`key`) or an element (null) to the list at this path; lists that do not exist are made. */
export function addJson(text: string, path: readonly string[], key: string | null, value: Json): Edited {
  const root = rootOf(text);
  let [list, depth] = [root, 0];
  for (let next; depth < path.length && (next = memberOf(list, path[depth]!)); depth += 1) list = next.node;
  const rest = [...path.slice(depth), ...(key === null ? [] : [key])];
  const traces: Trace[] = path
    .slice(depth)
    .map((_, index) => ({ path: path.slice(0, depth + index + 1), empty: null }));
  if (list.items.length === 0) {
    traces.unshift({ path: path.slice(0, depth), empty: text.slice(list.start + 1, list.end - 1) });
  }
  const [first = null, ...inner] = rest;
  const isElement = first === null;
  const nested = nest(inner, key === null && depth < path.length ? [value] : value);
  return {
    text: append(text, list, isElement ? null : first, { root, value: nested, broken: path.length - depth }),
    traces,
  };
}

const nest = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

interface Entry {
  root: JsonNode;
  value: Json;
  /** Levels of lists that are made for it. */
  broken: number;
}

function append(text: string, list: JsonNode, key: string | null, { root, value, broken }: Entry): string {
  const layout = layoutOf(text, root);
  const written = (indent: string) => {
    const name = key === null ? "" : `${JSON.stringify(key)}:${layout.isCompact ? "" : " "}`;
    return name + writeJson(value, layout, indent, broken);
  };
  const outer = indentAt(text, list.start);
  const ownLine = layout.lineEnd + outer + layout.unit;
  const last = list.items.at(-1);
  if (last === undefined) {
    const at = afterComments(text, list.start + 1);
    const close = list.end - 1;
    if (layout.isCompact) return splice(text, at, close, written(""));
    const entry = ownLine + written(outer + layout.unit);
    if (text.slice(at, close).includes("\n")) return splice(text, at, at, entry);
    return splice(text, at, close, entry + layout.lineEnd + outer);
  }
  const end = last.comma === null ? last.node.end : last.comma + 1;
  const at = afterComments(text, end);
  const seen = leadOf(text, last.start);
  const lead = !seen.includes("\n") && endsLineComment(text, end, at) ? ownLine : seen;
  const isOnLine = lead.includes("\n");
  const indent = isOnLine ? lead.slice(lead.lastIndexOf("\n") + 1) : outer;
  const entry = lead + written(indent);
  if (last.comma !== null) return splice(text, at, at, `${entry},`);
  return splice(splice(text, at, at, entry), end, end, ",");
}

/** Replaces a value by another. */
export function replaceJson(text: string, path: readonly (string | number)[], value: Json): string {
  const root = rootOf(text);
  const node = nodeAt(root, path);
  if (node === null) return text;
  return splice(text, node.start, node.end, writeJson(value, layoutOf(text, root), indentAt(text, node.start)));
}

/** Removes an entry, and the lists around it that were made for it and are empty now. */
export function removeJson(text: string, path: readonly (string | number)[], traces: readonly Trace[]): string {
  const parent = path.slice(0, -1);
  const list = nodeAt(rootOf(text), parent);
  const last = path.at(-1);
  const index = list === null ? -1 : list.items.findLastIndex((item, at) => (item.key ?? at) === last);
  if (list === null || index === -1) return text;
  const removed = cut(text, list, index);
  const now = nodeAt(rootOf(removed), parent)!;
  if (now.items.length > 0) return removed;
  const inside = removed.slice(now.start + 1, now.end - 1);
  const trace = traces.find(
    (one) => one.path.length === parent.length && one.path.every((key, at) => key === parent[at]),
  );
  if (trace?.empty === null && inside.trim() === "" && parent.length > 0) return removeJson(removed, parent, traces);
  const empty = trace?.empty ?? "";
  return bare(inside) === bare(empty) ? splice(removed, now.start + 1, now.end - 1, empty) : removed;
}

function cut(text: string, list: JsonNode, index: number): string {
  const { start, node, comma } = list.items[index]!;
  const before = list.items[index - 1];
  const from = before === undefined ? list.start + 1 : (before.comma ?? before.node.end) + 1;
  const kept = afterComments(text, from);
  let at = start;
  while (at > kept && /\s/.test(text[at - 1]!)) at -= 1;
  const end = comma === null ? node.end : comma + 1;
  const restOfLine = /^[^\r\n]*/.exec(text.slice(end, end + 10_000))![0];
  // Behind a line comment, what follows on our line would become part of it.
  if (endsLineComment(text, from, at) && restOfLine.trim() !== "") at = start;
  const removed = splice(text, at, end, "");
  return comma === null && before !== undefined ? splice(removed, before.comma!, before.comma! + 1, "") : removed;
}

const bare = (text: string) => text.replace(/\s+/g, "");

const splice = (text: string, from: number, to: number, added: string) => text.slice(0, from) + added + text.slice(to);

/** The caller has read the text before. */
function rootOf(text: string): JsonNode {
  const root = readJson(text);
  if (isFault(root)) throw new Error(root.fault);
  return root;
}
