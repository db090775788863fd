/** Find memories and decisions that answer a question. */
import * as z from "zod";
import { filterFrom, filters, limitOf, quiet, searching } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Shelf, Status } from "../../memory/item.ts";
import { sessionBeside } from "../../sessions/answering-session.ts";
import { shortText } from "../../text/text.ts";
import { WithSession } from "../hit.ts";
import { RECIPE_NAMES } from "../ranking.ts";
import { recall } from "../recall.ts";
import { showHits } from "../show-hits.ts";

const NEXT = "`stele list` shows what there is.";
const NOTHING = "Nothing remembered about that.";

export default defineOperation({
  name: "recall",
  group: "memory",
  summary:
    "Find memories and decisions that answer a question, by meaning and by words. " +
    "Use it before choosing an approach or redoing work.",
  effect: "read",
  repeatable: true,
  input: z.object({
    query: shortText(10_000).describe("What you want to know, in plain words."),
    ...searching,
    recipe: z.enum(RECIPE_NAMES).optional().describe("How the rankers' results are combined."),
    shelf: z.array(Shelf).optional().describe("Where to look; memories, decisions and proposals when omitted."),
    passages: z.boolean().default(false).describe("Rank individual passages of long texts instead of whole items."),
    quiet,
    ...filters,
    status: z
      .array(Status.exclude(["superseded"]))
      .optional()
      .describe("Only these statuses; current items when omitted. Replaced items appear in a hit's history."),
  }),
  output: WithSession,
  tool: {
    summary:
      "Search the memory for what earlier sessions learnt about this project: facts, notes, preferences, conventions, fixes, decisions. Use it before choosing an approach or asking the person.",
    fields: ["query", "limit", "type", "tag", "since"],
  },
  cli: {
    completes: { tag: "tag" },
    positional: ["query"],
    examples: [
      'stele recall "dark theme"',
      'stele recall "how do we deploy" --type gotcha --type convention --limit 3',
      "stele recall getUserById --mode keyword --json",
    ],
  },
  run: async ({ query, limit, mode, threshold, recipe, shelf, passages, quiet: isQuiet, ...rest }, world) => {
    const shelves = shelf?.length ? shelf : undefined;
    const filter = await filterFrom(rest, world);
    const answer = await recall(
      {
        query,
        limit: limitOf(limit, world),
        mode,
        threshold,
        recipe,
        filter,
        shelves,
        eachPassage: passages,
        quiet: isQuiet,
      },
      world,
    );
    // Whoever asks for something in particular is not told of a session.
    const isOpen = shelves === undefined && Object.keys(filter).length === 0;
    return { ...answer, session: isOpen ? await sessionBeside({ query, mode, hits: answer.hits }, world) : null };
  },
  ...showHits({ asks: "query", nothing: NOTHING, next: NEXT, isJudged: true }),
});
