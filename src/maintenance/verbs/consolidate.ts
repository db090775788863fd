/** Look for memories and passages that say the same. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { handleOf, identityOf } from "../../memory/handles.ts";
import { identity, LastingScope } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted, cutLine } from "../../text/short-text.ts";
import { dayIn } from "../../time/shown.ts";
import { consolidate, type Twin, type TwinPair } from "../consolidate.ts";

const Twin = z.object({
  ...identity,
  text: z.string().describe("Of a memory or a passage, shortened."),
  type: z.string(),
  path: z.string().optional().describe("Documents only."),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
});

const Pair = z.object({
  first: Twin.describe("The one written last."),
  second: Twin,
  likeness: z.number().min(0).max(1).describe("Memories: share of common words. Documents: cosine."),
  onlyFirst: z.string().describe("Words that only the first has."),
  onlySecond: z.string().describe("Words that only the second has."),
  both: z.string().describe("Words that both have."),
  next: z.string().describe("What to do about it."),
});

const SHELVES = ["memory", "document"] as const;

export default defineOperation({
  name: "consolidate",
  group: "care",
  summary:
    "Look for near-duplicates: memories that share more than half of their words, or passages of documents with a cosine " +
    "of 0.95 or more. Shows how each pair differs; only a person can merge one. Memories that were linked are kept apart.",
  effect: "read",
  repeatable: true,
  input: z.object({
    shelf: z.enum(SHELVES).default("memory").describe("Where to look: among memories, or in documents."),
    scope: LastingScope.default("project").describe("The scope to look in; documents are always project."),
    limit: z.int().min(1).max(50).default(10).describe("Stop once about this many pairs are found."),
    cursor: z.int().min(1).optional().describe("Continue from here: the `next` of the previous answer."),
  }),
  output: z.object({
    pairs: z.array(Pair),
    examined: z.int().describe("How many memories or passages were compared with earlier ones."),
    oldestAt: z.string().nullable().describe("When the last of them was created. The newest are examined first."),
    next: z.int().nullable().describe("Pass it as cursor to continue; null if everything was examined."),
    unembedded: z.int().describe("Passages that could not be compared because they have no vector yet."),
  }),
  cli: {
    examples: [
      "stele consolidate",
      "stele consolidate --shelf document",
      "stele consolidate --scope global --limit 50",
    ],
  },
  run: async ({ shelf, scope, limit, cursor = null }, world) => {
    const asked = { shelf, scope: shelf === "document" ? ("project" as const) : scope, limit, cursor };
    const { pairs, examined, oldestAt, next, unembedded } = await consolidate(asked, world);
    const at = oldestAt === null ? null : new Date(oldestAt).toISOString();
    return { pairs: pairs.map(shownPair), examined, oldestAt: at, next, unembedded };
  },
  render: ({ pairs, examined, oldestAt, next, unembedded }, { zone }) =>
    [
      ...pairs.map(renderPair),
      ...(pairs.length === 0 ? ["No near-duplicates found."] : []),
      `Examined ${examined}${oldestAt === null ? "" : `, back to ${dayIn(oldestAt, zone)}`}.`,
      ...(unembedded > 0
        ? [`${counted(unembedded, "passage")} without a vector: \`stele backfill\` embeds them.`]
        : []),
      ...(next === null ? [] : [`Not finished; continue with \`--cursor ${next}\`.`]),
    ].join("\n"),
});

const TEXT_CHARACTERS = 500;

const shownPair = ({ first, second, likeness, difference, mayMerge }: TwinPair): z.infer<typeof Pair> => ({
  first: shownTwin(first),
  second: shownTwin(second),
  likeness: Math.round(likeness * 1_000) / 1_000,
  ...difference,
  next: nextStep(first, second, mayMerge),
});

const shownTwin = ({ item, passage }: Twin): z.infer<typeof Twin> => ({
  ...identityOf(item.id),
  text: cutLine(passage?.text ?? item.content, TEXT_CHARACTERS),
  type: item.type,
  ...(item.path !== null && { path: item.path }),
  ...(passage?.startLine && { startLine: passage.startLine }),
  ...(passage?.endLine && { endLine: passage.endLine }),
});

/** That the later one replaces the other is offered first. */
function nextStep(first: Twin, second: Twin, mayMerge: boolean): string {
  if (first.passage === null) {
    const both = `${handleOf(first.item.id)} ${handleOf(second.item.id)}`;
    const settling = `stele settle ${both} --as replaces`;
    return mayMerge ? `${settling}, or stele merge ${both}` : `${settling}, or --as both --when "…"`;
  }
  return `search-docs shows only the newer one; edit ${first.item.path} or ${second.item.path} to remove one`;
}

function renderPair({ first, second, likeness, onlyFirst, onlySecond, both, next }: z.infer<typeof Pair>): string {
  const difference = [
    ...(both === "" ? [] : [`    ${oneLine(both)}`]),
    ...(onlySecond === "" ? [] : [`  - ${oneLine(onlySecond)}`]),
    ...(onlyFirst === "" ? [] : [`  + ${oneLine(onlyFirst)}`]),
  ];
  return [
    `${nameOf(second)}\n${nameOf(first)}`,
    `  ${Math.round(likeness * 100)} % alike; in both, only in the earlier (-), only in the later (+):`,
    ...difference,
    `  ${next}\n`,
  ].join("\n");
}

const nameOf = ({ handle, text, path, startLine }: z.infer<typeof Twin>): string =>
  `${handle}  ${path === undefined ? "" : `${path}${startLine === undefined ? "" : `:${startLine}`}  `}${oneLine(text, 120)}`;
