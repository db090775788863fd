/** Recognises entries of a configuration that start Stele, and tells which installation they start. */
import type { Program } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";
import { wordsOf } from "./command-line.ts";

export interface Started {
  /** The program that runs the entry; null if the entry is started by itself. */
  node: string | null;
  /** A path, or the bare name of a command that the system finds. */
  entry: string;
  /** What follows the entry: `mcp`, `hook`, … */
  rest: string[];
  /** The command is one string. */
  isLine: boolean;
}

const ENTRY = /(?:^|[\\/])bin[\\/]stele\.js$/;
const COMMAND = /(?:^|[\\/])stele(?:\.cmd|\.exe)?$/;

const NPX: readonly string[] = ["npx", "-y", "--yes"];

/** What may stand before the entry: the Node that runs it, whatever its name. A longer command runs what it likes. */
const areRunner = (words: readonly string[], entry: string): boolean =>
  words.every((word) => NPX.includes(word)) || (words.length === 1 && ENTRY.test(entry));

/** Null if the entry starts something else. */
export function startedBy(value: Json): Started | null {
  if (!isObject(value)) return null;
  const { command, args } = value;
  const texts = (list: Json | undefined) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
  const isLine = typeof command === "string" && args === undefined;
  const words = isLine
    ? wordsOf(command)
    : [...(typeof command === "string" ? [command] : texts(command)), ...texts(args)];
  const at = words.findIndex((word) => ENTRY.test(word) || COMMAND.test(word));
  if (at === -1 || !areRunner(words.slice(0, at), words[at]!)) return null;
  return { node: words[at - 1] ?? null, entry: words[at]!, rest: words.slice(at + 1), isLine };
}

/** Whether the entry starts this installation, or is a command that the system finds by its name. */
export function isCurrent({ node, entry }: Started, program: Program): boolean {
  if (!/[\\/]/.test(entry)) return true;
  return entry === program.entry && (node === program.node || node === "node");
}
