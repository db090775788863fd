/** Find what answers a question. */
import { z } from "zod";
import { recall } from "../engine/recall.ts";
import { Hit, MODES, RECIPE_NAMES } from "../model/hit.ts";
import { Status } from "../model/item.ts";
import { Shelf } from "../model/shelf.ts";
import { shortText } from "../model/text.ts";
import { filterFrom, filters } from "./fields.ts";
import { defineOperation } from "./operation.ts";
import { renderHits } from "./render-hits.ts";

export const ModeInput = z.enum([...MODES, "vector"]).transform((mode) => (mode === "vector" ? "semantic" : mode));

export default defineOperation({
  name: "recall",
  group: "memory",
  summary:
    "Find memories and decisions that answer a question, by meaning and by words. " +
    "Ask before explaining a project anew, choosing an approach or repeating work.",
  effect: "read",
  repeatable: true,
  input: z.object({
    query: shortText(10_000).describe("What you want to know, in plain words."),
    limit: z.int().min(1).max(50).default(10).describe("How many hits at most."),
    mode: ModeInput.default("hybrid").describe("hybrid, keyword, or semantic (also called vector)."),
    threshold: z.number().min(0).max(1).default(0).describe("Least relevance of a hit; 0.35 leaves out guesses."),
    recipe: z.enum(RECIPE_NAMES).optional().describe("How the rankers' lists become one."),
    shelf: z.array(Shelf).optional().describe("Where to look; memories, decisions and proposals when omitted."),
    passages: z.boolean().default(false).describe("Rank single passages of long texts, not whole items."),
    ...filters,
    status: z
      .array(Status.exclude(["superseded"]))
      .optional()
      .describe("Only these statuses; what holds now when omitted. What was replaced stands in a hit's history."),
  }),
  output: z.object({
    mode: z.enum(MODES),
    degraded: z.string().nullable().describe("Why the answer is less than it could be, or null."),
    hits: z.array(Hit),
  }),
  cli: {
    positional: ["query"],
    examples: [
      'stele recall "dark theme"',
      'stele recall "how do we deploy" --type gotcha --type convention --limit 3',
      "stele recall getUserById --mode keyword --json",
    ],
  },
  run: async ({ query, limit, mode, threshold, recipe, shelf, passages, ...rest }, world) =>
    recall(
      {
        ...{ query, limit, mode, threshold, recipe, filter: filterFrom(rest) },
        ...{ shelves: shelf?.length ? shelf : undefined, eachPassage: passages },
      },
      world,
    ),
  render: ({ hits, degraded }) => renderHits(hits, degraded, "Nothing remembered about that."),
});
