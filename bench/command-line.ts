/** Command lines of benches: one table of options drives both parsing and `--help`. */
import { parseArgs } from "node:util";
import { FAILURES, Failure } from "../src/errors.ts";

interface Option {
  readonly type: "string" | "boolean";
  readonly default?: string;
  /** The placeholder of its value. */
  readonly value?: string;
  readonly what: string;
}

export interface Command<Options extends Readonly<Record<string, Option>>> {
  /** The name after `npm run`. */
  readonly script: string;
  readonly what: string;
  readonly operands?: { readonly name: string; readonly what: string };
  readonly options: Options;
  /** The last line of the help. */
  readonly note?: string;
}

type Values<Options extends Readonly<Record<string, Option>>> = {
  [Name in keyof Options]: Options[Name]["type"] extends "boolean"
    ? boolean
    : Options[Name] extends { readonly default: string }
      ? string
      : string | undefined;
};

export interface Call<Options extends Readonly<Record<string, Option>>> {
  values: Values<Options>;
  operands: string[];
  /** Only help was asked for. */
  isHelp: boolean;
}

const HELP = { type: "boolean", what: "prints this" } as const;

export function readCall<const Options extends Readonly<Record<string, Option>>>(
  { options, operands }: Command<Options>,
  args: string[],
): Call<Options> {
  try {
    const all = { ...options, help: { type: "boolean" as const, short: "h" } };
    const { values, positionals } = parseArgs({ args, allowPositionals: operands !== undefined, options: all });
    const { help = false, ...given } = values as Record<string, string | boolean | undefined>;
    const none = Object.entries(options).map(([name, { type }]) => [name, type === "boolean" ? false : undefined]);
    return {
      values: { ...Object.fromEntries(none), ...given } as Values<Options>,
      operands: positionals,
      isHelp: help === true,
    };
  } catch (thrown) {
    // After the first sentence comes advice for programmers.
    const [message] = (thrown as Error).message.split(/[.\n]/);
    throw new Failure("invalid_input", `${message}.`, "--help lists the options.", { cause: thrown });
  }
}

export function helpOf<Options extends Readonly<Record<string, Option>>>(command: Command<Options>): string {
  const { script, what, operands, options, note } = command;
  const named = ([name, { value }]: [string, Option]) => `--${name}${value === undefined ? "" : ` ${value}`}`;
  const entries: [string, Option][] = [...Object.entries(options), ["help", HELP]];
  const usage = [...(operands ? [`[${operands.name}…]`] : []), ...entries.slice(0, -1).map((one) => `[${named(one)}]`)];
  const lines = [
    ...(operands ? [[operands.name, operands.what]] : []),
    ...entries.map(([name, option]) => [
      named([name, option]),
      option.default === undefined ? option.what : `${option.what}; ${option.default} when omitted`,
    ]),
  ];
  const width = Math.max(...lines.map(([name]) => name!.length));
  return [
    what,
    `  npm run ${script}${usage.length > 0 ? ` -- ${usage.join(" ")}` : ""}`,
    lines.map(([name, meaning]) => `  ${name!.padEnd(width)}  ${meaning}`).join("\n"),
    ...(note === undefined ? [] : [note]),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The parsed call; after printing help or an error, ends the process. */
export function called<const Options extends Readonly<Record<string, Option>>>(
  command: Command<Options>,
): Call<Options> {
  try {
    const call = readCall(command, process.argv.slice(2));
    if (!call.isHelp) return call;
    process.stdout.write(helpOf(command));
    process.exit(0);
  } catch (thrown) {
    if (thrown instanceof Failure) endWith(thrown);
    throw thrown;
  }
}

export function endWith(failure: Failure): never {
  process.stderr.write(`${failure.message} ${failure.hint}\n`);
  process.exit(FAILURES[failure.code].exit);
}
