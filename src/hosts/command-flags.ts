/** The flags of a process command. A mistake is reported in the words that verbs use, not in those of Node's parser. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { Failure, nearest } from "../errors.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

interface Terms<O extends Options, P extends boolean> {
  options: O;
  /** Whether it takes words besides flags. */
  allowPositionals?: P;
}

export function commandFlags<const O extends Options, const P extends boolean = false>(
  command: string,
  argv: readonly string[],
  { options, allowPositionals }: Terms<O, P>,
) {
  const args = [...argv];
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    const fault = token.kind === "option" ? faultOf(token, options) : null;
    if (fault !== null) throw mistake(command, ...fault);
    if (token.kind === "positional" && !allowPositionals)
      throw mistake(command, `${command} does not take the argument "${token.value}".`);
  }
  return parseArgs<{ args: string[]; options: O; allowPositionals: P }>({
    ...{ args, options, allowPositionals: (allowPositionals ?? false) as P },
  });
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function faultOf(
  { name, rawName, value, inlineValue }: OptionToken,
  options: Options,
): [message: string, hint?: string | undefined] | null {
  if (!Object.hasOwn(options, name)) {
    const close = nearest(name, Object.keys(options));
    return [`There is no flag ${rawName} here.`, close === null ? undefined : `Did you mean --${close}?`];
  }
  if (options[name]!.type === "boolean") return value === undefined ? null : [`${rawName} takes no value.`];
  if (value === undefined) return [`${rawName} needs a value.`];
  const isFlagLike = inlineValue !== true && value.startsWith("-") && value.length > 1;
  return isFlagLike ? [`${rawName} needs a value.`, `If ${value} is the value, write ${rawName}=${value}.`] : null;
}

const mistake = (command: string, message: string, hint = `See \`stele ${command} --help\`.`) =>
  new Failure("invalid_input", message, hint);
