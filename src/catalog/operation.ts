/**
 * Operation: one verb, declared once.
 *
 * MCP tool, CLI verb and library method are all made from this value; it knows no host,
 * and hints for a host are data. Inputs are flat (scalars, enums, string arrays), so that
 * every field can be a flag.
 */
import type * as z from "zod";
import type { ReportedChange } from "../journal/change.ts";
import type { PossibleTarget } from "../memory/find-item.ts";
import type { KnownWord } from "../recall/known-words.ts";
import type { Paragraph } from "../text/paragraph.ts";
import type { Zone } from "../time/calendar.ts";
import type { World } from "../world.ts";
import type { Consent, Question } from "./question.ts";

export const GROUPS = ["memory", "decisions", "corpus", "session", "care"] as const;

/**
 * read: changes no item that anyone wrote, but may record access and first bring the index, notes and vectors up to
 * date; write: adds or changes; destroy: removes or replaces.
 */
export type Effect = "read" | "write" | "destroy";

/** What a shown answer may depend on beside the answer. */
export interface Reader<Input = Record<string, unknown>> {
  /** As it was typed. */
  readonly input: Partial<Input>;
  readonly now: number;
  readonly zone: Zone;
}

export const readerOf = (input: Record<string, unknown>, { clock, zone }: Pick<World, "clock" | "zone">): Reader => ({
  input,
  zone,
  get now() {
    return clock.now();
  },
});

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  readonly effect: Effect;
  /**
   * What begins the memory of a project that has none: every call of a verb that may write, if omitted. With `false` no
   * call does, because the verb acts on what is kept; with the name of a field only calls that give it do.
   */
  readonly begins?: false | (keyof z.input<I> & string);
  /** Running it twice with the same input has the same effect as running it once. */
  readonly repeatable: boolean;
  readonly input: I;
  readonly output: O;
  /** Fields that earlier versions had, and what to do instead. */
  readonly gone?: Readonly<Record<string, string>>;
  readonly cli: {
    readonly positional?: readonly (keyof z.input<I> & string)[];
    readonly examples: readonly string[];
    /** What a shell completes these fields with. */
    readonly completes?: { readonly [Field in keyof z.input<I> & string]?: KnownWord };
  };
  /** Fields that name files of the machine it runs on; a host that serves others refuses them. */
  readonly paths?: readonly (keyof z.input<I> & string)[];
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
  /** A field that names an item: what a person may mean by words, or by a prefix that several ids have. Only reads. */
  readonly choice?: {
    readonly field: keyof z.input<I> & string;
    question(input: z.output<I>): string;
    /** None if the field names one item, or is mistyped: then the verb itself answers. */
    candidates(input: z.output<I>, world: World): Promise<readonly PossibleTarget[]>;
  };
  /** A field that a person may edit as it is, instead of typing it anew. Only reads. */
  readonly editing?: {
    readonly field: keyof z.input<I> & string;
    current(input: z.output<I>, world: World): Promise<string>;
  };
  /** `consent` is null when nobody was asked. */
  run(input: z.output<I>, world: World, consent: Consent | null): Promise<z.output<O>>;
  /** The answer as plain text, also for pipes. */
  render(output: z.output<O>, reader: Reader<z.input<I>>): string;
  /** The answer on a terminal, which wraps and colours it; `render` when omitted. */
  page?(output: z.output<O>, reader: Reader<z.input<I>>): readonly Paragraph[];
  /** The answer for an agent, where it can be shorter. */
  renderForAgent?(output: z.output<O>, reader: Reader<z.input<I>>): string;
  /** What a dry run would have done and why, if a list of the changes says too little. Empty if nothing; null for the list. */
  renderDryRun?(output: z.output<O>, changes?: readonly ReportedChange[]): string | null;
  /** An answer that scripts must notice: the command line then exits with 1. */
  isBad?(output: z.output<O>): boolean;
}

/** A `render` that needs no reader may be called without one. */
export function defineOperation<
  I extends z.ZodObject,
  O extends z.ZodObject,
  Render extends Operation<I, O>["render"] = Operation<I, O>["render"],
>(operation: Operation<I, O> & { render: Render }): Operation<I, O> & { render: Render } {
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
  /** Words that people type for a verb, with the flags they imply; a program knows each verb by one name. */
  readonly aliases: Readonly<Record<string, readonly [verb: Name, ...flags: string[]]>>;
  load(name: Name): Promise<AnyOperation>;
}

/** Loads all verbs, for lists of them. */
export const loadAll = <Name extends string>({ names, load }: Catalog<Name>): Promise<AnyOperation[]> =>
  Promise.all(names.map((name) => load(name)));
