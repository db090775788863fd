/**
 * Calls over HTTP to a real server process, as its OpenAPI document describes them.
 *
 * Agents' calls carry the token of programs; people's carry one that was had for a code, and answer the question they
 * were shown. Every answer must be one that the document declares, and none may be the server's own fault.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "../../child.ts";
import { STELE } from "../../mcp.ts";
import { type Call, type Host, type Outcome, type Style, plain, replyTo, showsStack } from "../host.ts";
import { environment } from "../settings.ts";

/** Less than the run's own deadline, which ends everything. */
const CALL_DEADLINE_MS = 100_000;
/** Every so many calls some requests that are no calls. */
const RUBBISH_EVERY = 20;
const MOST_ROUNDS = 4;

interface Api {
  paths: Record<string, { post: { responses: Record<string, unknown> } }>;
}

interface Sent {
  status: number;
  document: unknown;
  complaints: string[];
}

export async function httpHost(home: string, work: string): Promise<Host> {
  const child = startChild(null, [STELE, "serve", "--port", "0"], { cwd: work, env: environment(home), input: null });
  await child.spoke();
  const { url, key } = JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { url: string; key: string };
  const token = readFileSync(join(home, "run", "http-token"), "utf8").trim();
  const api = (await (await fetch(new URL("openapi.json", url))).json()) as Api;
  const person = await personToken(url, key);
  let calls = 0;

  async function call({ op, input, style }: Call): Promise<Outcome> {
    const responses = api.paths[`/v1/${op.name}`]?.post.responses;
    if (responses === undefined) return { answer: null, failure: null, complaints: [`${op.name} is not described`] };
    const bearer = style.person === "absent" ? token : person;
    const fields = plain(input);
    const complaints: string[] = [];
    let answer: object = {};
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const body = bodyOf(fields, { ...answer, project: work, ...(style.dryRun && { dryRun: true }) });
      const sent = await send(new URL(`v1/${op.name}`, url), bearer, body);
      complaints.push(...sent.complaints, ...undeclared(sent.status, responses));
      if (sent.status !== 428) return { ...outcomeOf(sent, style), complaints };
      const { question, fingerprint } = sent.document as Parameters<typeof answered>[0];
      const given = answered({ question, fingerprint }, style);
      if (given === null) return { answer: null, failure: LEFT, complaints };
      answer = { answer: given };
    }
    return { answer: null, failure: null, complaints: [...complaints, "the same question again and again"] };
  }

  return {
    home,
    hasDryRun: true,
    async call(made) {
      calls += 1;
      const complaints = calls % RUBBISH_EVERY === 0 ? await sendRubbish(url, token, made.style.rubbish) : [];
      const outcome = await call(made);
      if (child.process.exitCode !== null) outcome.complaints.push("the server ended by itself");
      return { ...outcome, complaints: [...complaints, ...outcome.complaints] };
    },
    close: () => ended(child),
  };
}

async function personToken(url: string, key: string): Promise<string> {
  const post = async (route: string, body: object, headers: Record<string, string> = {}) => {
    const all = { "content-type": "application/json", ...headers };
    const response = await fetch(new URL(route, url), { method: "POST", headers: all, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const { code } = await post("person/codes", {}, { authorization: `Bearer ${key}` });
  return (await post("person/tokens", { code }))["token"]!;
}

const bodyOf = (fields: unknown, beside: object): string =>
  typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? JSON.stringify({ ...fields, ...beside })
    : (JSON.stringify(fields) ?? "");

async function send(url: URL, token: string, body: string): Promise<Sent> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(CALL_DEADLINE_MS);
  const response = await fetch(url, { method: "POST", headers, body, signal });
  const text = await response.text();
  const complaints = showsStack(text) ? [`a stack trace: ${text}`] : [];
  if (response.status >= 500) complaints.push(`status ${response.status}: ${text.slice(0, 300)}`);
  return { status: response.status, document: JSON.parse(text), complaints };
}

const undeclared = (status: number, responses: Record<string, unknown>): string[] =>
  Object.hasOwn(responses, String(status)) ? [] : [`status ${status} is not declared`];

function outcomeOf({ status, document }: Sent, { dryRun }: Style): Pick<Outcome, "answer" | "failure"> {
  if (status !== 200) return { answer: null, failure: (document as { error: Outcome["failure"] }).error };
  return { answer: dryRun ? (document as { answer: unknown }).answer : document, failure: null };
}

const LEFT = { code: "refused" as const, message: "The person left.", hint: "told by the test" };

function answered(
  { question, fingerprint }: { question: Parameters<typeof replyTo>[0]; fingerprint: string },
  style: Style,
): object | null {
  const reply = replyTo(question, style);
  if (reply.action === "cancel") return null;
  return { question: fingerprint, values: reply.action === "accept" ? reply.values : null };
}

/** Requests that no client would send: each is refused, and nobody else notices. */
async function sendRubbish(url: string, token: string, text: string): Promise<string[]> {
  const authorization = `Bearer ${token}`;
  const json = { authorization, "content-type": "application/json" };
  const path = encodeURIComponent(text.toWellFormed()).slice(0, 2_000);
  const requests: [route: string, init: RequestInit][] = [
    ["v1/recall", { method: "POST", headers: json, body: "{" }],
    ["v1/recall", { method: "POST", headers: json, body: new Uint8Array([0xff, 0xfe, 0x00]) }],
    ["v1/recall", { method: "POST", headers: json, body: "[".repeat(5_000) }],
    ["v1/recall", { method: "POST", headers: { authorization }, body: "query=a" }],
    ["v1/recall", { method: "DELETE", headers: json }],
    [`v1/${path}`, { method: "POST", headers: json, body: "{}" }],
    [`v1/recall?${path}`, { method: "POST", headers: { ...json, "stele-project": path }, body: '{"query":"a"}' }],
    [path, { headers: { authorization } }],
    ["mcp", { method: "POST", headers: json, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: text }) }],
    ["mcp", { method: "POST", headers: json, body: "[]" }],
    ["person/tokens", { method: "POST", headers: json, body: JSON.stringify({ code: { nested: text } }) }],
  ];
  const complaints: string[] = [];
  for (const [route, init] of requests) {
    const { status } = await fetch(new URL(route, url), { ...init, signal: AbortSignal.timeout(CALL_DEADLINE_MS) });
    if (status >= 500) complaints.push(`${init.method ?? "GET"} ${route}: ${status}`);
  }
  return complaints;
}

async function ended(child: Child): Promise<void> {
  child.kill("SIGTERM");
  const { code, errors } = await child.ended;
  if (code !== 0) throw new Error(`The server ended with ${code}: ${errors}`);
}
