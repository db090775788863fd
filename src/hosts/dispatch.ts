/**
 * Dispatch: the one way a host runs a verb.
 *
 * Raw input is parsed strictly, a person is asked where the verb demands it, the verb
 * runs, its answer is checked. No host adds meaning, so all of them behave alike.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { z } from "zod";
import { Failure } from "../errors.ts";
import type { Change } from "../model/change.ts";
import type { Question, QuestionField, Reply } from "../model/question.ts";
import type { AnyOperation, Operation, ReplyValues } from "../operations/operation.ts";
import type { World } from "../ports.ts";
import { invalidInput, unknownField } from "./invalid-input.ts";
import { rehearsal } from "./rehearsal.ts";

/** Puts a question to a person. A host that cannot do so has none. */
export type Ask = (question: Question) => Promise<Reply>;

/** A world that somebody opened and has to close. */
export interface Opened {
  world: World;
  close(): Promise<void>;
}

export interface Dispatched<Answer> {
  answer: Answer;
  /** What a rehearsal would have written; empty when the run was real. */
  changes: readonly Change[];
}

export async function dispatch<I extends z.ZodObject, O extends z.ZodObject>(
  op: Operation<I, O>,
  raw: unknown,
  world: World,
  options: { ask?: Ask | undefined; rehearse?: boolean } = {},
): Promise<Dispatched<z.output<O>>> {
  const input = parseInput(op, raw);
  // The store answers without waiting, so a caller in a loop would otherwise never let timers and sockets in.
  await immediate();
  const origin = originOf(op, input, world);
  // What a rehearsal does is never on record, so it has no name by which it could be taken back.
  const own: World = { ...world, origin: options.rehearse ? { ...origin, call: "" } : origin };
  const { world: stage, changes } = options.rehearse ? rehearsal(own) : { world: own, changes: [] };
  const question = (await op.question?.(input, stage)) ?? null;
  const reply = question === null ? null : await answerTo(op, input, question, options.ask);
  const answer = op.output.safeParse(await op.run(input, stage, reply));
  if (!answer.success) {
    const where = answer.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new Failure("internal", `${op.name} gave an answer that breaks its own promise (${where})`, DEFECT);
  }
  return { answer: answer.data, changes: [...changes] };
}

const DEFECT = "This is a defect in Stele; run `stele inspect` and report it.";

function parseInput<I extends z.ZodObject, O extends z.ZodObject>(op: Operation<I, O>, raw: unknown): z.output<I> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new Failure("invalid_input", `The input of ${op.name} must be an object of fields`, "Send {} for no fields.");
  }
  const fields = raw as Record<string, unknown>;
  const stranger = Object.keys(fields).find((field) => !Object.hasOwn(op.input.shape, field));
  if (stranger !== undefined) throw unknownField(op, stranger);
  const parsed = op.input.safeParse(fields);
  if (!parsed.success) throw invalidInput(op, parsed.error.issues, fields);
  return parsed.data;
}

function originOf(op: AnyOperation, input: Record<string, unknown>, world: World): World["origin"] {
  const session = typeof input.session === "string" && input.session !== "" ? input.session : world.origin.session;
  return { ...world.origin, verb: op.name, session, call: world.ids.next() };
}

async function answerTo(
  op: AnyOperation,
  input: Record<string, unknown>,
  question: Question,
  ask: Ask | undefined,
): Promise<ReplyValues | null> {
  if (ask === undefined && question.mayGoUnasked) return null;
  if (ask === undefined) {
    const hint = `A person can run \`${atTerminal(op, input)}\` at a terminal.`;
    throw new Failure("refused", `${op.name} needs a person's answer, and nobody can be asked here`, hint);
  }
  const reply = await ask(question);
  if (reply.action === "cancel") {
    throw new Failure(
      "refused",
      `${op.name} was cancelled; nothing was changed`,
      "Ask again when the person is ready.",
    );
  }
  if (reply.action === "decline" || deniesAll(question, reply.values)) {
    throw new Failure(
      "refused",
      `${op.name} was declined; nothing was changed`,
      "Respect the answer; do not ask again.",
    );
  }
  return checkedValues(question, reply.values);
}

/** "No" to a form that only asks for consent is a refusal, however the host delivers it. */
function deniesAll(question: Question, values: ReplyValues): boolean {
  const names = Object.keys(question.fields);
  return names.length > 0 && names.every((name) => question.fields[name]?.kind === "confirm" && values[name] === false);
}

function checkedValues(question: Question, values: ReplyValues): ReplyValues {
  const checked: ReplyValues = {};
  for (const [name, field] of Object.entries(question.fields)) {
    const value = values[name] ?? (field.kind === "text" ? field.default : undefined);
    if (value === undefined || !fits(field, value)) {
      throw new Failure("invalid_input", `${name}: ${expected(field)}`, "Answer the question again.");
    }
    checked[name] = value;
  }
  return checked;
}

function fits(field: QuestionField, value: string | boolean): boolean {
  if (field.kind === "confirm") return typeof value === "boolean";
  return typeof value === "string" && (field.kind === "text" || field.options.includes(value));
}

function expected(field: QuestionField): string {
  if (field.kind === "confirm") return "must be true or false";
  return field.kind === "text" ? "must be text" : `must be one of ${field.options.join(", ")}`;
}

/** The command a person would type; only values that need no quoting are spelt out. */
function atTerminal(op: AnyOperation, input: Record<string, unknown>): string {
  const values = (op.cli.positional ?? []).map((name) => input[name]);
  const plain = values.filter((value): value is string => typeof value === "string" && /^[\w.:/-]+$/.test(value));
  const rest = plain.length === values.length && values.length > 0 ? plain.join(" ") : "…";
  return `stele ${op.name.replaceAll("_", "-")} ${rest}`;
}
