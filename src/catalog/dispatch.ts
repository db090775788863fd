/**
 * Dispatch: the one way a host runs a verb.
 *
 * Raw input is parsed strictly, a person is asked if the verb requires it and is not only tried, the verb
 * runs, its answer is checked. No host adds behaviour, so all of them behave alike.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type * as z from "zod";
import { Failure } from "../errors.ts";
import type { ReportedChange } from "../journal/change.ts";
import type { World } from "../world.ts";
import { type Ask, type AskElsewhere, consentTo, supposedConsent } from "./consent.ts";
import { dryRunWorld } from "./dry-run.ts";
import { asMeant, invalidInput, type Naming, unknownField } from "./input.ts";
import type { AnyOperation, Operation } from "./operation.ts";

export type { Ask, AskElsewhere } from "./consent.ts";

/** What a world is opened for. */
export interface Purpose {
  /** Whether nothing will be written: then nothing is created that does not exist yet. */
  reads: boolean;
}

export const READING: Purpose = { reads: true };

/** A call that will be refused writes nothing either. */
export const purposeOf = (op: AnyOperation, input: unknown, dryRun = false): Purpose => ({
  reads: dryRun || op.effect === "read" || op.begins === false || !isBeginning(op, input),
});

function isBeginning(op: AnyOperation, raw: unknown): boolean {
  try {
    const input = parseInput(op, raw, undefined);
    return !op.begins || input[op.begins] !== undefined;
  } catch {
    return false;
  }
}

/** An open world, to be closed by the host that opened it. */
export interface Opened {
  world: World;
  /** Whether the stores are elsewhere now: encrypting, decrypting and another key put them into another folder. */
  isMoved?(): Promise<boolean>;
  /** Whether nobody has begun a memory of this project: what is written here is kept nowhere. */
  isBlank?: boolean;
  close(): Promise<void>;
}

export interface Dispatched<Answer> {
  answer: Answer;
  /** The changes a dry run would have written; empty for a real run. */
  changes: readonly ReportedChange[];
}

interface DispatchOptions {
  ask?: Ask | undefined;
  /** Where a person can answer if nobody can be asked here. */
  askElsewhere?: AskElsewhere | undefined;
  dryRun?: boolean;
  naming?: Naming;
}

export async function dispatch<I extends z.ZodObject, O extends z.ZodObject>(
  op: Operation<I, O>,
  raw: unknown,
  world: World,
  options: DispatchOptions = {},
): Promise<Dispatched<z.output<O>>> {
  const input = parseInput(op, raw, options.naming);
  // The store answers synchronously, so calls in a loop would otherwise starve timers and sockets.
  await immediate();
  refuseLost(op as unknown as AnyOperation, world);
  const origin = originOf(op, input, world);
  // A dry run is never recorded, so it gets no call id that a rollback could name.
  const own: World = { ...world, origin: options.dryRun ? { ...origin, call: "" } : origin };
  const { world: stage, changes } = options.dryRun ? dryRunWorld(own) : { world: own, changes: [] };
  const consent = await (options.dryRun ? supposedConsent : consentTo)(op, input, stage, options);
  const answer = op.output.safeParse(await op.run(input, stage, consent));
  if (!answer.success) {
    const where = answer.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new Failure("internal", `${op.name} returned an answer that violates its own schema (${where}).`, DEFECT);
  }
  return { answer: answer.data, changes: [...changes] };
}

const DEFECT = "This is a defect in Stele; run `stele inspect` and report it.";

/** The fields of a call, checked; fails with what does not fit. */
export function parseInput<I extends z.ZodObject, O extends z.ZodObject>(
  op: Operation<I, O>,
  raw: unknown,
  naming: Naming | undefined,
): z.output<I> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new Failure(
      "invalid_input",
      `The input of ${op.name} must be an object of fields.`,
      "Send {} for no fields.",
    );
  }
  const fields = raw as Record<string, unknown>;
  const unknownName = Object.keys(fields).find((field) => !Object.hasOwn(op.input.shape, field));
  if (unknownName !== undefined) throw unknownField(op, unknownName, naming);
  const parsed = op.input.safeParse(fields);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const meant = op.input.safeParse(asMeant(fields, issues));
  if (!meant.success) throw invalidInput(op, issues, fields, naming);
  return meant.data;
}

/** A server outlives files: they are removed, replaced or migrated by others. An answer that can say so is still given. */
function refuseLost(op: AnyOperation, { project, global }: World): void {
  const fault = project.fault() ?? global.fault();
  if (fault === null || "degraded" in op.output.shape) return;
  throw new Failure("unavailable", `Not done: ${fault}.`, "Restart Stele; `stele doctor` examines the files.");
}

function originOf(op: AnyOperation, input: Record<string, unknown>, world: World): World["origin"] {
  const session = typeof input.session === "string" && input.session !== "" ? input.session : world.origin.session;
  return { ...world.origin, verb: op.name, session, call: world.ids.next() };
}
