/** Used when embeddings are turned off: always absent, so that search reports it and answers by keyword. */
import { Failure } from "../../errors.ts";
import type { Embedder } from "../../ports/embedder.ts";

export function createNoEmbedder(): Embedder {
  const refuse = async (): Promise<never> => {
    const hint = "Choose an embedding provider in the settings, or search by keyword.";
    throw new Failure("unavailable", "No embedding provider is configured.", hint);
  };
  return {
    identity: "none",
    dimensions: 0,
    state: () => "absent",
    load: refuse,
    embed: refuse,
    close: async () => undefined,
  };
}
