/**
 * A request for a verb: its input, and beside it what concerns the call and not the verb.
 *
 * `project`, `dryRun` and `answer` are no fields of any verb, so they may stand among them.
 */
import { isAbsolute } from "node:path";
import { PROJECT_HEADER } from "../agents/connection.ts";
import { type Ask, type AskElsewhere, dispatch, type Dispatched, purposeOf } from "../catalog/dispatch.ts";
import type { AnyOperation } from "../catalog/operation.ts";
import { questionFingerprint } from "../catalog/question-rows.ts";
import type { Question, QuestionField, Reply, ReplyValues } from "../catalog/question.ts";
import { Failure, FAILURES, toFailure } from "../errors.ts";
import type { Progress } from "../world.ts";
import type { Caller } from "./guard.ts";
import { pageAddress } from "./page-files.ts";
import type { Projects } from "./projects.ts";

/** What a person answered, and to which question. */
interface Answer {
  question: string;
  /** Null if they declined. */
  values: ReplyValues | null;
}

interface VerbRequest {
  project: string;
  dryRun: boolean;
  answer: Answer | null;
  input: Record<string, unknown>;
}

export const BESIDE_INPUT = ["project", "dryRun", "answer"] as const;

export function verbRequest(op: AnyOperation, body: unknown, projectHeader: string | undefined): VerbRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Failure("invalid_input", "The body must be a JSON object of fields.", "Send {} for no fields.");
  }
  const { project, dryRun = false, answer, ...input } = body as Record<string, unknown>;
  if (typeof dryRun !== "boolean") throw new Failure("invalid_input", "dryRun must be true or false.", "Leave it out.");
  refusePaths(op, input);
  return {
    project: projectNamed(project, projectHeader),
    dryRun,
    answer: answer === undefined ? null : answerOf(answer),
    input,
  };
}

/** Percent-encoded, or as it is: hosts put a variable there that nobody encodes. */
function decoded(header: string): string {
  const path = Buffer.from(header, "latin1").toString();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The folder that a request names, in itself or in its header. */
export function projectNamed(named: unknown, header: string | undefined): string {
  const project = named ?? (header === undefined ? undefined : decoded(header));
  if (typeof project === "string" && isAbsolute(project) && !project.includes("\0")) return project;
  const hint = `Send the absolute path of its folder as the field "project" or the header ${PROJECT_HEADER}.`;
  throw new Failure("invalid_input", "The request does not name its project.", hint);
}

/** Whoever asks from elsewhere must not make this machine read or write a file of their choosing. */
export function refusePaths({ name, paths = [] }: AnyOperation, input: Record<string, unknown>): void {
  const named = paths.find((field) => input[field] !== undefined);
  if (named === undefined) return;
  const hint = `Run \`stele ${name.replaceAll("_", "-")}\` in a terminal on that machine.`;
  throw new Failure("refused", `${name} takes no ${named} over HTTP.`, hint);
}

function answerOf(answer: unknown): Answer {
  const { question, values = null } = (answer ?? {}) as Partial<Answer>;
  const isFilled =
    typeof values === "object" &&
    Object.values(values ?? {}).every((value) => typeof value === "string" || typeof value === "boolean");
  if (typeof question === "string" && isFilled && !Array.isArray(values)) return { question, values };
  throw new Failure(
    "invalid_input",
    "The answer must name its question, and the values by field or null.",
    "Send back what the question came with.",
  );
}

// Runs a verb for a request.
//
// What only a person may do is answered with the question and its fingerprint; the person's page repeats the request
// with both. A question that has changed meanwhile is asked again. Nobody is asked on behalf of an agent.

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

interface Calling {
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

/** The JSON of a request, within a limit: what is too long is not read to its end. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export async function jsonBody(request: Request, limitBytes = BODY_LIMIT_BYTES): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new Failure("invalid_input", "The body must be JSON.", "Send `Content-Type: application/json`.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    throw new Failure("invalid_input", "The body is not valid JSON.", "Send one JSON object in UTF-8.", { cause });
  }
}

const tooLarge = (limitBytes: number): Failure =>
  new Failure("too_large", `The body is longer than ${limitBytes} bytes.`, "Split it and send it in parts.");
