/**
 * Arguments: a command line becomes raw input for one verb.
 *
 * It only moves words into fields. Values are validated by the schema, so an invalid number
 * stays text and gets the schema's own message. Text that merely begins with a dash is
 * text, which `parseArgs` would not allow.
 */
import type { AnyOperation } from "../catalog/operation.ts";
import { goneField, meantField } from "../catalog/other-names.ts";
import { Failure, nearest } from "../errors.ts";
import { EDIT_FLAG, type Field, fieldsOf, globalFlagsOf, kebab, verbOf } from "./fields.ts";

export interface Request {
  input: Record<string, unknown>;
  /** The text field that was given as `-`: its value comes from standard input. */
  fromStdin: string | undefined;
  project: string | undefined;
  dryRun: boolean;
  help: boolean;
  /** A person edits the field that the verb lets them edit. */
  edit: boolean;
}

type Fields = ReadonlyMap<string, Field>;

interface Flag {
  written: string;
  name: string;
  /** The value after the equals sign, if any. */
  inline: string | undefined;
}

const FLAG = /^(?:--([a-z][\w-]*)(?:=([\s\S]*))?|-([a-z]+))$/i;

export function parseArguments(op: AnyOperation, argv: readonly string[]): Request {
  const fields: Fields = new Map(fieldsOf(op).map((field) => [field.flag, field]));
  const request: Request = {
    input: {},
    fromStdin: undefined,
    project: undefined,
    dryRun: false,
    help: false,
    edit: false,
  };
  const positionals: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positionals.push(...rest.splice(0));
      continue;
    }
    const flag = flagOf(word);
    if (flag === null) positionals.push(word);
    else if (!takeGlobal(op, flag, rest, request)) takeFlag(op, flag, rest, fields, request);
  }
  if (!request.help) placePositionals(op, positionals, fields, request);
  // A text that is given needs no editor: `stele edit HANDLE "new text"`.
  if (op.editing && (Object.hasOwn(request.input, op.editing.field) || request.fromStdin === op.editing.field))
    request.edit = false;
  return request;
}

/** Whether the output is JSON; read before anything else, so that parsing errors are JSON too. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const flags = (end === -1 ? argv : argv.slice(0, end)).map(flagOf);
  const last = flags.findLast((flag) => flag?.name === "json");
  return last != null && last.inline !== "false";
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
      isOn(flag);
      return true;
    case "help":
    case "-h":
      request.help = isOn(flag);
      return true;
    case EDIT_FLAG:
      if (op.editing === undefined) return false;
      request.edit = isOn(flag);
      return true;
    case "dry-run":
      request.dryRun = isOn(flag);
      if (request.dryRun && op.effect === "read") {
        throw new Failure(
          "invalid_input",
          `${verbOf(op)} changes nothing, so it has no dry run.`,
          "Run it without --dry-run.",
        );
      }
      return true;
    default:
      return false;
  }
}

function isOn(flag: Flag): boolean {
  const value = switchOf(flag.inline);
  if (typeof value === "boolean") return value;
  const hint = `Write ${flag.written} or leave it out.`;
  throw new Failure("invalid_input", `${flag.written} must be true or false.`, hint);
}

function takeFlag(op: AnyOperation, flag: Flag, rest: string[], fields: Fields, request: Request): void {
  const { input } = request;
  const negated = fields.get(flag.name.replace(/^no-/, ""));
  const field = fields.get(flag.name) ?? (negated?.kind === "switch" ? negated : listNamed(flag.name, fields));
  if (field === undefined) throw unknownFlag(op, flag.written, fields);
  switch (field.kind) {
    case "switch":
      input[field.name] = field.flag === flag.name ? switchOf(flag.inline) : false;
      break;
    case "texts":
      input[field.name] = [
        ...((input[field.name] as string[] | undefined) ?? []),
        ...entriesOf(field, [valueOf(flag, rest)]),
      ];
      break;
    case "number":
      input[field.name] = numberOrText(valueOf(flag, rest));
      break;
    case "text":
      giveText(field, valueOf(flag, rest), request);
  }
}

/** `--tag` and `--tags` mean the same list, whichever a verb calls it. */
function listNamed(name: string, fields: Fields): Field | undefined {
  const other = fields.get(`${name}s`) ?? fields.get(name.replace(/s$/, ""));
  return other?.kind === "texts" ? other : undefined;
}

/** No fixed value has a comma, so one separates two; in a free text, such as a file's name, it may belong to it. */
const entriesOf = ({ values }: Field, texts: readonly string[]): string[] =>
  values.length === 0 ? [...texts] : texts.flatMap((text) => text.split(/\s*,\s*/));

function giveText({ name, values }: Field, text: string, request: Request): void {
  // A field with fixed values is never read from standard input.
  const isPiped = text === "-" && values.length === 0;
  if (isPiped && request.fromStdin !== undefined && request.fromStdin !== name) {
    throw new Failure(
      "invalid_input",
      `${kebab(request.fromStdin)} and ${kebab(name)} cannot both be read from standard input.`,
      "Use `-` for one of them and pass the other as text.",
    );
  }
  delete request.input[name];
  if (request.fromStdin === name) request.fromStdin = undefined;
  if (isPiped) request.fromStdin = name;
  else request.input[name] = text;
}

/** `--flag=false` means the same as `--no-flag`; any other value is left for the schema to refuse. */
function switchOf(inline: string | undefined): unknown {
  if (inline === undefined || inline === "true") return true;
  return inline === "false" ? false : inline;
}

function valueOf({ written, inline }: Flag, rest: string[]): string {
  if (inline !== undefined) return inline;
  const next = rest[0];
  if (next === undefined || next === "--" || flagOf(next) !== null) {
    throw new Failure("invalid_input", `${written} needs a value.`, `Write ${written} VALUE, or ${written}=VALUE.`);
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
    if (Object.hasOwn(request.input, name) || request.fromStdin === name) {
      throw new Failure(
        "invalid_input",
        `${field.flag} is given twice.`,
        `Give it as an argument or as --${field.flag}, not both.`,
      );
    }
    if (field.kind === "texts") {
      request.input[name] = entriesOf(field, words.slice(next));
      next = words.length;
      continue;
    }
    const word = words[next++] as string;
    if (field.kind === "number") request.input[name] = numberOrText(word);
    else giveText(field, word, request);
  }
  if (next < words.length) {
    const hint = next === 0 ? `See \`stele ${verbOf(op)} --help\`.` : "Quote text that contains spaces.";
    throw new Failure("invalid_input", `${verbOf(op)} does not take the argument "${words[next]}".`, hint);
  }
}

function unknownFlag(op: AnyOperation, written: string, fields: Fields): Failure {
  const verb = verbOf(op);
  const word = written.replace(/^-+/, "");
  const instead = goneField(op, word);
  if (instead !== null) return new Failure("invalid_input", `${verb} has no flag ${written} any more.`, instead);
  const meant = meantField(
    word,
    [...fields.values()].map(({ name }) => name),
  );
  const flags = [...fields.values()].filter(({ advertised }) => advertised).map(({ flag }) => flag);
  const close = meant === null ? nearest(word, [...flags, ...globalFlagsOf(op)]) : kebab(meant);
  const asText = op.cli.positional ? `; if it is text, write \`stele ${verb} -- ${written}\`` : "";
  const hint = close === null ? `See \`stele ${verb} --help\`${asText}.` : `Did you mean --${close}?`;
  return new Failure("invalid_input", `${verb} has no flag ${written}.`, hint);
}
