/** The server that runs, as the commands of the same machine speak to it: with the owner's key, from its note. */
import { request as requestPlain, type RequestOptions } from "node:http";
import { request as requestEncrypted } from "node:https";
import { Failure } from "../../errors.ts";

export interface RunningServer {
  readonly url: string;
  readonly key: string;
}

const ASKED_MS = 2_000;
const LARGEST_ANSWER_BYTES = 65_536;

/** The answer's JSON. */
export async function askServer({ url, key }: RunningServer, method: "GET" | "POST", route: string): Promise<unknown> {
  const { status, text } = await exchange(new URL(route, url), { method, headers: { authorization: `Bearer ${key}` } });
  if (status === 200) return JSON.parse(text);
  throw new Failure("unavailable", `The server at ${url} answers ${status}.`, "Stop it by its process number.");
}

async function exchange(address: URL, options: RequestOptions): Promise<{ status: number; text: string }> {
  // The note of a private folder says where it is, so its certificate, often one of its own making, proves nothing more.
  const isEncrypted = address.protocol === "https:";
  const trust = isEncrypted ? { rejectUnauthorized: false } : {};
  const signal = AbortSignal.timeout(ASKED_MS);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = (isEncrypted ? requestEncrypted : requestPlain)(
    address,
    { ...options, ...trust, signal },
    (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text = (text + part).slice(0, LARGEST_ANSWER_BYTES)));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    },
  );
  request.on("error", reject);
  request.end();
  return promise.catch((cause: unknown) => {
    const hint = "It may be starting or stopping; try again.";
    throw new Failure("unavailable", `The server at ${address.origin} does not answer.`, hint, { cause });
  });
}
