/** Report something that happened in a session. */
import * as z from "zod";
import { background, Call, callOf, Redactions, renderRedactions, renderUndo, session } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { handleOf } from "../../memory/handles.ts";
import { lineText, shortText, Text } from "../../text/text.ts";
import { observe } from "../observe.ts";
import { OBSERVED_EVENTS } from "../session.ts";

const CONTENT_CHARACTERS = 16_000;

export default defineOperation({
  name: "observe",
  group: "session",
  summary:
    "Report something that just happened. Errors, patterns and the person's feedback are remembered, " +
    "a decision becomes a proposal, everything else is kept for an hour. Repeating a report is harmless.",
  effect: "write",
  repeatable: true,
  input: z.object({
    event: z.enum(OBSERVED_EVENTS).describe("What happened."),
    content: shortText(CONTENT_CHARACTERS)
      .optional()
      .describe("The path, command, error, decision, pattern or feedback itself."),
    path: shortText(1_000).optional().describe("File it concerns."),
    output: Text.optional().describe("Output of a command; its beginning is kept."),
    context: background.optional().describe("Circumstances."),
    subject: lineText(200).optional().describe("Subject of a decision; derived when omitted."),
    rationale: Text.optional().describe("Why it was decided."),
    turn: lineText(200).optional().describe("Turn of the session; the number of prompts so far when omitted."),
    session: session.optional().describe("Session it belongs to; the host's session when omitted."),
  }),
  output: z.object({
    status: z.enum(["stored", "duplicate", "proposed"]).describe("duplicate: the event or its content is known."),
    ids: z.array(z.string()).describe("Ids of what the event left, now or the first time."),
    actions: z
      .array(z.string())
      .describe(
        "What was done: stored_<type>, proposed_decision, noted_event. Empty if the event was reported before.",
      ),
    call: Call,
    redactions: Redactions,
  }),
  tool: {
    summary:
      "Report an event: an error, a pattern, the person's feedback, a decision, a command. Use it where no hooks report.",
    fields: ["event", "content", "context", "subject"],
  },
  cli: {
    positional: ["event", "content"],
    examples: [
      "stele observe file_opened src/parser.ts",
      'stele observe command_executed "npm test" --output "12 passed"',
      'stele observe error_occurred "ENOENT: dist/main.js" --context "while packing the release"',
      'stele observe decision_made "Use pnpm" --subject "package manager" --rationale "One lock file"',
      'stele observe user_feedback "Prefers short commit messages"',
    ],
  },
  run: async ({ session: _, ...input }, world) => {
    const { isOnRecord, ...answer } = await observe(input, world);
    return { ...answer, call: callOf(isOnRecord, world) };
  },
  render: ({ status, ids, actions, call, redactions }) => {
    const handles = ids.map(handleOf).join(", ");
    const known = actions.length === 0 ? "Reported before" : "Noted; already known";
    const outcome = { stored: "Stored", duplicate: known, proposed: "Proposed, pending ratification" }[status];
    return `${outcome}: ${handles}.${renderUndo(call)}${renderRedactions(redactions)}`;
  },
});
