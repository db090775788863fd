/**
 * Splits an item into passages: its content first, then its other searched fields.
 *
 * Line numbers refer to the content, so passages of other fields have none.
 */
import type { Item } from "../../model/memory/item.ts";
import { CUT_FIELDS, type CutField } from "../../model/memory/item-fields.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { cutPassages } from "../text/passages.ts";

export type Cuttable = Pick<Item, "content"> & Partial<Pick<Item, CutField>>;

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
