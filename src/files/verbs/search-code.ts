/** Find code. */
import * as z from "zod";
import { languages, limitOf, searching } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { HitsAnswer } from "../../recall/hit.ts";
import { showHits } from "../../recall/show-hits.ts";
import { lineText, shortText } from "../../text/text.ts";
import { SYMBOL_KINDS } from "../corpus.ts";
import { CODE_MODES, searchCode } from "../search-code.ts";

const NEXT = "`stele index` reads the files of the project again.";
const NOTHING = "No code found.";

export default defineOperation({
  name: "search_code",
  group: "corpus",
  summary: "Find code by meaning, name or text, with file and lines; a name may be misspelt.",
  effect: "read",
  repeatable: true,
  input: z.object({
    query: shortText(10_000).describe("A name, some words, or what the code does in plain words."),
    limit: searching.limit,
    mode: z.enum(CODE_MODES).default("hybrid").describe("hybrid, text, symbol (names of definitions), or semantic."),
    regex: z.boolean().default(false).describe("The query is a regular expression, matched line by line."),
    threshold: searching.threshold,
    language: languages.optional().describe("Only files in these languages, such as typescript or python."),
    path: lineText(500).optional().describe("Only files whose path begins with this."),
    kind: z
      .array(z.enum(SYMBOL_KINDS))
      .optional()
      .describe("Only definitions of these kinds, when searching for a name."),
  }),
  output: HitsAnswer.extend({ mode: z.enum(CODE_MODES) }),
  tool: { fields: ["query", "limit", "regex", "path"] },
  cli: {
    positional: ["query"],
    examples: [
      'stele search-code "read a file line by line"',
      "stele search-code getUserByID --mode symbol",
      "stele search-code 'throw new \\w+Error' --regex --language typescript",
    ],
  },
  run: async ({ limit, regex, language, path, kind, ...rest }, world) =>
    searchCode(
      { ...rest, limit: limitOf(limit, world), isPattern: regex, languages: language, pathPrefix: path, kinds: kind },
      world,
    ),
  ...showHits({ asks: "query", nothing: NOTHING, next: NEXT, isJudged: true }),
});
