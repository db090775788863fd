/** The context window: what an agent should have in mind now. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { shortText } from "../../text/text.ts";
import { contextWindow } from "../context.ts";
import { ContextWindow, windowText } from "../window.ts";

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
