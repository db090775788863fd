/**
 * Reads TOML as far as an editor of configurations needs it: tables, keys, and where each value stands.
 *
 * Strings, lists and inline tables are read; numbers and dates stay text. What is not understood is refused with its line.
 */
import type { Json } from "../../model/connect/json.ts";
import type { Fault } from "./json-text.ts";

export interface TomlNode {
  start: number;
  end: number;
  value: Json;
  /** The parts of a list. */
  elements: TomlNode[];
  /** The parts of an inline table. */
  pairs: { key: string[]; node: TomlNode }[];
}

/** A table's header (`node` is null) or a pair in it, with its whole lines. */
export interface TomlStatement {
  start: number;
  end: number;
  /** From the root of the document. */
  path: string[];
  /** The path of the table it stands in. */
  table: string[];
  isList: boolean;
  node: TomlNode | null;
}

const DEEPEST = 100;
const BLANK = /[ \t]*/y;
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
const LINE_REST = /[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const SCALAR = /[A-Za-z0-9_+.:-]+(?: \d\d:[\d:.Z+-]+)?/y;
const MULTI_BASIC = /"""(?:[^\\]|\\[^])*?"{3,5}/y;
const MULTI_LITERAL = /'''[^]*?'{3,5}/y;
const BASIC = /"(?:[^"\\\r\n]|\\.)*"/y;
const LITERAL = /'[^'\r\n]*'/y;

export function readToml(text: string): TomlStatement[] | Fault {
  let at = text.startsWith("\ufeff") ? 1 : 0;

  function fail(): never {
    throw new SyntaxError(String(at));
  }
  function tryMatch(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at += found[0].length;
    return found[0];
  }
  const matched = (pattern: RegExp): string => tryMatch(pattern) ?? fail();
  function expect(sign: string): void {
    if (!text.startsWith(sign, at)) fail();
    at += sign.length;
  }
  function key(): string[] {
    const parts: string[] = [];
    do {
      if (parts.length > 0) at += 1;
      matched(BLANK);
      parts.push(text[at] === '"' || text[at] === "'" ? quoted() : matched(BARE_KEY));
      matched(BLANK);
    } while (text[at] === ".");
    return parts;
  }
  const quoted = (): string => (text[at] === '"' ? unescaped(matched(BASIC)) : matched(LITERAL).slice(1, -1));
  function string(): string {
    if (text.startsWith('"""', at)) return unescaped(matched(MULTI_BASIC).slice(2, -2));
    if (text.startsWith("'''", at))
      return matched(MULTI_LITERAL)
        .slice(3, -3)
        .replace(/^\r?\n/, "");
    return quoted();
  }
  function value(depth: number): TomlNode {
    if (depth > DEEPEST) fail();
    const node: TomlNode = { start: at, end: at, value: null, elements: [], pairs: [] };
    if (text[at] === "[") {
      parts("]", () => node.elements.push(value(depth + 1)));
      node.value = node.elements.map((element) => element.value);
    } else if (text[at] === "{") {
      parts("}", () => {
        const name = key();
        expect("=");
        matched(BLANK);
        node.pairs.push({ key: name, node: value(depth + 1) });
      });
      node.value = tableOf(node.pairs.map((pair) => [pair.key, pair.node.value]));
    } else node.value = text[at] === '"' || text[at] === "'" ? string() : matched(SCALAR);
    node.end = at;
    return node;
  }
  function parts(close: string, read: () => void): void {
    at += 1;
    for (matched(SPACE); text[at] !== close; matched(SPACE)) {
      read();
      matched(SPACE);
      if (text[at] === ",") at += 1;
      else if (text[at] !== close) fail();
    }
    at += 1;
  }

  try {
    const statements: TomlStatement[] = [];
    let table: string[] = [];
    while (at < text.length) {
      const start = at;
      if (tryMatch(LINE_REST) !== null) continue;
      matched(BLANK);
      const isList = text.startsWith("[[", at);
      if (text[at] === "[") {
        at += isList ? 2 : 1;
        const path = key();
        expect(isList ? "]]" : "]");
        matched(LINE_REST);
        statements.push({ start, end: at, path, table: path, isList, node: null });
        table = path;
      } else {
        const name = key();
        expect("=");
        matched(BLANK);
        const node = value(0);
        matched(LINE_REST);
        statements.push({ start, end: at, path: [...table, ...name], table, isList: false, node });
      }
    }
    return statements;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { fault: `line ${text.slice(0, at).split("\n").length} is not TOML` };
  }
}

/** Throws a SyntaxError if an escape is unknown. `quoted` has one quote on each side. */
function unescaped(quotedText: string): string {
  const body = quotedText.slice(1, -1).replace(/^"?\r?\n/, "");
  return body.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([ \t]*\r?\n\s*)|([^]))/g,
    (...found) => {
      const [, four, eight, two, folded, letter] = found as (string | undefined)[];
      const code = four ?? eight ?? two;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (folded !== undefined) return "";
      const known = ESCAPES[letter!];
      if (known === undefined) throw new SyntaxError(letter);
      return known;
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" },
  ...{ '"': '"', "\\": "\\" },
};

/** Nested tables from dotted keys. */
export function tableOf(pairs: readonly (readonly [path: readonly string[], value: Json])[]): { [key: string]: Json } {
  const table: { [key: string]: Json } = Object.create(null) as { [key: string]: Json };
  for (const [path, value] of pairs) {
    let inner = table;
    for (const key of path.slice(0, -1)) {
      const found = inner[key];
      const isTable = typeof found === "object" && found !== null && !Array.isArray(found);
      inner = isTable ? found : (inner[key] = Object.create(null) as { [key: string]: Json });
    }
    inner[path.at(-1)!] = value;
  }
  return table;
}

/** A basic string, on one line. */
export const writeTomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
