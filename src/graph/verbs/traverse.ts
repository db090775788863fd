/** Walk from an item along its edges. */
import * as z from "zod";
import { typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { handleOf, identityOf } from "../../memory/handles.ts";
import { identity, Status } from "../../memory/item.ts";
import { shownLine, titled } from "../../text/short-text.ts";
import { EdgeShelf, Relation } from "../edge.ts";
import { relationTo } from "../edges.ts";
import { traverse } from "../traverse.ts";

const SUMMARY_CHARACTERS = 100;

export default defineOperation({
  name: "traverse",
  group: "memory",
  summary: "Walk from a memory or decision along its relations, nearest first. Suggested relations are not followed.",
  effect: "read",
  repeatable: true,
  input: z.object({
    id: typedId.describe("Id or handle of the memory or decision to begin with."),
    depth: z.int().min(0).max(10).default(2).describe("How many steps to take; 0 shows only the beginning."),
    relation: z.array(Relation).optional().describe("Follow only these relations."),
    direction: z
      .enum(["outgoing", "incoming", "both"])
      .default("both")
      .describe("Follow relations from an item, to it, or both; symmetric ones are always followed."),
    minStrength: z.number().min(0).max(1).default(0).describe("Follow only relations at least this strong."),
    limit: z.int().min(1).max(200).default(50).describe("Maximum number of items reached."),
  }),
  output: z.object({
    shelf: EdgeShelf,
    items: z.array(
      z.object({
        ...identity,
        depth: z.int().describe("Steps from the beginning."),
        from: z.string().nullable().describe("The item it was reached from; null for the first."),
        relation: Relation.nullable(),
        direction: z
          .enum(["outgoing", "incoming", "both"])
          .nullable()
          .describe("Of the relation, as seen from that item."),
        strength: z.number().nullable(),
        type: z.string(),
        status: Status,
        title: z.string().nullable(),
        summary: z.string(),
      }),
    ),
    isCut: z.boolean().describe("Whether more could be reached than the limit allows."),
  }),
  cli: {
    completes: { id: "linkable" },
    positional: ["id"],
    examples: ["stele traverse 7fd436b5", "stele traverse 7fd436b5 --depth 3 --relation refines --direction incoming"],
  },
  run: async ({ id, depth, relation, direction, minStrength, limit }, world) => {
    const relations = relation?.length ? relation : undefined;
    const request = { depth, relations, direction, minimumStrength: minStrength, limit };
    const { shelf, items, isCut } = await traverse(id, request, world);
    return {
      shelf,
      isCut,
      items: items.map(({ depth: steps, via, from, direction: way, item }) => ({
        ...identityOf(item.id),
        depth: steps,
        from,
        relation: via?.relation ?? null,
        strength: via?.strength ?? null,
        direction: way,
        type: item.type,
        status: item.status,
        title: item.title,
        summary: item.summary,
      })),
    };
  },
  render: ({ items, isCut }) =>
    [
      ...items.map(({ handle, depth, from, relation, direction, strength, status, title, summary }) => {
        const via =
          relation && from
            ? `  (${relationTo(relation, direction ?? "both")} ${handleOf(from)} ${strength?.toFixed(2)})`
            : "";
        const outdated = status === "superseded" ? "  (outdated)" : "";
        return `${"  ".repeat(depth)}${handle}  ${shownLine(titled(title, summary), SUMMARY_CHARACTERS)}${via}${outdated}`;
      }),
      ...(items.length === 1 ? ["Nothing is reached from it."] : []),
      ...(isCut ? ["There is more; raise the limit to see it."] : []),
    ].join("\n"),
});
