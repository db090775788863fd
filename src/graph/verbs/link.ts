/** Relate two memories. */
import * as z from "zod";
import { Call, callOf, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Relation } from "../edge.ts";
import { edgeName } from "../edges.ts";
import { link } from "../link.ts";

export default defineOperation({
  name: "link",
  group: "memory",
  summary:
    "Relate two memories of one store, or accept a suggested relation. " +
    "`supersedes` also ends the second memory in favour of the first.",
  effect: "write",
  repeatable: true,
  input: z.object({
    source: typedId.describe("Id or handle of the memory the relation begins with."),
    target: typedId.describe("Id or handle of the other memory."),
    relation: Relation.default("relates_to").describe("How the first relates to the second."),
    strength: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("From 0 to 1; that of the suggestion when one is accepted, else 1."),
  }),
  output: z.object({
    status: z.enum(["linked", "accepted", "unchanged"]),
    source: z.string(),
    target: z.string(),
    relation: Relation,
    strength: z.number(),
    call: Call,
  }),
  cli: {
    completes: { source: "linkable", target: "linkable" },
    positional: ["source", "target"],
    examples: [
      "stele link 7fd436b5 1c9e02aa --relation refines",
      "stele link 7fd436b5 1c9e02aa --relation relates_to --strength 0.6",
    ],
  },
  run: async ({ source, target, relation, strength }, world) => {
    const { status, edge } = await link({ source, target }, { relation, strength }, world);
    const shown = { source: edge.source, target: edge.target, relation: edge.relation, strength: edge.strength };
    return { status, ...shown, call: callOf(status !== "unchanged", world) };
  },
  render: ({ status, call, ...edge }) => {
    const done = { linked: "Linked", accepted: "Accepted", unchanged: "Already linked" }[status];
    return `${done}: ${edgeName(edge)}.${renderUndo(call)}`;
  },
});
