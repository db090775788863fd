/** An item that a person may mean by words, or by the beginning of an id. */
import type { Item } from "./item.ts";

export interface PossibleTarget extends Pick<Item, "id" | "scope" | "type" | "summary"> {
  relevance: number;
}
