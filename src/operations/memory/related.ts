/** Tell what goes with a document. */
import * as z from "zod";
import { relatedDocuments } from "../../engine/corpus/related-documents.ts";
import { identity, withHandle } from "../../model/memory/handle.ts";
import { shortText } from "../../model/text/text.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "related",
  group: "corpus",
  summary: "Tell what goes with a document: what it refers to, what refers to it, what is found together with it.",
  effect: "read",
  repeatable: true,
  input: z.object({
    target: shortText(1_000).describe("Path of the document in the project, or its id or handle."),
    limit: z.int().min(1).max(50).default(10).describe("How many at most."),
  }),
  output: z.object({
    items: z.array(
      z.object({
        ...identity,
        path: z.string(),
        title: z.string().nullable(),
        by: z.array(z.enum(["refers_to", "referred_by", "found_together"])),
        times: z.int().describe("How often both were found by one question."),
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
      .map(({ path, by, times }) => `${path}  ${by.map(inWords).join(", ")}${times > 0 ? ` ${times} ×` : ""}`)
      .join("\n") || "Nothing goes with it yet.",
});

const inWords = (by: string): string => by.replaceAll("_", " ");
