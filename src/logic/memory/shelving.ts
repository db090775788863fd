/** Decides which shelf a type of memory belongs on, and whether it gets vectors. */
import type { MemoryType } from "../../model/memory/memory.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

/** Decisions stay on the proposal shelf until a person ratifies them. */
export const shelfFor = (type: MemoryType): Shelf => (type === "decision" ? "proposal" : "memory");

/** Raw code is found through its description; embedding it would only add noise. */
export const isEmbedded = (type: string): boolean => type !== "code";
