/**
 * Arguments: a command line becomes raw input for one verb.
 *
 * It only moves words into fields. Whether a value is allowed is the schema's business, so
 * a number that is none stays text and is refused in the schema's own words. Text that merely
 * begins with a dash is text, which is why words are told apart here and not by `parseArgs`.
 */
import { Failure, nearest } from "../../errors.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { fieldsOf, GLOBAL_FLAGS, kebab, verbOf, type Field } from "./fields.ts";

export interface Request {
  input: Record<string, unknown>;
  /** Text fields whose positional was `-`: their value comes from standard input. */
  fromStdin: string[];
  project: string | undefined;
  dryRun: boolean;
  help: boolean;
}

type Fields = ReadonlyMap<string, Field>;

interface Flag {
  written: string;
  name: string;
  /** Behind the equals sign, if there is one. */
  inline: string | undefined;
}

const FLAG = /^(?:--([a-z][\w-]*)(?:=([\s\S]*))?|-([a-z]+))$/i;

export function parseArguments(op: AnyOperation, argv: readonly string[]): Request {
  const fields: Fields = new Map(fieldsOf(op).map((field) => [field.flag, field]));
  const request: Request = { input: {}, fromStdin: [], project: undefined, dryRun: false, help: false };
  const positionals: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positionals.push(...rest.splice(0));
      continue;
    }
    const flag = flagOf(word);
    if (flag === null) positionals.push(word);
    else if (!takeGlobal(op, flag, rest, request)) takeFlag(op, flag, rest, fields, request.input);
  }
  if (!request.help) placePositionals(op, positionals, fields, request);
  return request;
}

function flagOf(word: string): Flag | null {
  const match = FLAG.exec(word);
  if (match === null) return null;
  const [, long, inline, short] = match;
  return { written: word.split("=", 1)[0] as string, name: long === undefined ? `-${short}` : kebab(long), inline };
}

function takeGlobal(op: AnyOperation, flag: Flag, rest: string[], request: Request): boolean {
  switch (flag.name) {
    case "project":
      request.project = valueOf(flag, rest);
      return true;
    case "json":
      return true;
    case "help":
    case "-h":
      request.help = true;
      return true;
    case "dry-run":
      if (op.effect === "read") {
        throw new Failure("invalid_input", `--dry-run: ${verbOf(op)} changes nothing`, "Run it without --dry-run.");
      }
      request.dryRun = true;
      return true;
    default:
      return false;
  }
}

function takeFlag(op: AnyOperation, flag: Flag, rest: string[], fields: Fields, input: Record<string, unknown>): void {
  const negated = fields.get(flag.name.replace(/^no-/, ""));
  const field = fields.get(flag.name) ?? (negated?.kind === "switch" ? negated : undefined);
  if (field === undefined) throw unknownFlag(op, flag.written, [...fields.keys()]);
  switch (field.kind) {
    case "switch":
      input[field.name] = field.flag === flag.name ? switchOf(flag.inline) : false;
      break;
    case "texts":
      input[field.name] = [...((input[field.name] as string[] | undefined) ?? []), valueOf(flag, rest)];
      break;
    case "number":
      input[field.name] = numberOrText(valueOf(flag, rest));
      break;
    case "text":
      input[field.name] = valueOf(flag, rest);
  }
}

/** `--flag=false` says the same as `--no-flag`; any other value is left for the schema to refuse. */
function switchOf(inline: string | undefined): unknown {
  if (inline === undefined || inline === "true") return true;
  return inline === "false" ? false : inline;
}

function valueOf({ written, inline }: Flag, rest: string[]): string {
  if (inline !== undefined) return inline;
  const next = rest[0];
  if (next === undefined || next === "--" || flagOf(next) !== null) {
    throw new Failure("invalid_input", `${written} needs a value`, `Write ${written} VALUE, or ${written}=VALUE.`);
  }
  rest.shift();
  return next;
}

function numberOrText(text: string): number | string {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}

function placePositionals(op: AnyOperation, words: readonly string[], fields: Fields, request: Request): void {
  let next = 0;
  for (const name of op.cli.positional ?? []) {
    const field = fields.get(kebab(name));
    if (field === undefined || next >= words.length) break;
    if (Object.hasOwn(request.input, name)) {
      throw new Failure(
        "invalid_input",
        `${name}: is given twice`,
        `Give it in place or as --${field.flag}, not both.`,
      );
    }
    if (field.kind === "texts") {
      request.input[name] = words.slice(next);
      next = words.length;
      continue;
    }
    const word = words[next++] as string;
    if (word === "-" && field.kind === "text") request.fromStdin.push(name);
    else request.input[name] = field.kind === "number" ? numberOrText(word) : word;
  }
  if (next < words.length) {
    const hint = next === 0 ? `See \`stele ${verbOf(op)} --help\`.` : "Put text that has spaces in quotes.";
    throw new Failure("invalid_input", `${verbOf(op)} does not take the argument "${words[next]}"`, hint);
  }
}

function unknownFlag(op: AnyOperation, written: string, flags: readonly string[]): Failure {
  const close = nearest(written.replace(/^-+/, ""), [...flags, ...GLOBAL_FLAGS]);
  const hint = close === null ? `See \`stele ${verbOf(op)} --help\`.` : `Did you mean --${close}?`;
  return new Failure("invalid_input", `${verbOf(op)} has no flag ${written}`, hint);
}
