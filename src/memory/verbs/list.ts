/** List items, newest first. */
import * as z from "zod";
import { filterFrom, filters } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { oneLine, otherSessionFact } from "../../recall/show-hits.ts";
import { line, type Paragraph } from "../../text/paragraph.ts";
import { titled } from "../../text/short-text.ts";
import { dayIn, dayShown } from "../../time/shown.ts";
import { Shelf } from "../item.ts";
import { listItems } from "../list.ts";
import { Memory } from "../view.ts";

const NOTHING = "No matching items.";
const SHOWN_CHARACTERS = 200;
const LISTED: readonly Shelf[] = ["memory", "proposal"];

/** A proposal looks like a decision, and does not hold yet. */
function kindOf({
  shelf,
  type,
  scope,
  status,
  otherSession,
}: Pick<Memory, "shelf" | "type" | "scope" | "status" | "otherSession">): string {
  const isAgreed = shelf === "decision" && status === "active";
  const standing = shelf === "proposal" && status === "pending" ? "proposed" : isAgreed ? "ratified" : status;
  const isMarked = shelf === "proposal" || shelf === "decision";
  return [type, scope, ...otherSessionFact({ otherSession }), ...(isMarked ? [standing] : [])].join(", ");
}

/** It says so beside both of two that nobody has settled yet. */
const nearWords = ({ near = [] }: Pick<Memory, "near">): string =>
  near.map(({ handle, is, contradicts }) => `, ${contradicts ? "contradicts" : "near"} ${is} ${handle}`).join("");

export default defineOperation({
  name: "list",
  group: "memory",
  summary: "List memories, newest first, with filters.",
  effect: "read",
  repeatable: true,
  input: z.object({
    limit: z.int().min(1).max(1_000).default(20).describe("Maximum number of results."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("How many to skip."),
    countMost: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe("Stop counting at this number, which is faster; the total then means that many or more."),
    shelf: z
      .array(Shelf)
      .optional()
      .describe(
        "Which shelves to list; memories and proposals when omitted, and decisions if their type is asked for.",
      ),
    ...filters,
  }),
  output: z.object({ items: z.array(Memory), total: z.int() }),
  cli: {
    completes: { tag: "tag" },
    examples: ["stele list", "stele list --type preference --scope global", "stele list --status archived --json"],
  },
  run: async ({ limit, offset, countMost, shelf, ...rest }, world) => {
    const listed = rest.type?.includes("decision") ? [...LISTED, "decision" as const] : LISTED;
    const shelves = shelf?.length ? shelf : listed;
    return listItems({ shelves, limit, offset, countMost, filter: await filterFrom(rest, world) }, world);
  },
  render: ({ items, total }, { zone }) => {
    if (items.length === 0) return total === 0 ? NOTHING : `Nothing on this page; ${total} in total.`;
    const lines = items.map(
      (item) =>
        `${item.handle}  ${dayIn(item.createdAt, zone)}  ${kindOf(item)}  ${oneLine(titled(item.title, item.summary), 120)}${nearWords(item)}`,
    );
    return [...lines, `${items.length} of ${total}`].join("\n");
  },
  page: ({ items, total }, reader) => {
    if (items.length === 0) return [line(total === 0 ? NOTHING : `Nothing on this page; ${total} in total.`)];
    const days = items.map(({ createdAt }) => dayShown(createdAt, reader));
    const width = Math.max(...days.map((day) => day.length));
    const rows = items.map((item, index): Paragraph => {
      const day = `  ${days[index]!.padEnd(width)}  `;
      return {
        spans: [
          { text: item.handle, style: "handle" },
          { text: day, style: "fact" },
          { text: oneLine(titled(item.title, item.summary), SHOWN_CHARACTERS) },
          { text: `  ${kindOf(item)}${nearWords(item)}`, style: "fact" },
        ],
        hang: item.handle.length + day.length,
      };
    });
    const next = reader.input.offset ?? 0;
    const more = next + items.length < total ? `; \`--offset ${next + items.length}\` shows the next` : "";
    return [...rows, line(`${items.length} of ${total}${more}`, "fact")];
  },
});
