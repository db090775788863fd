/** Recognises entries of a configuration that start Stele, and tells which installation they start. */
import type { Program } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";
import { homeNamedIn } from "./carried-home.ts";
import { wordsOf } from "./command-line.ts";
import { TOKEN_VARIABLE, addressIn, isOnThisMachine } from "./http-entries.ts";

export interface Started {
  /** What stands before the entry. */
  runner: string[];
  /** The program that runs the entry; null if the entry is started by itself. */
  node: string | null;
  /** A path, or the bare name of a command that the system finds. */
  entry: string;
  /** What follows the entry: `mcp`, `hook`, … */
  rest: string[];
  /** The command is one string. */
  isLine: boolean;
  /** The data folder it names; null if it leaves that to its surroundings. */
  home: string | null;
  /** Where the host reaches the server over HTTP; null if it starts it. */
  url: string | null;
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
  const url = addressIn(value);
  if (url !== null) return reachedAt(url, value);
  const { command, args } = value;
  const texts = (list: Json | undefined) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
  const isLine = typeof command === "string" && args === undefined;
  const words = isLine
    ? wordsOf(command)
    : [...(typeof command === "string" ? [command] : texts(command)), ...texts(args)];
  const at = words.findIndex((word) => ENTRY.test(word) || COMMAND.test(word));
  if (at === -1 || !areRunner(words.slice(0, at), words[at]!)) return null;
  const rest = words.slice(at + 1);
  const runner = words.slice(0, at);
  return { runner, node: runner.at(-1) ?? null, entry: words[at]!, rest, isLine, home: homeNamedIn(value, rest), url };
}

/** A server over HTTP is ours if it is opened with our token, which our program prints or our variable holds. */
function reachedAt(url: string, value: { [key: string]: Json }): Started | null {
  if (!isOnThisMachine(url)) return null;
  const { headersHelper = null } = value;
  const helper = headersHelper === null ? null : startedBy({ command: headersHelper });
  if (helper?.rest[0] === "serve") return { ...helper, rest: SERVES, url };
  const bare = { runner: [], node: null, entry: "stele", rest: SERVES, isLine: false, home: null };
  return JSON.stringify(value).includes(TOKEN_VARIABLE) ? { ...bare, url } : null;
}

const SERVES = ["mcp"];

/** Whether the entry starts this installation, or is a command that the system finds by its name. */
export function isCurrent({ node, entry }: Started, program: Program): boolean {
  if (!/[\\/]/.test(entry)) return true;
  return entry === program.entry && (node === program.node || node === "node");
}
