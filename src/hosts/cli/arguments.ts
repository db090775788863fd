/**
 * Arguments: a command line becomes raw input for one verb.
 *
 * It only moves words into fields. Whether a value is allowed is the schema's business,
 * so a number that is none stays text and is refused in the schema's own words.
 */
import { parseArgs, type ParseArgsConfig } from "node:util";
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

type Token = NonNullable<ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

export function parseArguments(op: AnyOperation, argv: readonly string[]): Request {
  const fields = new Map(fieldsOf(op).map((field) => [field.flag, field]));
  const request: Request = { input: {}, fromStdin: [], project: undefined, dryRun: false, help: false };
  const positionals: string[] = [];
  let lastText = -1;
  for (const token of tokensOf(fields, argv)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const written = argv[token.index] ?? "";
    // "- a list item" is text that happens to begin with a dash: no flag contains a space.
    if (!written.startsWith("--") && /\s/.test(written)) {
      if (lastText !== token.index) positionals.push(written);
      lastText = token.index;
    } else if (!takeGlobal(op, token, request)) {
      takeFlag(op, token, fields, request.input);
    }
  }
  if (!request.help) placePositionals(op, positionals, fields, request);
  return request;
}

function tokensOf(fields: ReadonlyMap<string, Field>, argv: readonly string[]): Token[] {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    project: { type: "string" },
    json: { type: "boolean" },
    "dry-run": { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  for (const field of fields.values()) {
    const type = field.kind === "switch" ? "boolean" : "string";
    options[field.flag] ??= { type };
    // Whoever types a field's own name means the same.
    options[field.name] ??= { type };
  }
  const parsed = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  return parsed.tokens;
}

function takeGlobal(op: AnyOperation, token: OptionToken, request: Request): boolean {
  if (token.rawName.startsWith("--no-")) return false;
  switch (token.name) {
    case "project":
      request.project = valueOf(token);
      return true;
    case "json":
      return true;
    case "help":
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

function takeFlag(
  op: AnyOperation,
  token: OptionToken,
  fields: ReadonlyMap<string, Field>,
  input: Record<string, unknown>,
): void {
  const field = fields.get(kebab(token.name));
  if (field === undefined) throw unknownFlag(op, token.rawName, [...fields.keys()]);
  if (field.kind === "switch") {
    input[field.name] = switchOf(token);
  } else if (field.kind === "list") {
    input[field.name] = [...((input[field.name] as string[] | undefined) ?? []), valueOf(token)];
  } else {
    input[field.name] = field.kind === "number" ? numberOrText(valueOf(token)) : valueOf(token);
  }
}

/** `--flag=false` and `--no-flag` say the same; any other value is left for the schema to refuse. */
function switchOf(token: OptionToken): unknown {
  if (token.rawName.startsWith("--no-")) return false;
  if (token.value === undefined || token.value === "true") return true;
  return token.value === "false" ? false : token.value;
}

function valueOf(token: OptionToken): string {
  const { value, inlineValue, rawName } = token;
  const looksLikeFlag = !inlineValue && /^--?[a-z]/i.test(value ?? "");
  if (value === undefined || looksLikeFlag) {
    throw new Failure("invalid_input", `${rawName} needs a value`, `Write ${rawName} VALUE, or ${rawName}=VALUE.`);
  }
  return value;
}

function numberOrText(text: string): number | string {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}

function placePositionals(
  op: AnyOperation,
  words: readonly string[],
  fields: ReadonlyMap<string, Field>,
  request: Request,
): void {
  let next = 0;
  for (const name of op.cli.positional ?? []) {
    const field = fields.get(kebab(name));
    if (field === undefined || next >= words.length) break;
    if (name in request.input) {
      throw new Failure(
        "invalid_input",
        `${name}: is given twice`,
        `Give it in place or as --${field.flag}, not both.`,
      );
    }
    if (field.kind === "list") {
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
