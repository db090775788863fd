/** Find evidence about a question. */
import * as z from "zod";
import { recall } from "../../engine/recall/recall.ts";
import { recallWithArchive } from "../../engine/decisions/search-archive.ts";
import { readPeriod } from "../../engine/time/read-time.ts";
import { shortText } from "../../model/text/text.ts";
import { session } from "../fields.ts";
import { limitOf, period, searching } from "../search-fields.ts";
import { HitsAnswer } from "../recall/hits-answer.ts";
import { defineOperation } from "../operation.ts";
import { showHits } from "../recall/show-hits.ts";

const NOTHING = "Nothing was said about that.";
const NEXT = "`stele decisions` shows what was decided; `stele recall` finds what is remembered.";
// Without the short form for agents: they ask for the words themselves, and the session.
const { render, page } = showHits({ asks: "question", nothing: NOTHING, next: NEXT });

export default defineOperation({
  name: "why",
  group: "decisions",
  summary:
    "Find what was said about something, word for word, by whom and when: the evidence. " +
    "Reads no decisions; `decisions` tells what holds.",
  effect: "read",
  repeatable: true,
  input: z.object({
    question: shortText(10_000).describe("What you want to know the reasons for, in plain words."),
    ...searching,
    session: session.optional().describe("Only what was said in this session."),
    ...period("what was said"),
    archived: z.boolean().default(false).describe("Also search archived evidence; slower, because it is not indexed."),
  }),
  output: HitsAnswer,
  cli: {
    positional: ["question"],
    examples: [
      'stele why "did we choose tokens over cookies"',
      "stele why retries --since 2026-01-01 --limit 3",
      'stele why "the first release" --archived',
    ],
  },
  run: async ({ question, session: from, since, until, archived, limit, ...rest }, world) =>
    (archived ? recallWithArchive : recall)(
      {
        ...rest,
        query: question,
        limit: limitOf(limit, world),
        shelves: ["evidence"],
        isQuoted: true,
        isRouted: true,
        filter: {
          scopes: ["project"],
          ...(from !== undefined && { session: from }),
          ...(await readPeriod({ since, until }, world)),
        },
      },
      world,
    ),
  render,
  page,
});
