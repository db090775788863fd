/**
 * A request for a verb: its input, and beside it what concerns the call and not the verb.
 *
 * `project`, `dryRun` and `answer` are no fields of any verb, so they may stand among them.
 */
import { isAbsolute } from "node:path";
import { Failure } from "../../errors.ts";
import { PROJECT_HEADER } from "../../model/connect/host.ts";
import type { ReplyValues } from "../../model/decisions/question.ts";
import type { AnyOperation } from "../../operations/operation.ts";

/** What a person answered, and to which question. */
export interface Answer {
  question: string;
  /** Null if they declined. */
  values: ReplyValues | null;
}

export interface VerbRequest {
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
