/**
 * Operation: one verb, declared once.
 *
 * MCP tool, CLI verb and library method are all made from this value; it knows no host,
 * and hints for a host are data. Inputs are flat (scalars, enums, string arrays), so that
 * every field can be a flag.
 */
import type * as z from "zod";
import type { Consent, Question } from "../model/decisions/question.ts";
import type { World } from "../ports/world.ts";

export const GROUPS = ["memory", "decisions", "corpus", "session", "care"] as const;

/**
 * read: changes no item that anyone wrote, but may record access and first bring the index, notes and vectors up to
 * date; write: adds or changes; destroy: removes or replaces.
 */
export type Effect = "read" | "write" | "destroy";

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  readonly effect: Effect;
  /** Running it twice with the same input has the same effect as running it once. */
  readonly repeatable: boolean;
  readonly input: I;
  readonly output: O;
  readonly cli: { readonly positional?: readonly (keyof z.input<I> & string)[]; readonly examples: readonly string[] };
  /** How MCP offers it. Every other field is accepted too; the command line and `--tools full` tell of them. */
  readonly tool?: {
    /** The fields that an agent needs every day. */
    readonly fields: readonly (keyof z.input<I> & string)[];
    /** Instead of the summary: what to use it for, in the words an agent would search for. */
    readonly summary?: string;
  };
  /** The question a person must answer first, or null. Only reads. */
  question?(input: z.output<I>, world: World): Promise<Question | null>;
  /** Every call asks a person; clients that confirm tool calls are told so. */
  readonly alwaysAsks?: boolean;
  /** `consent` is null when nobody was asked. */
  run(input: z.output<I>, world: World, consent: Consent | null): Promise<z.output<O>>;
  /** The answer for a person at a terminal. */
  render(output: z.output<O>): string;
  /** The answer for an agent, where it can be shorter. */
  renderForAgent?(output: z.output<O>): string;
  /** What a dry run would have done and why, if a list of the changes says too little. Empty if nothing. */
  renderDryRun?(output: z.output<O>): string;
  /** An answer that scripts must notice: the command line then exits with 1. */
  isBad?(output: z.output<O>): boolean;
}

export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation;
}

/** An operation with erased types, as hosts handle it. */
export type AnyOperation = Operation<z.ZodObject, z.ZodObject>;

/** A verb's answer as a document with an address; the names in braces are fields of the verb. */
export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly verb: string;
  readonly description: string;
}

/** A verb's answer as the beginning of a conversation. */
export interface Prompt {
  readonly name: string;
  readonly verb: string;
  /** The field that the person fills in, if any. */
  readonly field?: string;
  readonly description: string;
}

/** Verbs by name, in display order. */
export interface Catalog<Name extends string = string> {
  readonly names: readonly Name[];
  load(name: Name): Promise<AnyOperation>;
}

/** Loads all verbs, for lists of them. */
export const loadAll = <Name extends string>({ names, load }: Catalog<Name>): Promise<AnyOperation[]> =>
  Promise.all(names.map((name) => load(name)));
