/** Show what is connected to a document, a memory or a decision. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { withHandle } from "../../memory/handles.ts";
import { identity, Shelf } from "../../memory/item.ts";
import { shownLine, titled } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { Relation } from "../edge.ts";
import { relationTo } from "../edges.ts";
import { relatedTo } from "../related-to.ts";

const SUMMARY_CHARACTERS = 100;

const Direction = z.enum(["outgoing", "incoming", "both"]);

const Related = z.object({
  ...identity,
  shelf: Shelf,
  path: z.string().nullable(),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  by: z.array(z.enum(["refers_to", "referred_by", "found_together", ...Relation.options])),
  times: z.int().describe("How often one question found both."),
  strength: z.number().nullable().describe("Of the relation, 0 to 1; null for documents."),
  direction: Direction.nullable().describe("Of the strongest relation, as seen from the target."),
  relations: z
    .array(z.object({ relation: Relation, direction: Direction }))
    .describe("Each relation and its direction, as seen from the target."),
  suggested: z.boolean().describe("Pending: `link` accepts it, `unlink` dismisses it."),
  outdated: z.boolean().describe("Whether something has replaced it."),
  likeness: z
    .enum(["none", "related", "suggested", "consolidation_candidate", "strong"])
    .nullable()
    .describe("How alike the words are, if the relation was made of them."),
});

export default defineOperation({
  name: "related",
  group: "memory",
  summary:
    "Show what is connected to a document (linked from it, linking to it, often found together), " +
    "or with a memory or decision (by its relations, suggested ones included).",
  effect: "read",
  repeatable: true,
  input: z.object({
    target: shortText(1_000).describe("Path of the document in the project, or the id or handle of an item."),
    limit: z.int().min(1).max(50).default(10).describe("Maximum number of results."),
  }),
  output: z.object({ items: z.array(Related) }),
  cli: {
    completes: { target: "linkable" },
    positional: ["target"],
    examples: ["stele related docs/guide.md", "stele related 7fd436b5", "stele related README.md --limit 3 --json"],
  },
  run: async ({ target, limit }, world) => ({ items: (await relatedTo(target, limit, world)).map(withHandle) }),
  render: ({ items }) => items.map(renderRelated).join("\n") || "Nothing is related to it yet.",
});

function renderRelated(item: z.infer<typeof Related>): string {
  const { handle, shelf, path, title, summary, by, relations, times, strength } = item;
  if (shelf === "document") return `${path}  ${by.map(phrase).join(", ")}${times > 0 ? ` ${times} ×` : ""}`;
  const phrases = relations.map(({ relation, direction }) => `${relationTo(relation, direction)} it`);
  const facts = [`${[...new Set(phrases)].join(", ")} ${strength?.toFixed(2)}`, ...notes(item)];
  return `${handle}  ${shownLine(titled(title, summary ?? ""), SUMMARY_CHARACTERS)}  (${facts.join("; ")})`;
}

function notes({ suggested, likeness, outdated }: z.infer<typeof Related>): string[] {
  if (outdated) return ["outdated"];
  if (suggested) return ["suggested"];
  return likeness === "consolidation_candidate" || likeness === "strong" ? ["may say the same"] : [];
}

const PHRASES: Partial<Record<string, string>> = {
  refers_to: "linked from it",
  referred_by: "links to it",
  found_together: "found together",
};
const phrase = (by: string): string => PHRASES[by] ?? by;
