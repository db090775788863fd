/** Do what time asks for. */
import * as z from "zod";
import { maintain } from "../../engine/care/maintain.ts";
import { Call, callOf } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "maintain",
  group: "care",
  summary:
    "Do now what time asks for: old evidence is compressed and leaves the index; `why --archived` still finds it. " +
    "Expired working memories leave the disk. A server does both by itself, within an hour and within a minute; files of over 64 MB are rewritten hourly.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    evidence: z.object({
      archived: z.int().describe("Pieces of evidence that were archived."),
      bytesBefore: z.int().describe("The length of their texts."),
      bytesAfter: z.int().describe("The room they take now; 0 in a dry run, which compresses nothing."),
    }),
    working: z.object({
      expired: z.int().describe("Working memories that were erased."),
      traces: z.array(z.string()).describe("Files that may still hold something of them."),
    }),
    call: Call,
  }),
  cli: { examples: ["stele maintain", "stele maintain --dry-run"] },
  run: async (_, world) => {
    const { evidence, working } = await maintain(world);
    return { evidence, working, call: callOf(evidence.archived > 0, world) };
  },
  render: ({ evidence: { archived, bytesBefore, bytesAfter }, working: { expired, traces } }) => {
    const now = bytesAfter > 0 ? `, now ${kilobytes(bytesAfter)}` : "";
    const done = [
      ...(archived > 0 ? [`Archived ${archived} pieces of evidence: ${kilobytes(bytesBefore)}${now}.`] : []),
      ...(expired > 0 ? [`Erased expired working memories: ${expired}.`] : []),
      ...traces.map((path) => `${path} is in use and may hold traces of them.`),
    ];
    return done.join("\n") || "Nothing to do.";
  },
});

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
