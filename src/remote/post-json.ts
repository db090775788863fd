/**
 * One request to a remote provider: JSON out, JSON back.
 *
 * Bounded in time, attempts and size. What went wrong is told by status or code alone: a reply may echo the request, and
 * Node's messages may quote a header, so neither texts nor keys reach an error.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { Attempts } from "../ports.ts";
import { addressFault } from "./provider.ts";

export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: object;
  /** For all attempts together. */
  timeoutMs: number;
  limitBytes?: number;
  /** The first pause; each further one is twice as long. */
  backoffMs?: number;
  attempts?: Attempts;
}

const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** A server that wants more patience is asked another time. */
const LONGEST_PAUSE_MS = 20_000;
const LIMIT_BYTES = 8_000_000;
const LATER = "Nothing is lost; it is tried again later.";

export async function postJson(request: PostRequest): Promise<unknown> {
  const fault = addressFault(request.url);
  if (fault) throw new Failure("invalid_input", `The address of the provider ${fault}.`, "Correct `baseUrl`.");
  const { backoffMs = BACKOFF_MS, timeoutMs, attempts } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  const inWords = (thrown: unknown): never => {
    throw thrown instanceof Failure ? thrown : unanswered(request, thrown, signal);
  };
  for (let attempt = 1; ; attempt += 1) {
    await attempts?.begin();
    const response = await send(request, signal).catch(inWords);
    if (response.ok) return parsed(await textOf(response, request.limitBytes ?? LIMIT_BYTES).catch(inWords));
    if (response.status < SERVER_FAULT) attempts?.costNothing();
    // Nobody reads what a failure says, and its connection is free again.
    await response.body?.cancel().catch(inWords);
    if (!isPassing(response.status) || attempt === ATTEMPTS) throw refusal(request, response.status);
    const pauseMs = pauseOf(response, backoffMs * 2 ** (attempt - 1));
    if (pauseMs > LONGEST_PAUSE_MS) throw refusal(request, response.status);
    await sleep(pauseMs, undefined, { signal }).catch(inWords);
  }
}

/** Redirects are not followed: they would take texts and key to an address that nobody named. */
async function send({ url, headers, body, attempts }: PostRequest, signal: AbortSignal): Promise<Response> {
  const sent = { "content-type": "application/json", ...headers };
  try {
    return await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body), redirect: "manual", signal });
  } catch (thrown) {
    if (!signal.aborted && isUnsent(thrown)) attempts?.costNothing();
    throw thrown;
  }
}

/** What has no cause never came to a connection, such as a key that no header can hold. */
const isUnsent = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown.cause === undefined || NOT_CONNECTED.test(codeOf(thrown)));
/** Not found, not reached or not believed. */
const NOT_CONNECTED = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT/;

function unanswered(request: PostRequest, thrown: unknown, signal: AbortSignal): Failure {
  const why = signal.aborted
    ? `did not answer within ${request.timeoutMs} ms`
    : `cannot be reached (${codeOf(thrown)})`;
  return new Failure("unavailable", `${hostOf(request)} ${why}.`, LATER);
}

async function textOf(response: Response, limitBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > limitBytes) throw new Failure("unavailable", "The provider's reply is too long.", LATER);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** The parser's message is dropped: it quotes the reply. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("unavailable", "The provider's reply is not JSON.", LATER);
  }
}

/** From here on a provider may have done what it was asked, and failed afterwards. */
const SERVER_FAULT = 500;
const isPassing = (status: number): boolean => status === 429 || status >= SERVER_FAULT;

/** With jitter, so that many processes do not come back at once. */
function pauseOf(response: Response, backoffMs: number): number {
  const asked = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(asked) && asked >= 0 ? asked * 1_000 : backoffMs * (0.5 + Math.random());
}

const HINTS: Readonly<Record<number, string>> = {
  400: "Check the model in your settings: it may not support what is asked of it.",
  401: "Check the key, and which variable your settings name for it.",
  403: "Check what the key may be used for.",
  404: "Check the model and `baseUrl` in your settings.",
};

const refusal = (request: PostRequest, status: number): Failure =>
  new Failure("unavailable", `${hostOf(request)} answered with status ${status}.`, HINTS[status] ?? LATER);

const hostOf = ({ url }: PostRequest): string => URL.parse(url)?.host ?? "The provider";

function codeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z_0-9]{1,60}$/.test(code) ? code : "no connection";
}
