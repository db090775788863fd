/** The command that a person would type for a call. */
import type { AnyOperation } from "../catalog/operation.ts";
import { type Field, fieldsOf, verbOf } from "./fields.ts";

/**
 * A value as a person would type it in a command.
 *
 * Values may come from others, and a person may paste the command into any shell: only those that mean the same in all
 * of them are spelt out, the rest is left to the person.
 */
const PLAIN = /^[\w.:/-]+$/;
const LEFT_OUT = "…";

export function spelt(value: unknown): string {
  const text = String(value);
  if (PLAIN.test(text)) return text;
  // Means itself between double quotes. Built where it is used, because that takes long.
  const isQuotable = /^[\p{L}\p{N} .,:;/_()?'+=-]{1,200}$/u.test(text);
  return isQuotable ? `"${text}"` : LEFT_OUT;
}

export function typedCommand(op: AnyOperation, input: Readonly<Record<string, unknown>>): string {
  const fields = fieldsOf(op).filter(({ name, default: usual }) => {
    const value = input[name];
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(usual);
  });
  const positional = (op.cli.positional ?? []).flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const flags = fields.filter((field) => !positional.includes(field));
  return [
    ...["stele", verbOf(op)],
    ...positional.flatMap(({ name }) => valuesOf(input[name]).map(spelt)),
    ...flags.flatMap((field) => flagWords(field, input[field.name])),
  ].join(" ");
}

const valuesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function flagWords({ flag, kind }: Field, value: unknown): string[] {
  if (kind === "switch") return [value === true ? `--${flag}` : `--no-${flag}`];
  return valuesOf(value).map((one) => `--${flag} ${spelt(one)}`);
}
