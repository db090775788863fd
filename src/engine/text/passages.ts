/** Splits an item into passages with wordpieces. Without a vocabulary they have none, and soft keywords ignore them. */
import { type Cuttable, cutItem } from "../../logic/memory/cut-item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";

type TokenWorld = Pick<World, "tokenizer" | "log">;

export const passagesOf = (item: Cuttable, world: TokenWorld): Promise<Passage[]> => withTokens(cutItem(item), world);

/** Adds wordpieces to passages; a passage with the text of a `known` one reuses its wordpieces. */
export async function withTokens(
  passages: readonly Omit<Passage, "tokens">[],
  { tokenizer, log }: TokenWorld,
  known: readonly Passage[] = [],
): Promise<Passage[]> {
  const tokens = new Map(known.flatMap((passage) => (passage.tokens ? [[passage.text, passage.tokens] as const] : [])));
  const texts = [...new Set(passages.map(({ text }) => text))].filter((text) => !tokens.has(text));
  const encoded = await tokenizer.encode(texts).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  for (const [index, pieces] of encoded.entries()) tokens.set(texts[index]!, pieces);
  return passages.map((passage) => ({ ...passage, tokens: tokens.get(passage.text) ?? null }));
}
