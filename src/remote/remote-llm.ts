/** A language model over HTTP. */
import { Failure } from "../errors.ts";
import type { Llm, LlmRequest } from "../ports.ts";
import { estimatedTokens } from "../text/tokens.ts";
import { postJson } from "./post-json.ts";
import type { LlmProvider } from "./provider.ts";

/**
 * How each provider wants to be asked, and where its reply has the text and the tokens.
 *
 * Nothing is guessed about a reply: a part that is missing or of another type counts as absent.
 */
interface Dialect {
  /** The provider's own address. */
  address: string;
  path(model: string): string;
  headers(key: string | null): Record<string, string>;
  body(model: string, request: LlmRequest, isOwnAddress: boolean): object;
  /** Null if there is no text. Tokens that are not told are null too. */
  read(reply: unknown): { text: string | null; inputTokens: number | null; outputTokens: number | null };
}

/** The part of a value at a path, or undefined. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let part = value;
  for (const name of path) part = part !== null && typeof part === "object" ? Reflect.get(part, name) : undefined;
  return part;
}

const textAt = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const countAt = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;

/** The texts of a list of parts, joined. */
const joined = (parts: unknown, isText: (part: unknown) => boolean): string | null =>
  Array.isArray(parts)
    ? textAt(
        parts
          .filter(isText)
          .map((part) => textAt(at(part, "text")) ?? "")
          .join(""),
      )
    : null;

const gemini: Dialect = {
  address: "https://generativelanguage.googleapis.com/v1beta",
  path: (model) => `models/${model}:generateContent`,
  headers: (key) => ({ ...(key !== null && { "x-goog-api-key": key }) }),
  body: (model, { system, prompt, schema, maxTokens }) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: [{ role: "user", parts: [{ text: prompt }] }],
    generationConfig: {
      maxOutputTokens: maxTokens,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      ...thinkingOf(model),
    },
  }),
  read(reply) {
    const used = at(reply, "usageMetadata");
    const thought = countAt(at(used, "thoughtsTokenCount")) ?? 0;
    const output = countAt(at(used, "candidatesTokenCount"));
    return {
      text: joined(at(reply, "candidates", 0, "content", "parts"), (part) => at(part, "thought") !== true),
      inputTokens: countAt(at(used, "promptTokenCount")),
      outputTokens: output === null ? null : output + thought,
    };
  },
};

/** Thoughts are paid for and count towards the limit. Each generation of models has its own name for fewer of them. */
function thinkingOf(model: string): object {
  if (/^gemini-2\.5-flash/.test(model)) return { temperature: 0, thinkingConfig: { thinkingBudget: 0 } };
  return /^gemini-3/.test(model) ? { thinkingConfig: { thinkingLevel: "low" } } : {};
}

const openai: Dialect = {
  address: "https://api.openai.com/v1",
  path: () => "chat/completions",
  headers: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  body: (model, { system, prompt, schema, maxTokens }, isOwnAddress) => ({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ],
    response_format: { type: "json_schema", json_schema: { name: "reply", schema, strict: true } },
    // Compatible servers know only the older name, which newer models of the provider itself refuse.
    ...(isOwnAddress ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
  }),
  read: (reply) => ({
    text: textAt(at(reply, "choices", 0, "message", "content")),
    inputTokens: countAt(at(reply, "usage", "prompt_tokens")),
    outputTokens: countAt(at(reply, "usage", "completion_tokens")),
  }),
};

const anthropic: Dialect = {
  address: "https://api.anthropic.com/v1",
  path: () => "messages",
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== null && { "x-api-key": key }) }),
  body: (model, { system, prompt, schema, maxTokens }) => ({
    model,
    system,
    max_tokens: maxTokens,
    messages: [{ role: "user", content: prompt }],
    output_config: { format: { type: "json_schema", schema } },
  }),
  read: (reply) => ({
    text: joined(at(reply, "content"), (part) => at(part, "type") === "text"),
    inputTokens: countAt(at(reply, "usage", "input_tokens")),
    outputTokens: countAt(at(reply, "usage", "output_tokens")),
  }),
};

export const DIALECTS: Readonly<Record<LlmProvider, Dialect>> = { gemini, openai, anthropic };

interface RemoteLlmOptions {
  provider: LlmProvider;
  model: string;
  /** A compatible server; the provider's own when omitted. */
  baseUrl?: string | undefined;
  key: string | null;
  /** Where the key was looked for; null if none is needed. */
  keyVariable: string | null;
  timeoutMs: number;
  backoffMs?: number;
}

export function createRemoteLlm(options: RemoteLlmOptions): Llm {
  const { provider, model, baseUrl, key, keyVariable, timeoutMs, backoffMs } = options;
  const dialect = DIALECTS[provider];
  const address = (baseUrl ?? dialect.address).replace(/\/+$/, "");
  return {
    identity: `${provider} ${model}`,
    async complete(request, attempts) {
      if (key === null && keyVariable !== null) throw keyMissing(keyVariable);
      const reply = await postJson({
        url: `${address}/${dialect.path(model)}`,
        headers: dialect.headers(key),
        body: dialect.body(model, request, baseUrl === undefined),
        timeoutMs,
        attempts,
        ...(backoffMs !== undefined && { backoffMs }),
      });
      const { text, inputTokens, outputTokens } = dialect.read(reply);
      if (text === null) throw new Failure("unavailable", "The provider's reply has no text.", "Try another model.");
      return {
        text,
        // Not every server tells.
        inputTokens: inputTokens ?? estimatedTokens(request.system, request.prompt),
        outputTokens: outputTokens ?? estimatedTokens(text),
      };
    },
  };
}

export const keyMissing = (variable: string): Failure =>
  new Failure("unavailable", `The variable ${variable} holds no key.`, "Set it, or name another one in your settings.");

/** Used unless the person's settings name a provider. */
export const NO_LLM: Llm = {
  identity: null,
  complete: async () => {
    throw new Failure("unavailable", "No language model is configured.", "Set llm.provider in your own settings.");
  },
};
