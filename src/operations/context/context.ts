/** The context window: what an agent should have in mind now. */
import * as z from "zod";
import { contextWindow } from "../../engine/context/context.ts";
import { ContextWindow } from "../../model/context/context-window.ts";
import { windowText } from "../../model/context/window-text.ts";
import { shortText } from "../../model/text/text.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "context",
  group: "session",
  summary:
    "Show what matters to the work at hand: working memories, what answers the question or else is recent, conventions of the code, and what to do about them.",
  effect: "read",
  repeatable: true,
  input: z.object({
    query: shortText(10_000)
      .optional()
      .describe("What the work is about; the newest memories and the latest working ones decide when omitted."),
  }),
  output: ContextWindow.extend({
    tokens: z.int().describe("Estimated, of the text and the ghost messages."),
    degraded: z.string().nullable(),
  }),
  cli: {
    positional: ["query"],
    examples: ["stele context", 'stele context "the login page"', "stele context --json"],
  },
  run: async ({ query }, world) => contextWindow(query, world),
  render: ({ degraded, ...window }, { zone }) =>
    [windowText(window, zone), ...(degraded ? [`(${degraded})`] : [])].join("\n"),
});
