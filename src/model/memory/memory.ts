/**
 * Memory: one thing learnt.
 *
 * The list of types is closed; synonyms are mapped on input, so that the store never has two words for one idea.
 */
import * as z from "zod";
import { MEMORY_TYPES } from "./memory-types.ts";

export * from "./memory-types.ts";

export const MemoryType = z.enum(MEMORY_TYPES);
export type MemoryType = z.infer<typeof MemoryType>;

export const TYPE_SYNONYMS = { code_pattern: "pattern", relationship: "preference" } as const satisfies Record<
  string,
  MemoryType
>;

/** A type as callers may write it. */
export const MemoryTypeInput = z
  .enum([...MEMORY_TYPES, "code_pattern", "relationship"])
  .transform(
    (type): MemoryType =>
      type in TYPE_SYNONYMS ? TYPE_SYNONYMS[type as keyof typeof TYPE_SYNONYMS] : (type as MemoryType),
  );

/** Weight 1–5 and importance 1–10 are other notations for priority, the only one stored. */
export const PRIORITY_OF_WEIGHT = { 1: 1, 2: 3, 3: 5, 4: 8, 5: 10 } as const;
