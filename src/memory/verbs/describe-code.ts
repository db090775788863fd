/** Describe what a piece of code does. */
import * as z from "zod";
import { Call, callOf, Redactions, renderRedactions, renderUndo, tags } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { lineText, Text } from "../../text/text.ts";
import { describeCode } from "../describe-code.ts";
import { handleOf, withHandle } from "../handles.ts";
import { identity } from "../item.ts";

export default defineOperation({
  name: "describe_code",
  group: "memory",
  summary:
    "Describe what a piece of code does, so that recall finds it by words, together with the code. " +
    "Replaces the previous description of the same path.",
  effect: "write",
  repeatable: true,
  input: z.object({
    path: lineText(1_000).describe("The file, as a path in the project."),
    description: Text.describe("What the code does and why, in plain words."),
    startLine: z.int().min(1).optional().describe("First line of the code; the file's first when omitted."),
    endLine: z.int().min(1).optional().describe("Last line of the code; the file's last when omitted."),
    code: Text.optional().describe("The code itself; read from the file when omitted."),
    tags: tags.default([]).describe("Tags to find it by."),
  }),
  output: z.object({
    status: z.enum(["stored", "duplicate"]),
    ...identity,
    codeId: z.string(),
    superseded: z.array(z.string()).describe("Ids of the previous description and code."),
    call: Call,
    redactions: Redactions,
  }),
  cli: {
    completes: { tags: "tag" },
    positional: ["path"],
    examples: [
      'stele describe-code src/session.ts --description "Ends idle sessions after half an hour" --start-line 2',
    ],
  },
  run: async (input, world) => {
    const answer = await describeCode(input, world);
    return { ...withHandle(answer), call: callOf(answer.status === "stored", world) };
  },
  render: ({ status, handle, codeId, superseded, call, redactions }) => {
    const kept = status === "stored" ? "Described" : "Already described";
    const ended = superseded.length > 0 ? `, in place of ${superseded.map(handleOf).join(", ")}` : "";
    return `${kept}: ${handle} (code ${handleOf(codeId)})${ended}.${renderUndo(call)}${renderRedactions(redactions)}`;
  },
});
