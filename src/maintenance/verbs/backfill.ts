/** Embed all pending passages, and link new memories. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { counted } from "../../text/short-text.ts";
import { backfill } from "../backfill.ts";

export default defineOperation({
  name: "backfill",
  group: "care",
  summary:
    "Embed all pending passages now, and link new memories to those that resemble them. Several processes share the work.",
  effect: "write",
  repeatable: true,
  input: z.object({ limit: z.int().min(1).max(10_000_000).optional().describe("Maximum number of passages.") }),
  output: z.object({
    embedded: z.int(),
    waiting: z.int(),
    embedder: z.string(),
    refusal: z.string().nullable().describe("Why those that wait are left to others; null if they are not."),
    linked: z.int().describe("Number of memories linked to those that resemble them."),
  }),
  cli: { examples: ["stele backfill", "stele backfill --limit 1000 --json"] },
  run: async ({ limit }, world) => backfill(limit, world),
  render: ({ embedded, waiting, linked, refusal }) =>
    [
      `Embedded ${counted(embedded, "passage")}; ${waiting} pending.`,
      ...(linked > 0 ? [`Linked ${counted(linked, "memory", "memories")}.`] : []),
      ...(refusal === null ? [] : [refusal]),
    ].join(" "),
});
