/** Converts a salvaged row into an item if every field has a valid value and the content matches its hash. */
import { isHashOf } from "../../../logic/text/content-hash.ts";
import type { Item } from "../../../model/memory/item.ts";
import { FIELDS } from "../../../model/memory/item-fields.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { isSound } from "../../rows/items/sound-value.ts";
import { type ItemRow, toItem } from "../items/item-row.ts";
import { isJournaled } from "../journal/journal-writer.ts";
import type { Row } from "./salvage-pages.ts";

export function asItem(row: Row, shelf: Shelf): Item | null {
  const item = parsed(row);
  if (!item || !FIELDS.every(([name, field]) => isSound(item[name], field))) return null;
  return !isJournaled(shelf) || isHashOf(item) ? item : null;
}

function parsed(row: Row): Item | null {
  try {
    return toItem(row as unknown as ItemRow);
  } catch {
    // Damaged JSON.
    return null;
  }
}
