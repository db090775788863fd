/**
 * Adds, updates and removes one table in a TOML text, and touches nothing else.
 *
 * A new table goes to the end. One that exists is found in any form: as a table with subtables, as dotted keys, or as an
 * inline table in its parent's. Where a new table could not be added next to what is there, that is said.
 */
import { type Json, isObject } from "../../model/connect/json.ts";
import { lineEndOf } from "./json-layout.ts";
import { type Fault, isFault } from "./json-text.ts";
import { type TomlNode, type TomlStatement, readToml, tableOf, writeTomlString } from "./toml-text.ts";

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
