/** Cuts a text into passages with their wordpieces. Without a vocabulary they have none, and soft keywords pass them by. */
import { cutPassages } from "../logic/passages.ts";
import type { Passage } from "../model/shelf.ts";
import type { World } from "../ports.ts";

type TokenWorld = Pick<World, "tokenizer" | "log">;

export function passagesOf(content: string, world: TokenWorld): Promise<Passage[]> {
  const pieces = cutPassages(content).map((piece, ordinal) => ({ ...piece, ordinal, heading: null }));
  return withTokens(pieces, world);
}

/** The same passages with their wordpieces. */
export async function withTokens(
  passages: readonly Omit<Passage, "tokens">[],
  { tokenizer, log }: TokenWorld,
): Promise<Passage[]> {
  const tokens = await tokenizer.encode(passages.map(({ text }) => text)).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return null;
  });
  return passages.map((passage, index) => ({ ...passage, tokens: tokens?.[index] ?? null }));
}
