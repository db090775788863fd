/** Similar: an older item that a new one repeats, updates, contradicts or is related to. */
import * as z from "zod";
import { identity } from "./handle.ts";

export const KINSHIPS = ["contradicts", "updates", "repeats", "related"] as const;
export const Kinship = z.enum(KINSHIPS);
export type Kinship = z.infer<typeof Kinship>;

export const Similar = z.object({
  ...identity,
  kind: Kinship.describe("What the new one does to it."),
  relevance: z.number().min(0).max(1).describe("How near the two are."),
  shelf: z.enum(["memory", "decision", "proposal"]),
  summary: z.string(),
  reason: z.string().nullable().describe("Why it opposes a decision."),
});
export type Similar = z.infer<typeof Similar>;
