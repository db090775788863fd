/** Do what time asks for. */
import * as z from "zod";
import { maintain } from "../engine/maintain.ts";
import { ChangeSet, changeSetOf } from "./fields.ts";
import { defineOperation } from "./operation.ts";

export default defineOperation({
  name: "maintain",
  group: "care",
  summary:
    "Do now what time asks for: old evidence is compressed and leaves the index; `why --archived` still finds it. " +
    "A server does it by itself, hourly.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    evidence: z.object({
      archived: z.int().describe("Pieces of evidence that were archived."),
      bytesBefore: z.int().describe("The length of their texts."),
      bytesAfter: z.int().describe("The room they take now; 0 in a dry run, which compresses nothing."),
    }),
    changeSet: ChangeSet,
  }),
  cli: { examples: ["stele maintain", "stele maintain --dry-run"] },
  run: async (_, world) => {
    const { evidence } = await maintain(world);
    return { evidence, changeSet: changeSetOf(evidence.archived > 0, world) };
  },
  render: ({ evidence: { archived, bytesBefore, bytesAfter } }) =>
    archived === 0
      ? "Nothing to do."
      : `Archived ${archived} pieces of evidence: ${kilobytes(bytesBefore)}${bytesAfter > 0 ? `, now ${kilobytes(bytesAfter)}` : ""}.`,
});

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
