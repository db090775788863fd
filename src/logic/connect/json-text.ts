/**
 * Reads JSON with comments and trailing commas, and keeps where everything stands.
 *
 * Editors of configurations change the text at those places and nothing else. What is neither JSON nor JSONC is
 * refused with its line, never guessed.
 */
import type { Json } from "../../model/connect/json.ts";

export interface JsonNode {
  kind: "object" | "array" | "scalar";
  start: number;
  end: number;
  items: JsonItem[];
  /** Of a scalar. */
  scalar: null | boolean | number | string;
}

/** A member of an object, or an element of an array. */
export interface JsonItem {
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

export function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return at;
}

/** Where the comment that begins here ends; null if none begins or it has no end. A line comment ends before its line does. */
export function commentEnd(text: string, at: number): number | null {
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
