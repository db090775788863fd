/** Take back a relation of two memories. */
import * as z from "zod";
import { Call, callOf, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Relation } from "../edge.ts";
import { edgeName } from "../edges.ts";
import { unlink } from "../link.ts";

export default defineOperation({
  name: "unlink",
  group: "memory",
  summary:
    "Take back relations between two memories, or dismiss a suggested one. What was dismissed is not suggested again.",
  effect: "destroy",
  begins: false,
  repeatable: false,
  input: z.object({
    source: typedId.describe("Id or handle of one of the memories."),
    target: typedId.describe("Id or handle of the other."),
    relation: Relation.optional().describe("Only this relation; all between the two when omitted."),
  }),
  output: z.object({
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        relation: Relation,
        became: z.enum(["removed", "dismissed"]),
      }),
    ),
    call: Call,
  }),
  cli: {
    completes: { source: "linkable", target: "linkable" },
    positional: ["source", "target"],
    examples: ["stele unlink 7fd436b5 1c9e02aa", "stele unlink 7fd436b5 1c9e02aa --relation refines"],
  },
  run: async ({ source, target, relation }, world) => {
    const { edges } = await unlink({ source, target }, relation, world);
    return {
      edges: edges.map((edge) => ({
        source: edge.source,
        target: edge.target,
        relation: edge.relation,
        became: edge.made ? ("dismissed" as const) : ("removed" as const),
      })),
      call: callOf(true, world),
    };
  },
  render: ({ edges, call }) =>
    `${edges.map(({ became, ...edge }) => `${became === "removed" ? "Removed" : "Dismissed"}: ${edgeName(edge)}.`).join("\n")}${renderUndo(call)}`,
});
