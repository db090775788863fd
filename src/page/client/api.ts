/**
 * The verbs as methods, sent to the server that served this page.
 *
 * Made generic over the catalog's types: every verb, its input and its answer are checked when the page is built, and
 * none is listed here. A verb that must ask a person gets their answer from `ask`, together with the question's print.
 */
import type * as z from "zod";
import type { Operations } from "../../catalog/catalog.ts";
import type { QuestionField, ReplyValues } from "../../catalog/question.ts";
import { Failure, type FailureCode } from "../../errors.ts";

export type Input<Name extends keyof Operations> = z.input<Operations[Name]["input"]>;
export type Answer<Name extends keyof Operations> = z.output<Operations[Name]["output"]>;

export interface OpenQuestion {
  readonly question: { readonly message: string; readonly fields: Readonly<Record<string, QuestionField>> };
  readonly fingerprint: string;
}

/** Null if the person declines. */
export type Ask = (open: OpenQuestion) => Promise<ReplyValues | null>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Shows what would happen, and changes nothing. */
  readonly dryRun?: boolean;
  /** Instead of the page's own dialog. */
  readonly ask?: Ask;
}

export type Api = {
  readonly [Name in keyof Operations]: (input: Input<Name>, options?: CallOptions) => Promise<Answer<Name>>;
};

export interface Connection {
  token(): string | null;
  readonly project: string;
  readonly ask: Ask;
  readonly fetch: typeof fetch;
}

export function createApi(connection: Connection): Api {
  return new Proxy({} as Api, {
    get:
      (_, name) =>
      (input: object, options: CallOptions = {}) =>
        call(String(name), input, options, connection),
  });
}

async function call(verb: string, input: object, options: CallOptions, connection: Connection): Promise<unknown> {
  const body = { ...input, ...(options.dryRun && { dryRun: true }) };
  const first = await post(verb, body, options, connection);
  if (first.status !== ASKED) return answerIn(first, options);
  const open = (await first.json()) as OpenQuestion;
  const values = await (options.ask ?? connection.ask)(open);
  if (values === null) throw declined();
  const answer = { question: open.fingerprint, values };
  const second = await post(verb, { ...body, answer }, options, connection);
  if (second.status !== ASKED) return answerIn(second, options);
  throw new Failure("conflict", "Something changed while you were reading.", "Look again, then answer again.");
}

/** The server has a question first. */
const ASKED = 428;

export const declined = (): Failure => new Failure("refused", "Nothing was changed.", "");

/** Sends a request with the person's token, and turns what goes wrong into a Failure. */
export async function send(
  path: string,
  options: RequestInit,
  { token, fetch }: Pick<Connection, "token" | "fetch">,
): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("authorization", `Bearer ${token() ?? ""}`);
  try {
    return await fetch(path, { ...options, headers });
  } catch (cause) {
    if ((cause as { name?: string }).name === "AbortError") throw cause;
    const hint = "It may have been stopped. Run `stele open` in a terminal.";
    throw new Failure("unavailable", "The server does not answer.", hint, { cause });
  }
}

function post(verb: string, body: object, { signal }: CallOptions, connection: Connection): Promise<Response> {
  return send(
    `/v1/${encodeURIComponent(verb)}`,
    {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "stele-project": encodeURIComponent(connection.project) },
      ...(signal && { signal }),
    },
    connection,
  );
}

async function answerIn(response: Response, { dryRun = false }: CallOptions): Promise<unknown> {
  const document = await documentIn(response);
  return dryRun ? (document as { answer: unknown }).answer : document;
}

/** The JSON of an answer; a refusal is thrown. */
export async function documentIn(response: Response): Promise<unknown> {
  const text = await response.text();
  let document: { error?: { code: FailureCode; message: string; hint: string } };
  try {
    document = JSON.parse(text) as typeof document;
  } catch (cause) {
    throw new Failure("internal", `The server answered ${response.status} and no JSON.`, "Reload the page.", { cause });
  }
  if (response.ok) return document;
  const { code = "internal", message = `The server answered ${response.status}.`, hint = "" } = document.error ?? {};
  throw new Failure(code, message, hint);
}
