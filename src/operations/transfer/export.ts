/** Export items to a file that can be kept, compared and moved elsewhere. */
import * as z from "zod";
import { exportItems } from "../../engine/transfer/export.ts";
import { LastingScope } from "../../model/memory/item.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { counted } from "../../model/text/count.ts";
import { shortText } from "../../model/text/text.ts";
import { defineOperation } from "../operation.ts";

/** Everything that exists only in Stele; documents and code can be indexed again from their files. */
const SHELVES: readonly Shelf[] = ["memory", "decision", "proposal", "evidence"];

export default defineOperation({
  name: "export",
  group: "care",
  summary:
    "Write memories, decisions, proposals and evidence as JSON Lines, for another machine, a backup or git. " +
    "Equal contents give identical files. Overwrites nothing but an earlier export.",
  // It does not change the stores but writes files, so a client must not treat it as a read.
  effect: "write",
  repeatable: true,
  input: z.object({
    path: shortText(4_000).describe("File to write; with split, a folder."),
    split: z.boolean().default(false).describe("Write a folder with one file per shelf, suited to git."),
    scope: z
      .array(LastingScope)
      .optional()
      .describe("Only these scopes; both when omitted, or just project with split."),
    shelf: z.array(Shelf).optional().describe("Only these shelves; all but documents and code when omitted."),
    journal: z
      .boolean()
      .default(false)
      .describe("Include the journal and its chain, so that it can continue elsewhere."),
    access: z.boolean().default(true).describe("Include when and how often items were read."),
  }),
  output: z.object({
    path: z.string(),
    files: z.array(z.object({ path: z.string(), lines: z.int(), bytes: z.int() })),
    items: z.int(),
    byShelf: z.partialRecord(Shelf, z.int()),
  }),
  cli: {
    positional: ["path"],
    examples: [
      "stele export stele.jsonl",
      "stele export .stele --split --no-access",
      "stele export everything.jsonl --journal --shelf memory --shelf decision --shelf document",
    ],
  },
  run: async ({ scope = [], shelf = [], ...request }, world) => {
    const scopes = request.split ? (["project"] as const) : LastingScope.options;
    return exportItems(
      { ...request, scopes: scope.length > 0 ? scope : scopes, shelves: shelf.length > 0 ? shelf : SHELVES },
      world,
    );
  },
  render: ({ path, files, items, byShelf }) => {
    const shelves = Object.entries(byShelf).filter(([, count]) => count > 0);
    const counts = shelves.map(([shelf, count]) => `${shelf} ${count}`).join(", ");
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return [
      `Exported ${counted(items, "item")}${counts ? ` (${counts})` : ""} to ${path}.`,
      `${counted(files.length, "file")}, ${(bytes / 1_000_000).toFixed(1)} MB. Anyone who has these files can read them.`,
    ].join("\n");
  },
});
