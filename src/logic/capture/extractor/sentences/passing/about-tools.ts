/** Talk about the agent's own tools. */
import { anyOf, phrases, raw } from "../../phrases.ts";
import { TO_DO } from "../words.ts";

/** A search may also be one of the product. */
const TOOL = "(edit|grep|tool call|agent|subagent)";
const ENDED = anyOf("failed|succeeded|worked|didn't|did not|returned|found|took|completed|timed out|must have");

export const ABOUT_TOOLS = phrases({
  "how a call went": {
    opening: [raw`((that|this|my|the (last|first|previous)) (search|${TOOL})|the ${TOOL})\b.{0,40}\b${ENDED}`],
    like: [
      "That edit didn't take because the file had changed.",
      "The last search found nothing in the basket package.",
    ],
    unlike: ["The search of the shop finds goods by their name.", "The search failed silently without a rate."],
  },
  "how it works": {
    opening: ["i now (have|understand|see)"],
    anywhere: ["i (dispatch|launch|spawn)", `(my|(on|to|from|in) the) (${TO_DO}|task) list`, "plan mode"],
    like: [
      "I now understand how `total()` rounds.",
      "I dispatch one agent per package.",
      "The rates are on the task list.",
    ],
    unlike: ["The importer dispatches one job per package.", "The task list is stored in `tasks.json`."],
  },
});
