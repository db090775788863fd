/** Splits an item into passages with wordpieces. Without a vocabulary they have none, and soft keywords ignore them. */
import { cutPassages } from "../text/passages.ts";
import type { World } from "../world.ts";
import { CUT_FIELDS, type CutField } from "./item-fields.ts";
import type { Item } from "./item.ts";
import type { Passage } from "./shelves.ts";

/**
 * Splits an item into passages: its content first, then its other searched fields.
 *
 * Line numbers refer to the content, so passages of other fields have none.
 */
type Cuttable = Pick<Item, "content"> & Partial<Pick<Item, CutField>>;

export function cutItem(item: Cuttable): Omit<Passage, "tokens">[] {
  const pieces = CUT_FIELDS.flatMap((name) =>
    cutPassages(item[name] ?? "").map(({ text, ...lines }) => ({
      ...(name === "content" ? lines : { startLine: null, endLine: null }),
      text,
    })),
  );
  return pieces.map((piece, ordinal) => ({ ...piece, ordinal, heading: null }));
}

/** Whether a passage comes from a field other than the content. */
export const isBesideContent = (text: string, item: Cuttable): boolean =>
  CUT_FIELDS.some((name) => name !== "content" && item[name]?.includes(text));

type TokenWorld = Pick<World, "tokenizer" | "log">;

type Titled = Cuttable & Partial<Pick<Item, "title">>;

/** The title counts as part of every passage: of a decision it is the subject. */
export async function passagesOf(item: Titled, world: TokenWorld): Promise<Passage[]> {
  const passages = cutItem(item);
  const texts = passages.map(({ text }) => (item.title ? `${item.title}\n${text}` : text));
  const tokens = await tokensOf(texts, world);
  return passages.map((passage, index) => ({ ...passage, tokens: tokens.get(texts[index]!) ?? null }));
}

/** Adds wordpieces to passages; a passage with the text of a `known` one reuses its wordpieces. */
export async function withTokens(
  passages: readonly Omit<Passage, "tokens">[],
  world: TokenWorld,
  known: readonly Passage[] = [],
): Promise<Passage[]> {
  const before = new Map(known.flatMap((passage) => (passage.tokens ? [[passage.text, passage.tokens] as const] : [])));
  const fresh = passages.map(({ text }) => text).filter((text) => !before.has(text));
  const tokens = new Map([...before, ...(await tokensOf(fresh, world))]);
  return passages.map((passage) => ({ ...passage, tokens: tokens.get(passage.text) ?? null }));
}

async function tokensOf(
  texts: readonly string[],
  { tokenizer, log }: TokenWorld,
): Promise<Map<string, NonNullable<Passage["tokens"]>>> {
  const distinct = [...new Set(texts)];
  const encoded = await tokenizer.encode(distinct).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  return new Map(encoded.map((pieces, index) => [distinct[index]!, pieces]));
}
