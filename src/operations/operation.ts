/**
 * Operation: one verb, declared once.
 *
 * It holds meaning only. MCP tool, CLI verb, REST route and library method are made from
 * this value; hints for a host are data. Inputs are flat (scalars, enums, string arrays),
 * so that a flag can stand for every field.
 */
import type * as z from "zod";
import type { Consent, Question } from "../model/decisions/question.ts";
import type { World } from "../ports/world.ts";

export const GROUPS = ["memory", "decisions", "corpus", "session", "care"] as const;

/** read: changes nothing that matters; write: adds or changes; destroy: takes away. */
export type Effect = "read" | "write" | "destroy";

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  readonly effect: Effect;
  /** Running it twice with the same input leaves the same state as once. */
  readonly repeatable: boolean;
  readonly input: I;
  readonly output: O;
  readonly cli: { readonly positional?: readonly (keyof z.input<I> & string)[]; readonly examples: readonly string[] };
  /** What a person must be asked first, or null. A pure read. */
  question?(input: z.output<I>, world: World): Promise<Question | null>;
  /** Every call asks: hosts that guard their tools are told so. */
  readonly alwaysAsks?: boolean;
  /** `consent` is null when nobody was asked. */
  run(input: z.output<I>, world: World, consent: Consent | null): Promise<z.output<O>>;
  /** The answer for a person at a terminal. */
  render(output: z.output<O>): string;
  /** An answer that a script must notice: the command line then ends with 1. */
  isBad?(output: z.output<O>): boolean;
}

export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation;
}

/** An operation whose types are no longer known, as hosts handle it. */
export type AnyOperation = Operation<z.ZodObject, z.ZodObject>;

/** Verbs by name, in the order in which they are shown. */
export interface Catalog<Name extends string = string> {
  readonly names: readonly Name[];
  load(name: Name): Promise<AnyOperation>;
}

/** All of them, for whoever shows every verb. */
export const loadAll = <Name extends string>({ names, load }: Catalog<Name>): Promise<AnyOperation[]> =>
  Promise.all(names.map((name) => load(name)));
