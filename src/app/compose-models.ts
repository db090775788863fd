/**
 * Composition of the models that settings name: the local embedder, a remote one beside it, and a language model.
 *
 * None of them is loaded or asked before its first use.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHashEmbedder, createJoint, createNoEmbedder } from "../embed/embedders.ts";
import { createMinilm } from "../embed/minilm/embedder.ts";
import { LONGEST_TEXT_CHARACTERS } from "../embed/minilm/identity.ts";
import { createMeetingPlace } from "../embed/shared-model/meeting-place.ts";
import { createOffered, type Part } from "../embed/shared-model/offered-embedder.ts";
import type { Embedder, Llm, RemoteEmbedder } from "../ports.ts";
import { KEY_VARIABLES, REMOTE_EMBEDDERS } from "../remote/provider.ts";
import { createRemoteEmbedder } from "../remote/remote-embedder.ts";
import { createRemoteLlm, NO_LLM } from "../remote/remote-llm.ts";
import { lockFile } from "../store/sqlite/file-lock.ts";
import type { World } from "../world.ts";
import type { Config } from "./config.ts";
import { ENVIRONMENT, keyIn, modelsFolder, runtimeFolder } from "./environment.ts";

/** One model serves all projects that a process has open, and all processes of a data folder. */
const minilmAs = (part: Part) =>
  createJoint((home) =>
    createOffered({
      part,
      lock: lockFile,
      longestTextCharacters: LONGEST_TEXT_CHARACTERS,
      own: createMinilm({ cacheFolder: cacheIn(home), environment: ENVIRONMENT }),
      place: createMeetingPlace({ home, runtimeFolder: runtimeFolder() }),
    }),
  );

/** Where the built model is kept; nowhere if that would begin the data folder, which only writing does. */
function cacheIn(home: string): string | null {
  const folder = modelsFolder(home);
  return folder === join(home, "models") && !existsSync(home) ? null : folder;
}

const minilmIn: Record<Part, (home: string) => Embedder> = {
  offer: minilmAs("offer"),
  load: minilmAs("load"),
  borrow: minilmAs("borrow"),
};

export function createEmbedder({ embedder }: Config, home: string, part: Part): Embedder {
  switch (embedder.provider) {
    case "hash":
      return createHashEmbedder();
    case "none":
      return createNoEmbedder();
    // A remote one stands beside the local model.
    default:
      return minilmIn[part](home);
  }
}

/** What it is sent is noted in the ledger, after the answer. */
export function createRemote(
  { embedder: { provider, model, ...terms } }: Config,
  { global, clock, ids, afterwards, origin }: Pick<World, "global" | "clock" | "ids" | "afterwards" | "origin">,
): RemoteEmbedder | null {
  const known = REMOTE_EMBEDDERS.find((name) => name === provider);
  if (known === undefined || model === undefined) return null;
  const onUsage = (inputTokens: number) => {
    const spent = { inputTokens, outputTokens: 0, session: origin.session, at: clock.now() };
    const usage = { id: ids.next(), provider: known, model, purpose: "embed" as const, ...spent };
    if (!global.readOnly) afterwards.add("note usage", () => global.apply([{ kind: "note_usage", usage }], origin));
  };
  // Ollama needs no key unless the settings name one.
  const key = known === "ollama" ? keyOf(null, terms) : keyOf(KEY_VARIABLES[known], terms);
  return createRemoteEmbedder({ provider: known, model, ...terms, ...key, onUsage });
}

export function createLlm({ llm: { provider, model, ...llm } }: Config): Llm {
  if (provider === "none" || model === undefined) return NO_LLM;
  return createRemoteLlm({ provider, model, ...llm, ...keyOf(KEY_VARIABLES[provider], llm) });
}

/** Another server gets a key only if the settings name one for it: the provider's own key is not for strangers. */
function keyOf(usual: string | null, { baseUrl, keyVariable }: Pick<Config["llm"], "baseUrl" | "keyVariable">) {
  const variable = keyVariable ?? (baseUrl === undefined ? usual : null);
  return { keyVariable: variable, key: variable === null ? null : keyIn(variable) };
}
