/** A language model over HTTP. */
import { Failure } from "../../errors.ts";
import { estimatedTokens } from "../../logic/text/estimated-tokens.ts";
import type { LlmProvider } from "../../model/care/provider.ts";
import type { Llm } from "../../ports/llm.ts";
import { postJson } from "../remote/post-json.ts";
import { DIALECTS } from "./dialect.ts";

export interface RemoteLlmOptions {
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
        ...{ timeoutMs, attempts, ...(backoffMs !== undefined && { backoffMs }) },
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
