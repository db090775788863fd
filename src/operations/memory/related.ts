/** Show documents connected with a document. */
import * as z from "zod";
import { relatedDocuments } from "../../engine/corpus/related-documents.ts";
import { identity, withHandle } from "../../model/memory/handle.ts";
import { shortText } from "../../model/text/text.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "related",
  group: "corpus",
  summary: "Show documents connected with a document: linked from it, linking to it, or often found together.",
  effect: "read",
  repeatable: true,
  input: z.object({
    target: shortText(1_000).describe("Path of the document in the project, or its id or handle."),
    limit: z.int().min(1).max(50).default(10).describe("Maximum number of results."),
  }),
  output: z.object({
    items: z.array(
      z.object({
        ...identity,
        path: z.string(),
        title: z.string().nullable(),
        by: z.array(z.enum(["refers_to", "referred_by", "found_together"])),
        times: z.int().describe("How often one question found both."),
      }),
    ),
  }),
  cli: {
    positional: ["target"],
    examples: ["stele related docs/guide.md", "stele related README.md --limit 3 --json"],
  },
  run: async ({ target, limit }, world) => ({ items: (await relatedDocuments(target, limit, world)).map(withHandle) }),
  render: ({ items }) =>
    items
      .map(
        ({ path, by, times }) =>
          `${path}  ${by.map((way) => PHRASES[way]).join(", ")}${times > 0 ? ` ${times} ×` : ""}`,
      )
      .join("\n") || "No related documents yet.",
});

const PHRASES = { refers_to: "linked from it", referred_by: "links to it", found_together: "found together" } as const;
