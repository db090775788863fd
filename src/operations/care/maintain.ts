/** Run scheduled maintenance. */
import * as z from "zod";
import { maintain } from "../../engine/care/maintain.ts";
import { suggestConsolidation } from "../../engine/care/suggest-consolidation.ts";
import { counted } from "../../model/text/count.ts";
import { Call, callOf } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "maintain",
  group: "care",
  summary:
    "Run scheduled maintenance now: old evidence is compressed and leaves the index (`why --archived` still finds it), " +
    "expired working memories are erased from disk, and new memories are linked to those that resemble them. " +
    "A server does the first hourly, the second within a minute and the third when idle; a file over 64 MB is rewritten at most once an hour.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    evidence: z.object({
      archived: z.int().describe("Number of evidence items archived."),
      bytesBefore: z.int().describe("Total length of their texts."),
      bytesAfter: z.int().describe("Bytes they take now; 0 in a dry run, which compresses nothing."),
    }),
    working: z.object({
      expired: z.int().describe("Number of working memories erased."),
      traces: z.array(z.string()).describe("Files that may still hold traces of them."),
    }),
    linked: z.int().describe("Number of memories linked to those that resemble them."),
    suggestions: z.array(z.string()).describe("What is worth doing next."),
    call: Call,
  }),
  cli: { examples: ["stele maintain", "stele maintain --dry-run"] },
  run: async (_, world) => {
    const { evidence, working, linked } = await maintain(world);
    const suggestions = await suggestConsolidation(world);
    return { evidence, working, linked, suggestions, call: callOf(evidence.archived > 0, world) };
  },
  render: ({ evidence: { archived, bytesBefore, bytesAfter }, working: { expired, traces }, linked, suggestions }) => {
    const now = bytesAfter > 0 ? `, now ${kilobytes(bytesAfter)}` : "";
    const done = [
      ...(archived > 0 ? [`Archived ${counted(archived, "evidence item")}: ${kilobytes(bytesBefore)}${now}.`] : []),
      ...(expired > 0 ? [`Erased ${counted(expired, "expired working memory", "expired working memories")}.`] : []),
      ...(linked > 0 ? [`Linked ${counted(linked, "memory", "memories")}.`] : []),
      ...traces.map((path) => `${path} is in use and may hold traces of them.`),
    ];
    return [done.join("\n") || "Nothing to do.", ...suggestions].join("\n");
  },
});

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
