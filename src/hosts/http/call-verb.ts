/**
 * Runs a verb for a request.
 *
 * What only a person may do is answered with the question and its fingerprint; the person's page repeats the request
 * with both. A question that has changed meanwhile is asked again. Nobody is asked on behalf of an agent.
 */
import { type Failure, FAILURES, toFailure } from "../../errors.ts";
import type { Question, QuestionField, Reply } from "../../model/decisions/question.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import type { Progress } from "../../ports/world.ts";
import { type Ask, type AskElsewhere, type Dispatched, dispatch, purposeOf } from "../dispatch.ts";
import { questionFingerprint } from "../question-fingerprint.ts";
import type { Caller } from "./guard.ts";
import { pageAddress } from "./page-address.ts";
import type { Projects } from "./projects.ts";
import type { Answer, VerbRequest } from "./verb-request.ts";

/** What must be answered first. */
export interface OpenQuestion {
  question: { message: string; fields: Record<string, QuestionField> };
  /** Sent back with the answer. */
  fingerprint: string;
}

export type Outcome =
  | { kind: "answer"; dispatched: Dispatched<Record<string, unknown>> }
  | { kind: "question"; open: OpenQuestion }
  | { kind: "failure"; failure: Failure };

export interface Calling {
  bearer: Caller;
  session: string | undefined;
  /** Where the page is. */
  url: string;
  progress?: Progress | undefined;
}

export async function callVerb(
  op: AnyOperation,
  { project, input, dryRun, answer }: VerbRequest,
  { bearer, session, progress, url }: Calling,
  projects: Projects,
): Promise<Outcome> {
  const asking = bearer === "person" ? askingFor(op.name, input, answer) : null;
  try {
    const dispatched = await projects.use(
      project,
      (world) => {
        const origin = { ...world.origin, byAgent: bearer === "agent", ...(session !== undefined && { session }) };
        const own = { ...world, origin, ...(progress && { progress }) };
        const askElsewhere: AskElsewhere = (item) => pageAddress(url, { project, item });
        return dispatch(op, input, own, { dryRun, ask: asking?.ask, askElsewhere });
      },
      purposeOf(op, input, dryRun),
    );
    return { kind: "answer", dispatched };
  } catch (thrown) {
    const open = asking?.open() ?? null;
    return open === null ? { kind: "failure", failure: toFailure(thrown) } : { kind: "question", open };
  }
}

/** What a call came to, as a document with its status. */
export function documentOf(outcome: Outcome, dryRun: boolean): { status: number; document: unknown } {
  if (outcome.kind === "failure") return { status: FAILURES[outcome.failure.code].http, document: outcome.failure };
  // The request must be repeated with the person's answer.
  if (outcome.kind === "question") return { status: 428, document: outcome.open };
  const { answer, changes } = outcome.dispatched;
  return { status: 200, document: dryRun ? { dryRun: true, answer, changes } : answer };
}

interface Asking {
  ask: Ask;
  /** The question that the answer does not belong to; null if there is none. */
  open(): OpenQuestion | null;
}

function askingFor(verb: string, input: unknown, answer: Answer | null): Asking {
  let open: OpenQuestion | null = null;
  return {
    async ask(question): Promise<Reply> {
      const fingerprint = questionFingerprint(verb, input, question);
      if (answer?.question === fingerprint) {
        return answer.values === null ? { action: "decline" } : { action: "accept", values: answer.values };
      }
      open = { question: shown(question), fingerprint };
      return { action: "cancel" };
    },
    open: () => open,
  };
}

const shown = ({ message, fields }: Question): OpenQuestion["question"] => ({ message, fields });
