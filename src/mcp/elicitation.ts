/**
 * Elicitation: asks the person behind an MCP client.
 *
 * A call that needs an answer returns the question; the client repeats the call with the
 * answer. The client is not trusted, so a signed state ties each answer to exactly the
 * question it was given to: a question that has changed meanwhile is asked again.
 */
import { randomBytes } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Ask } from "../catalog/dispatch.ts";
import { questionFingerprint } from "../catalog/question-rows.ts";
import type { Question, QuestionField, Reply } from "../catalog/question.ts";

const KEY = "answer";
const ANSWER_WITHIN_SECONDS = 900;

type FormSchema = ElicitRequestFormParams["requestedSchema"];

interface OpenQuestion {
  question: string;
}

interface Elicitation {
  ask: Ask;
  /** The result of a call whose question is still open, else null. */
  pending(): Promise<InputRequiredResult | null>;
}

/** Signed with a key of this process: over stdio one process serves every round of a call. */
export const askedState = createRequestStateCodec<OpenQuestion>({
  key: randomBytes(32),
  ttlSeconds: ANSWER_WITHIN_SECONDS,
});

export function canElicit(context: ServerContext, declared: ClientCapabilities | undefined): boolean {
  const envelope = context.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? declared;
  const elicitation = capabilities?.elicitation;
  // An empty declaration means forms; one that names only URLs does not.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export function elicitation(verb: string, input: unknown, context: ServerContext): Elicitation {
  let open: Question | null = null;
  const print = (question: Question): string => questionFingerprint(verb, input, question);
  return {
    async ask(question): Promise<Reply> {
      const view = inputResponse(context.mcpReq.inputResponses, KEY);
      const asked = context.mcpReq.requestState<OpenQuestion>();
      if (view.kind !== "elicit" || asked?.question !== print(question)) {
        open = question;
        return { action: "cancel" };
      }
      if (view.action !== "accept") return { action: view.action };
      return { action: "accept", values: (view.content ?? {}) as Record<string, string | boolean> };
    },
    async pending() {
      if (open === null) return null;
      const form = inputRequired.elicit({ message: open.message, requestedSchema: formOf(open) });
      const requestState = await askedState.mint({ question: print(open) }, context);
      return inputRequired({ inputRequests: { [KEY]: form }, requestState });
    },
  };
}

function formOf(question: Question): FormSchema {
  const properties: FormSchema["properties"] = {};
  for (const [name, field] of Object.entries(question.fields)) properties[name] = propertyOf(field);
  return { type: "object", properties, required: Object.keys(question.fields) };
}

function propertyOf(field: QuestionField): FormSchema["properties"][string] {
  if (field.kind === "confirm") return { type: "boolean", title: field.label };
  if (field.kind === "choice") return { type: "string", title: field.label, enum: [...field.options] };
  return { type: "string", title: field.label, ...(field.default === undefined ? {} : { default: field.default }) };
}
