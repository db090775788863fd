/** List items, newest first. */
import * as z from "zod";
import { listItems } from "../../engine/memory/list.ts";
import { Memory } from "../../model/memory/memory-view.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { filterFrom, filters } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { oneLine } from "../recall/render-hits.ts";

const LISTED: readonly Shelf[] = ["memory", "proposal"];

export default defineOperation({
  name: "list",
  group: "memory",
  summary: "List memories, newest first, with filters.",
  effect: "read",
  repeatable: true,
  input: z.object({
    limit: z.int().min(1).max(1_000).default(20).describe("Maximum number of results."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("How many to skip."),
    shelf: z.array(Shelf).optional().describe("Which shelves to list; memories and proposals when omitted."),
    ...filters,
  }),
  output: z.object({ items: z.array(Memory), total: z.int() }),
  cli: {
    examples: ["stele list", "stele list --type preference --scope global", "stele list --status archived --json"],
  },
  run: async ({ limit, offset, shelf, ...rest }, world) =>
    listItems({ shelves: shelf?.length ? shelf : LISTED, limit, offset, filter: await filterFrom(rest, world) }, world),
  render: ({ items, total }) => {
    if (items.length === 0) return total === 0 ? "No matching items." : `Nothing on this page; ${total} in total.`;
    const lines = items.map(
      (item) =>
        `${item.handle}  ${item.createdAt.slice(0, 10)}  ${item.type}, ${item.scope}  ${oneLine(item.title ?? item.summary, 120)}`,
    );
    return [...lines, `${items.length} of ${total}`].join("\n");
  },
});
