/** Near: an older item that is probably about the same thing as a new one. */
import * as z from "zod";
import { identity } from "./item.ts";
import { SPEAKERS } from "./speakers.ts";

/** Said only where it is sure; nearness alone says neither. */
const NEAR_KINDS = ["contradicts", "repeats"] as const;
export type NearKind = (typeof NEAR_KINDS)[number];

const NEAR_SHELVES = ["memory", "decision", "proposal"] as const;
export type NearShelf = (typeof NEAR_SHELVES)[number];

export const Near = z.object({
  ...identity,
  shelf: z.enum(NEAR_SHELVES),
  kind: z.enum(NEAR_KINDS).nullable().describe("Only where it is sure."),
  relevance: z.number().min(0).max(1).describe("How probably both are about the same thing."),
  createdAt: z.string(),
  by: z.enum(SPEAKERS).describe("Who said it."),
  summary: z.string(),
  onlyThere: z.string().describe("Words that only the older one has."),
  onlyHere: z.string().describe("Words that only the new one has."),
});
export type Near = z.infer<typeof Near>;

/** Two items that are near each other, as found when the newer one was written. */
export interface NearPair {
  newer: string;
  newerShelf: NearShelf;
  older: string;
  olderShelf: NearShelf;
  nearness: number;
  kind: NearKind | null;
}

/** What somebody said of two that both hold. */
export const Condition = z.object({ ...identity, when: z.string() });
export type Condition = z.infer<typeof Condition>;
