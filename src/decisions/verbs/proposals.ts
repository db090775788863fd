/** List proposals that await ratification. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { Status } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { titled } from "../../text/short-text.ts";
import { dayIn } from "../../time/shown.ts";
import { Proposal } from "../decision.ts";
import { listProposals } from "../read-decisions.ts";

export default defineOperation({
  name: "proposals",
  group: "decisions",
  summary: "List pending proposals, newest first; optionally those already ratified or rejected.",
  effect: "read",
  repeatable: true,
  input: z.object({
    status: z
      .array(Status.extract(["pending", "ratified", "rejected"]))
      .optional()
      .describe("Only these; pending ones when omitted."),
    limit: z.int().min(1).max(1_000).default(20).describe("Maximum number of results."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("How many to skip."),
  }),
  output: z.object({ items: z.array(Proposal), total: z.int() }),
  cli: { examples: ["stele proposals", "stele proposals --status rejected --json"] },
  run: async ({ status, limit, offset }, world) =>
    listProposals(status?.length ? status : ["pending"], { limit, offset }, world),
  render: ({ items, total }, { zone }) => {
    if (items.length === 0) return total === 0 ? "No matching proposals." : `Nothing on this page; ${total} in total.`;
    const lines = items.flatMap((item) => [
      `${item.handle}  ${oneLine(titled(item.subject ?? "(no subject)", item.decision), 240)}`,
      `  ${item.status}${item.reason ? `: ${oneLine(item.reason, 120)}` : ""}, by ${item.host} on ${dayIn(item.createdAt, zone)}`,
    ]);
    return [...lines, `${items.length} of ${total}`].join("\n");
  },
});
