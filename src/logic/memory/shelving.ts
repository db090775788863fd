/** Which shelf a type of memory lies on, and whether it gets vectors. */
import type { MemoryType } from "../../model/memory/memory.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

/** Decisions wait on their own shelf until a person has ratified them. */
export const shelfFor = (type: MemoryType): Shelf => (type === "decision" ? "proposal" : "memory");

/** Raw code is found through its description; embedding it would only add noise. */
export const isEmbedded = (type: string): boolean => type !== "code";
