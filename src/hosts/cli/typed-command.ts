/** The command that a person would type for a call. */
import type { AnyOperation } from "../../operations/operation.ts";
import { type Field, fieldsOf, verbOf } from "./fields.ts";
import { spelt } from "./spelt.ts";

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
