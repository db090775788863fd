/**
 * The settings of remote providers.
 *
 * They come from the person's own file: no variable sets them and no project does, so that nobody else can make texts
 * leave the computer. A key is never among them, only the name of the variable that holds it.
 */
import * as z from "zod";
import { LLM_PROVIDERS, LOCAL_EMBEDDERS, REMOTE_EMBEDDERS, addressFault } from "../../model/care/provider.ts";

const Address = z
  .string()
  .max(2_000)
  .superRefine((address, issues) => {
    const fault = addressFault(address);
    if (fault) issues.addIssue({ code: "custom", message: `the address ${fault}` });
  });

/** Upper case only, so that a key pasted by mistake is refused. */
const KeyVariable = z.string().regex(/^[A-Z][A-Z0-9_]{1,99}$/, "expected the name of a variable, in upper case");

const Model = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.:@/-]+$/, "expected the name of a model");

const Tokens = z.int().min(0).max(1_000_000_000);
const Price = z.number().min(0).max(100_000);

export const EmbedderSettings = z
  .strictObject({
    provider: z
      .enum([...LOCAL_EMBEDDERS, ...REMOTE_EMBEDDERS])
      .default("minilm")
      .meta({ env: "STELE_EMBEDDER", inVariable: LOCAL_EMBEDDERS })
      .describe(
        "minilm: local model; none: words only; hash: deterministic, for tests; gemini, openai (or compatible), ollama: remote, beside minilm, and only in your own file.",
      ),
    model: Model.optional().describe("Model of a remote embedder; required for one."),
    baseUrl: Address.optional().describe("Address of a compatible server; the provider's own by default."),
    dimensions: z
      .int()
      .min(64)
      .max(4_096)
      .optional()
      .describe("Length of the remote vectors: 768 for gemini, required for openai and ollama."),
    keyVariable: KeyVariable.optional().describe(
      "Name of the variable that holds the key; by default that of the provider, but none with `baseUrl`.",
    ),
  })
  .superRefine(({ provider, model, dimensions }, { addIssue }) => {
    const isRemote = REMOTE_EMBEDDERS.some((name) => name === provider);
    if (isRemote && model === undefined) addIssue(missing("model", provider));
    if (isRemote && provider !== "gemini" && dimensions === undefined) addIssue(missing("dimensions", provider));
  });

export const LlmSettings = z
  .strictObject({
    provider: z
      .enum(["none", ...LLM_PROVIDERS])
      .default("none")
      .describe("The language model that chooses memories from sessions; none: built-in rules, nothing is sent."),
    model: Model.optional().describe("Required with a provider."),
    baseUrl: Address.optional().describe(
      "Address of a compatible server, such as `http://127.0.0.1:11434/v1`; the provider's own by default.",
    ),
    keyVariable: KeyVariable.optional().describe(
      "Name of the variable that holds the key; by default `GEMINI_API_KEY`, `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, but none with `baseUrl`.",
    ),
    timeoutMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(30_000)
      .describe("How long one request may take, with its repetitions."),
    sessionTokens: Tokens.default(100_000).describe(
      "Tokens a session may use, in and out; a request beyond is not made.",
    ),
    dayTokens: Tokens.default(500_000).describe("Tokens a day (UTC) may use, in all projects."),
    inputPrice: Price.optional().describe("Price of a million input tokens, in any currency; `inspect` adds it up."),
    outputPrice: Price.optional().describe("Price of a million output tokens."),
  })
  .superRefine(({ provider, model }, { addIssue }) => {
    if (provider !== "none" && model === undefined) addIssue(missing("model", provider));
  });

const missing = (name: string, provider: string) => ({
  ...{ code: "custom" as const, path: [name], message: `the provider ${provider} needs it` },
});
