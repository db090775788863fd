/**
 * Embedders over HTTP: Gemini, OpenAI and compatible servers, Ollama.
 *
 * Texts are redacted once more before they leave. A reply is checked whole: a vector that is missing, of another length
 * or without direction fails the batch, because a wrong vector would be found for years.
 */
import { Failure } from "../errors.ts";
import type { RemoteEmbedder } from "../ports.ts";
import { redact } from "../redaction/rules/redaction.ts";
import { cut } from "../text/short-text.ts";
import { estimatedTokens } from "../text/tokens.ts";
import { postJson } from "./post-json.ts";
import { REMOTE_PREFIX, type RemoteEmbedderName } from "./provider.ts";
import { keyMissing } from "./remote-llm.ts";

export interface RemoteEmbedderOptions {
  provider: RemoteEmbedderName;
  model: string;
  baseUrl?: string | undefined;
  dimensions?: number | undefined;
  key: string | null;
  keyVariable: string | null;
  timeoutMs?: number;
  backoffMs?: number;
  /** How long it is left alone after a failure. */
  restMs?: number;
  /** Called with the tokens of each batch. */
  onUsage?: (inputTokens: number) => void;
}

type Task = "question" | "passage";

interface Dialect {
  address: string;
  path(model: string): string;
  headers(key: string | null): Record<string, string>;
  body(texts: readonly string[], of: { model: string; dimensions: number; task: Task }): object;
  /** The vectors in the order of the texts, as far as the reply has any. */
  vectors(reply: Reply): unknown[];
  tokens(reply: Reply): unknown;
}

type Reply = Record<string, unknown> & { usage?: { prompt_tokens?: unknown } };
const listIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

const TASKS: Readonly<Record<Task, string>> = { question: "RETRIEVAL_QUERY", passage: "RETRIEVAL_DOCUMENT" };
const bearer = (key: string | null) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) });

const DIALECTS: Readonly<Record<RemoteEmbedderName, Dialect>> = {
  gemini: {
    address: "https://generativelanguage.googleapis.com/v1beta",
    path: (model) => `models/${model}:batchEmbedContents`,
    headers: (key) => ({ ...(key !== null && { "x-goog-api-key": key }) }),
    body: (texts, { model, dimensions, task }) => ({
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: TASKS[task],
        outputDimensionality: dimensions,
      })),
    }),
    vectors: (reply) => listIn(reply["embeddings"]).map((one) => one?.["values"]),
    tokens: () => null,
  },
  openai: {
    address: "https://api.openai.com/v1",
    path: () => "embeddings",
    headers: bearer,
    body: (texts, { model, dimensions }) => ({ model, input: texts, dimensions, encoding_format: "float" }),
    // The order is told, not promised.
    vectors: (reply) =>
      listIn(reply["data"])
        .toSorted((one, two) => Number(one?.["index"]) - Number(two?.["index"]))
        .map((one) => one?.["embedding"]),
    tokens: (reply) => reply.usage?.prompt_tokens,
  },
  ollama: {
    address: "http://127.0.0.1:11434",
    path: () => "api/embed",
    headers: bearer,
    body: (texts, { model, dimensions }) => ({ model, input: texts, dimensions, truncate: true }),
    vectors: (reply) => listIn(reply["embeddings"]),
    tokens: (reply) => reply["prompt_eval_count"],
  },
};

const BATCH_TEXTS = 100;
const TIMEOUT_MS = 30_000;
const REST_MS = 60_000;
const RESTING = "It is tried again within a minute; the local embedder answers meanwhile.";
const GEMINI_DIMENSIONS = 768;
/** Every model reads at least so much; what follows would be refused or ignored. */
const TEXT_CHARACTERS = 6_000;

export function createRemoteEmbedder(options: RemoteEmbedderOptions): RemoteEmbedder {
  const { provider, model, baseUrl, key, keyVariable, timeoutMs = TIMEOUT_MS, backoffMs, onUsage } = options;
  const { restMs = REST_MS } = options;
  const dimensions = options.dimensions ?? GEMINI_DIMENSIONS;
  const dialect = DIALECTS[provider];
  const url = `${(baseUrl ?? dialect.address).replace(/\/+$/, "")}/${dialect.path(model)}`;
  let isClosed = false;
  let restsUntil = 0;

  async function batch(texts: readonly string[], task: Task): Promise<Float32Array[]> {
    // An empty text has no vector anywhere.
    const sent = texts.map((text) => cut(redact(text).text, TEXT_CHARACTERS).trim() || "-");
    const body = dialect.body(sent, { model, dimensions, task });
    const terms = { timeoutMs, ...(backoffMs !== undefined && { backoffMs }) };
    const reply = ((await postJson({ url, headers: dialect.headers(key), body, ...terms })) ?? {}) as Reply;
    const told = dialect.tokens(reply);
    onUsage?.(Number.isSafeInteger(told) ? Number(told) : estimatedTokens(...sent));
    const vectors = dialect.vectors(reply);
    if (vectors.length !== texts.length) throw unusable(`${vectors.length} vectors for ${texts.length} texts`);
    return vectors.map((vector) => unitVector(vector, dimensions));
  }

  async function embed(texts: readonly string[], task: Task): Promise<Float32Array[]> {
    if (isClosed) throw new Failure("unavailable", "The embedder is closed.", "Create a new one.");
    if (key === null && keyVariable !== null) throw keyMissing(keyVariable);
    if (Date.now() < restsUntil) throw new Failure("unavailable", "The remote embedder failed a moment ago.", RESTING);
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH_TEXTS)
      vectors.push(...(await batch(texts.slice(start, start + BATCH_TEXTS), task).catch(rest)));
    return vectors;
  }

  /** Nobody waits for a broken provider again and again. */
  function rest(thrown: unknown): never {
    restsUntil = Date.now() + restMs;
    throw thrown;
  }

  return {
    identity: `${REMOTE_PREFIX}${provider}:${model}:${dimensions}:1`,
    dimensions,
    state: () => (isClosed ? "absent" : "ready"),
    async load() {
      if (isClosed) throw new Failure("unavailable", "The embedder is closed.", "Create a new one.");
    },
    embed: (texts) => embed(texts, "passage"),
    embedQuestion: async (text) => (await embed([text], "question"))[0]!,
    async close() {
      isClosed = true;
    },
  };
}

/** Few models return vectors of length one, and shortened ones never are. */
function unitVector(vector: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(vector) || vector.length !== dimensions || !vector.every((value) => Number.isFinite(value)))
    throw unusable(`a vector that does not have ${dimensions} numbers`);
  const length = Math.hypot(...(vector as number[]));
  if (!(length > 0)) throw unusable("a vector without direction");
  return Float32Array.from(vector as number[], (value) => value / length);
}

const unusable = (what: string): Failure =>
  new Failure("unavailable", `The remote embedder returned ${what}.`, "Check embedder.model and embedder.dimensions.");
