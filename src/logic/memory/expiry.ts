/** Whether an item has expired. */
import type { Item } from "../../model/memory/item.ts";

export const isExpired = (item: Item, now: number): boolean => item.expiresAt !== null && item.expiresAt <= now;
