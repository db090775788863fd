/** Show items and their relations as a graph. */
import * as z from "zod";
import { filterFrom, filters, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { handleOf, identityOf } from "../../memory/handles.ts";
import { identity, Scope, Status } from "../../memory/item.ts";
import { isoTime } from "../../memory/shown-item.ts";
import { counted, shownLine } from "../../text/short-text.ts";
import { EdgeShelf, Relation } from "../edge.ts";
import { relationTo } from "../edges.ts";
import { wholeGraph } from "../traverse.ts";

const SHOWN_CHARACTERS = 60;
const RENDERED = 20;

export default defineOperation({
  name: "relations",
  group: "memory",
  summary:
    "Show how memories and decisions are related and which files they name: the newest, or one and what is " +
    "reached from it. With suggested, only relations that wait to be accepted.",
  effect: "read",
  repeatable: true,
  input: z.object({
    id: typedId.optional().describe("Id or handle of an item: only what is at most two steps from it."),
    suggested: z
      .boolean()
      .default(false)
      .describe("Only suggested relations, newest first; `link` accepts one, `unlink` dismisses it."),
    limit: z.int().min(1).max(5_000).default(100).describe("Maximum number of items; with suggested, of relations."),
    ...filters,
  }),
  output: z.object({
    items: z.array(
      z.object({
        ...identity,
        shelf: EdgeShelf,
        type: z.string(),
        scope: Scope,
        status: Status,
        title: z.string().nullable(),
        summary: z.string(),
        createdAt: z.string(),
      }),
    ),
    relations: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        relation: Relation,
        strength: z.number(),
        isSymmetric: z.boolean().describe("Whether it holds both ways."),
      }),
    ),
    files: z
      .array(z.object({ path: z.string(), items: z.array(z.string()).describe("Ids of the items that name it.") }))
      .describe("Files that the items are about; none with suggested."),
    isCut: z.boolean().describe("Whether there are more than the limit allows."),
  }),
  cli: {
    completes: { id: "linkable", tag: "tag" },
    positional: ["id"],
    examples: ["stele relations", "stele relations 7fd436b5", "stele relations --suggested --json"],
  },
  run: async ({ id, suggested, limit, ...rest }, world) => {
    const request = { id, suggested, limit, filter: await filterFrom(rest, world) };
    const { items, edges, files, isCut } = await wholeGraph(request, world);
    return {
      items: items.map(({ item, shelf }) => ({
        ...identityOf(item.id),
        shelf,
        type: item.type,
        scope: item.scope,
        status: item.status,
        title: item.title,
        summary: item.summary,
        createdAt: isoTime(item.createdAt),
      })),
      relations: edges.map(({ source, target, relation, strength, bidirectional }) => ({
        source,
        target,
        relation,
        strength,
        isSymmetric: bidirectional,
      })),
      files,
      isCut,
    };
  },
  render: ({ items, relations, files, isCut }) => {
    if (items.length === 0) return "Nothing is related here.";
    const names = new Map(items.map(({ id, title, summary }) => [id, shownLine(title ?? summary, SHOWN_CHARACTERS)]));
    const nameOf = (id: string) => `${handleOf(id)} ${names.get(id) ?? ""}`;
    return [
      ...relations
        .slice(0, RENDERED)
        .map(({ source, target, relation, isSymmetric }) =>
          [nameOf(source), relationTo(relation, isSymmetric ? "both" : "incoming"), nameOf(target)].join("  "),
        ),
      `${counted(items.length, "item")}, ${counted(relations.length, "relation")}, ${counted(files.length, "file")}${isCut ? "; there are more" : ""}.`,
    ].join("\n");
  },
});
