/** Keep a text as evidence, word for word. */
import * as z from "zod";
import { Call, callOf, Redactions, renderRedactions, session, timeWords } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { withHandle } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { lineText, Text } from "../../text/text.ts";
import { readMoment } from "../../time/read-time.ts";
import { logEvidence } from "../evidence.ts";

export default defineOperation({
  name: "log",
  group: "decisions",
  summary:
    "Keep what was said or written, word for word, as evidence for `why`. Identical text is kept once; " +
    "secrets are removed.",
  effect: "write",
  repeatable: true,
  input: z.object({
    text: Text.describe("What was said. Lines starting with a name and a colon become turns."),
    title: lineText(200).optional().describe("A title, such as the name of a meeting."),
    session: session.optional().describe("Session it belongs to; the host's session when omitted."),
    at: timeWords.optional().describe("When it was said; now when omitted."),
  }),
  output: z.object({
    status: z.enum(["stored", "duplicate"]),
    ...identity,
    call: Call,
    redactions: Redactions,
  }),
  cli: {
    positional: ["text"],
    examples: [
      'stele log "Ann: cookies or tokens? Bo: tokens, the app has no cookies" --title standup',
      "stele log - --session review-7 --at 2026-01-31 < notes.txt",
    ],
  },
  run: async ({ at, ...input }, world) => {
    const kept = await logEvidence({ ...input, at: await readMoment(at, "past", world) }, world);
    return { ...withHandle(kept), call: callOf(kept.status === "stored", world) };
  },
  render: ({ status, handle, redactions }) =>
    `${status === "stored" ? "Kept" : "Already kept"}: ${handle}${renderRedactions(redactions)}`,
});
