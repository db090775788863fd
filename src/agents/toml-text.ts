/**
 * Reads TOML as far as an editor of configurations needs it: tables, keys, and where each value stands.
 *
 * Strings, lists and inline tables are read; numbers and dates stay text. What is not understood is refused with its line.
 */
import { type Fault, isFault, isObject, type Json, lineEndOf } from "./json-text.ts";

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
interface TomlStatement {
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

interface Reader {
  text: string;
  at: number;
}

export function readToml(text: string): TomlStatement[] | Fault {
  const reader: Reader = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  try {
    const statements: TomlStatement[] = [];
    while (reader.at < text.length) {
      if (tryMatch(reader, LINE_REST) === null) statements.push(readStatement(reader, statements.at(-1)?.table ?? []));
    }
    return statements;
  } catch (thrown) {
    const line = `line ${text.slice(0, reader.at).split("\n").length}`;
    // A pattern's stack is limited: about eight million characters in one string.
    if (thrown instanceof RangeError) return { fault: `${line} is too long` };
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { fault: `${line} is not TOML` };
  }
}

/** A header or a pair, with the rest of its line. */
function readStatement(reader: Reader, table: string[]): TomlStatement {
  const start = reader.at;
  matched(reader, BLANK);
  if (reader.text[reader.at] === "[") {
    const isList = reader.text.startsWith("[[", reader.at);
    reader.at += isList ? 2 : 1;
    const path = readKey(reader);
    expect(reader, isList ? "]]" : "]");
    matched(reader, LINE_REST);
    return { start, end: reader.at, path, table: path, isList, node: null };
  }
  const { key, node } = readPair(reader, 0);
  matched(reader, LINE_REST);
  return { start, end: reader.at, path: [...table, ...key], table, isList: false, node };
}

function fail({ at }: Reader): never {
  throw new SyntaxError(String(at));
}

function tryMatch(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  reader.at += found?.length ?? 0;
  return found;
}

const matched = (reader: Reader, pattern: RegExp): string => tryMatch(reader, pattern) ?? fail(reader);

function expect(reader: Reader, sign: string): void {
  if (!reader.text.startsWith(sign, reader.at)) fail(reader);
  reader.at += sign.length;
}

function readKey(reader: Reader): string[] {
  const parts: string[] = [];
  do {
    if (parts.length > 0) reader.at += 1;
    matched(reader, BLANK);
    parts.push(isQuote(reader) ? readQuoted(reader) : matched(reader, BARE_KEY));
    matched(reader, BLANK);
  } while (reader.text[reader.at] === ".");
  return parts;
}

const isQuote = ({ text, at }: Reader) => text[at] === '"' || text[at] === "'";

const readQuoted = (reader: Reader): string =>
  reader.text[reader.at] === '"' ? unescaped(matched(reader, BASIC)) : matched(reader, LITERAL).slice(1, -1);

function readString(reader: Reader): string {
  if (reader.text.startsWith('"""', reader.at)) return unescaped(matched(reader, MULTI_BASIC).slice(2, -2));
  if (!reader.text.startsWith("'''", reader.at)) return readQuoted(reader);
  return matched(reader, MULTI_LITERAL)
    .slice(3, -3)
    .replace(/^\r?\n/, "");
}

function readPair(reader: Reader, depth: number): { key: string[]; node: TomlNode } {
  const key = readKey(reader);
  expect(reader, "=");
  matched(reader, BLANK);
  return { key, node: readValue(reader, depth) };
}

function readValue(reader: Reader, depth: number): TomlNode {
  if (depth > DEEPEST) fail(reader);
  const node: TomlNode = { start: reader.at, end: reader.at, value: null, elements: [], pairs: [] };
  const first = reader.text[reader.at];
  if (first === "[") {
    readParts(reader, "]", () => node.elements.push(readValue(reader, depth + 1)));
    node.value = node.elements.map((element) => element.value);
  } else if (first === "{") {
    readParts(reader, "}", () => node.pairs.push(readPair(reader, depth + 1)));
    node.value = tableOf(node.pairs.map((pair) => [pair.key, pair.node.value]));
  } else node.value = isQuote(reader) ? readString(reader) : matched(reader, SCALAR);
  node.end = reader.at;
  return node;
}

function readParts(reader: Reader, close: string, read: () => void): void {
  reader.at += 1;
  for (matched(reader, SPACE); reader.text[reader.at] !== close; matched(reader, SPACE)) {
    read();
    matched(reader, SPACE);
    if (reader.text[reader.at] === ",") reader.at += 1;
    else if (reader.text[reader.at] !== close) fail(reader);
  }
  reader.at += 1;
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
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};

/** Nested tables from dotted keys. */
function tableOf(pairs: readonly (readonly [path: readonly string[], value: Json])[]): { [key: string]: Json } {
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

/**
 * Adds, updates and removes one table in a TOML text, and touches nothing else.
 *
 * A new table goes to the end. One that exists is found in any form: as a table with subtables, as dotted keys, or as an
 * inline table in its parent's. Where a new table could not be added next to what is there, that is said.
 */
export interface TomlEntry {
  value: { [key: string]: Json };
  /** Where the value of one of its own keys stands. */
  nodeOf(key: string): TomlNode | null;
  statements: TomlStatement[];
}

/** The table at this path; null if there is none; a fault if it cannot be edited safely. */
export function findToml(text: string, path: readonly string[]): TomlEntry | null | Fault {
  const read = readToml(text);
  if (isFault(read)) return read;
  const statements = read.filter((one) => startsWith(one.path, path));
  const around = read.filter((one) => one.path.length < path.length && startsWith(path, one.path));
  if (around.some((one) => one.node !== null || one.isList) || statements.some((one) => one.isList))
    return { fault: `\`${path.slice(0, -1).join(".")}\` is written in a form that cannot be extended` };
  if (statements.length === 0) {
    const isDotted = read.some((one) => one.node !== null && one.table.length === 0 && one.path[0] === path[0]);
    return isDotted
      ? { fault: `\`${path[0]}\` is written with dotted keys, beside which no table can be added` }
      : null;
  }
  const pairs = statements.flatMap(({ path: own, node }) =>
    node === null ? [] : [{ key: own.slice(path.length), node }],
  );
  const whole = pairs.find(({ key }) => key.length === 0);
  const parts = whole === undefined ? pairs : whole.node.pairs;
  return {
    value: tableOf(parts.map(({ key, node }) => [key, node.value])),
    nodeOf: (name) => parts.find(({ key }) => key.length === 1 && key[0] === name)?.node ?? null,
    statements,
  };
}

const startsWith = (path: readonly string[], start: readonly string[]) => start.every((key, at) => path[at] === key);

/** `lead` is the text between what was there and the new table. */
export function addToml(
  text: string,
  path: readonly string[],
  value: { [key: string]: Json },
): { text: string; lead: string } {
  const lineEnd = lineEndOf(text);
  const isBlank = text.replace("\ufeff", "").trim() === "";
  const lead = (text === "" || text.endsWith("\n") || isBlank ? "" : lineEnd) + (isBlank ? "" : lineEnd);
  return { text: text + lead + writeTable(path, value, lineEnd), lead };
}

export function writeTable(path: readonly string[], value: { [key: string]: Json }, lineEnd: string): string {
  const header = `[${path.map(writeKey).join(".")}]`;
  const lines = Object.entries(value).map(([key, one]) => `${writeKey(key)} = ${writeTomlValue(one)}`);
  return [header, ...lines, ""].join(lineEnd);
}

const writeKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : writeTomlString(key));

export function writeTomlValue(value: Json): string {
  if (typeof value === "string") return writeTomlString(value);
  if (Array.isArray(value)) return `[${value.map(writeTomlValue).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const pairs = Object.entries(value).map(([key, one]) => `${writeKey(key)} = ${writeTomlValue(one)}`);
  return `{ ${pairs.join(", ")} }`;
}

/** Removes the table with everything under it; comments behind its last line stay. */
export function removeToml(text: string, entry: TomlEntry, lead: string): string {
  const tables = entry.statements.filter(({ node }) => node === null);
  const lines = entry.statements.filter(
    ({ node, table }) => node !== null && !tables.some((one) => one.table === table),
  );
  const spans = [...lines.map(({ start, end }) => ({ start, end })), ...tables.map((one) => extentOf(one, entry))];
  spans.sort((a, b) => b.start - a.start);
  let left = text;
  for (const [index, { start, end }] of spans.entries()) {
    const isTable = tables.some((one) => one.start === start);
    const from = isTable && index === spans.length - 1 ? leadStart(left, start, end, lead) : start;
    left = left.slice(0, from) + left.slice(end);
  }
  return left;
}

function extentOf(header: TomlStatement, { statements }: TomlEntry): { start: number; end: number } {
  const own = statements.filter(({ node, table }) => node !== null && table === header.table);
  return { start: header.start, end: own.at(-1)?.end ?? header.end };
}

/** The lead goes with the table, unless something follows that needs the line's end before it. */
function leadStart(text: string, start: number, end: number, lead: string): number {
  const before = text.slice(0, start);
  const isLast = end === text.length;
  if (lead !== "" && before.endsWith(lead)) {
    const from = start - lead.length;
    return isLast || from === 0 || text[from - 1] === "\n" ? from : from + lineEndOf(lead).length;
  }
  const blank = /(?<=\n)\r?\n$/.exec(before);
  return blank !== null && lead !== "" ? start - blank[0].length : start;
}
