/** Cuts a text into passages with their wordpieces. Without a vocabulary they wait for a later backfill. */
import { cutPassages } from "../logic/passages.ts";
import type { Passage } from "../model/shelf.ts";
import type { World } from "../ports.ts";

export async function passagesOf(content: string, world: Pick<World, "tokenizer" | "log">): Promise<Passage[]> {
  const pieces = cutPassages(content);
  const tokens = await world.tokenizer.encode(pieces.map((piece) => piece.text)).catch((thrown: Error) => {
    world.log.warn(`wordpieces are missing: ${thrown.message}`);
    return null;
  });
  return pieces.map((piece, ordinal) => ({ ...piece, ordinal, heading: null, tokens: tokens?.[ordinal] ?? null }));
}
