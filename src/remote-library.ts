/**
 * Stele as a library that speaks to a server: the same methods, over HTTP.
 *
 * Nothing of the store is loaded. Every error thrown is a `Failure`, that of the server if it sent one.
 */
import { catalog } from "./catalog/catalog.ts";
import type { Ask } from "./catalog/dispatch.ts";
import { Failure, type FailureCode, FAILURES } from "./errors.ts";
import type { OpenQuestion } from "./http/requests.ts";
import type { Stele } from "./library.ts";

export interface RemoteOptions {
  /** The address that `stele serve` prints. */
  url: string;
  token: string;
  /** The folder of the project, on the server's machine; the working folder when omitted. */
  project?: string | undefined;
  session?: string | undefined;
  /** How to ask a person; it counts only with a person's token. */
  ask?: Ask | undefined;
}

/** A question that changes all the time is not asked for ever. */
const MOST_ROUNDS = 3;

export function openRemote({ url, token, project = process.cwd(), session, ask }: RemoteOptions): Stele {
  let isClosed = false;
  const base = new URL(url);

  async function send(verb: string, body: object): Promise<{ status: number; document: unknown }> {
    if (isClosed) throw new Failure("unavailable", "This Stele is closed.", "Call open() for another one.");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = { method: "POST", body: JSON.stringify({ ...body, project }) };
    try {
      const response = await fetch(new URL(`v1/${verb}`, base), {
        ...request,
        headers: { ...headers, ...(session !== undefined && { "stele-session": session }) },
      });
      return { status: response.status, document: await response.json() };
    } catch (cause) {
      const hint = "Check that it runs there: `stele serve --status`.";
      throw new Failure("unavailable", `The server at ${base.origin} does not answer.`, hint, { cause });
    }
  }

  async function call(verb: string, input: object): Promise<unknown> {
    let answer: object = {};
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { status, document } = await send(verb, { ...input, ...answer });
      if (status === 200) return document;
      if (status !== 428 || ask === undefined) throw failureOf(status, document);
      const { question, fingerprint } = document as OpenQuestion;
      const reply = await ask(question, round > 0);
      if (reply.action === "cancel") {
        throw new Failure(
          "refused",
          `${verb} was cancelled; nothing was changed.`,
          "Ask again when the person is ready.",
        );
      }
      answer = { answer: { question: fingerprint, values: reply.action === "accept" ? reply.values : null } };
    }
    throw new Failure(
      "conflict",
      "The question kept changing; nothing was changed.",
      "Check the state, then try again.",
    );
  }

  const verbs = Object.fromEntries(
    catalog.names.map((name) => [name, (input: object = {}) => call(name, input)]),
  ) as unknown as Omit<Stele, "dryRun" | "close">;
  return {
    ...verbs,
    dryRun: async (verb, input) => (await call(verb, { ...input, dryRun: true })) as never,
    async close() {
      isClosed = true;
    },
  };
}

function failureOf(status: number, document: unknown): Failure {
  const { code, message, hint } = (document as { error?: Partial<Record<string, unknown>> }).error ?? {};
  if (typeof code === "string" && Object.hasOwn(FAILURES, code)) {
    return new Failure(code as FailureCode, String(message), String(hint));
  }
  if (status === 428) {
    return new Failure("refused", "A person must answer first, but nobody can be asked here.", "Give open() an `ask`.");
  }
  return new Failure(
    "unavailable",
    `The server answered ${status}.`,
    "Check that the address is that of `stele serve`.",
  );
}
