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

export function readJson(text: string): JsonNode | Fault {
  let at = text.startsWith("\ufeff") ? 1 : 0;

  function fail(): never {
    throw new SyntaxError(String(at));
  }
  function skip(): void {
    for (at = skipBlank(text, at); text[at] === "/"; at = skipBlank(text, at)) {
      const after = commentEnd(text, at);
      if (after === null) fail();
      at = after;
    }
  }
  function matched(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) fail();
    at += found.length;
    return found;
  }
  function value(depth: number): JsonNode {
    if (depth > DEEPEST) fail();
    const start = at;
    if (text[at] === "{") return { ...list(depth, "}"), kind: "object", start, end: at, scalar: null };
    if (text[at] === "[") return { ...list(depth, "]"), kind: "array", start, end: at, scalar: null };
    const scalar = JSON.parse(matched(text[at] === '"' ? STRING : SCALAR)) as JsonNode["scalar"];
    return { kind: "scalar", start, end: at, items: [], scalar };
  }
  function list(depth: number, close: "}" | "]"): { items: JsonItem[] } {
    const items: JsonItem[] = [];
    at += 1;
    for (skip(); text[at] !== close; skip()) {
      const before = items.at(-1);
      if (before !== undefined && before.comma === null) fail();
      items.push(item(depth, close === "}"));
    }
    at += 1;
    return { items };
  }
  function item(depth: number, isMember: boolean): JsonItem {
    const start = at;
    let key: string | null = null;
    if (isMember) {
      key = JSON.parse(matched(STRING)) as string;
      skip();
      if (text[at] !== ":") fail();
      at += 1;
      skip();
    }
    const node = value(depth + 1);
    const { end } = node;
    skip();
    const comma = text[at] === "," ? at : null;
    at = comma === null ? end : comma + 1;
    return { key, start, node, comma };
  }

  try {
    skip();
    const root = value(0);
    skip();
    return at === text.length ? root : fail();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { fault: `line ${text.slice(0, at).split("\n").length} is not JSON` };
  }
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
