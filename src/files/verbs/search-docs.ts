/** Find what the project's documents say. */
import * as z from "zod";
import { limitOf, searching } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { HitsAnswer } from "../../recall/hit.ts";
import { showHits } from "../../recall/show-hits.ts";
import { lineText, shortText } from "../../text/text.ts";
import { searchDocs } from "../search-docs.ts";

const NEXT = "`stele index` reads the files of the project again.";
const NOTHING = "No document found.";

export default defineOperation({
  name: "search_docs",
  group: "corpus",
  summary: "Find what the project's documents say about something, with file, heading and lines.",
  effect: "read",
  repeatable: true,
  input: z.object({
    query: shortText(10_000).describe("What you want to know, in plain words."),
    ...searching,
    label: z
      .array(lineText(100))
      .optional()
      .describe("Only documents with one of these labels, such as adr or readme."),
    docType: z
      .array(z.enum(["procedural", "semantic"]))
      .optional()
      .describe("Only documents of these types."),
    path: lineText(500).optional().describe("Only files whose path begins with this."),
    maxChunksPerDoc: z.int().min(1).max(20).default(1).describe("Maximum number of passages per document."),
    dedupe: z.boolean().default(true).describe("False returns every matching passage."),
  }),
  output: HitsAnswer,
  tool: { fields: ["query", "limit", "path"] },
  cli: {
    positional: ["query"],
    examples: ['stele search-docs "how do we release"', "stele search-docs retries --label adr --max-chunks-per-doc 3"],
  },
  run: async ({ limit, label, docType, path, dedupe, maxChunksPerDoc, ...rest }, world) =>
    searchDocs(
      {
        ...rest,
        limit: limitOf(limit, world),
        perDocument: dedupe ? maxChunksPerDoc : null,
        labels: label,
        docTypes: docType,
        pathPrefix: path,
      },
      world,
    ),
  ...showHits({ asks: "query", nothing: NOTHING, next: NEXT, isJudged: true }),
});
