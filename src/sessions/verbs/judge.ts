/** Judge a note of a session. */
import * as z from "zod";
import { Call, callOf, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { handleOf } from "../../memory/handles.ts";
import { shortText, Text } from "../../text/text.ts";
import { judgeNote } from "../judge-note.ts";

const VERDICTS = ["right", "wrong", "open"] as const;

export default defineOperation({
  name: "judge",
  group: "session",
  summary:
    "Judge a note that an agent left in a session: right makes it a memory, wrong never hands it over again. Only a person may.",
  effect: "write",
  begins: false,
  repeatable: true,
  input: z.object({
    note: shortText(16).describe("Id of the note, or the beginning of it."),
    as: z.enum(VERDICTS).describe("right, wrong, or open to take the verdict back."),
    text: Text.optional().describe("What it should say; with right, this becomes the memory."),
  }),
  output: z.object({
    note: z.string(),
    verdict: z.enum(["right", "wrong", "fixed", "open"]),
    memory: z.string().nullable().describe("Id of the memory that was made of it."),
    archived: z
      .string()
      .nullable()
      .describe("Id of the memory that an earlier verdict had made, which is archived now."),
    call: Call,
  }),
  cli: {
    positional: ["note", "as"],
    examples: [
      "stele judge 3f9a1c07 right",
      "stele judge 3f9a1c07 wrong",
      'stele judge 3f9a1c07 right --text "The cache is keyed by tenant and locale"',
    ],
  },
  run: async (input, world) => {
    const judged = await judgeNote(input, world);
    return { ...judged, call: callOf(judged.memory !== null || judged.archived !== null, world) };
  },
  render: ({ verdict, memory, archived, call }) => {
    const earlier = archived === null ? "" : ` Memory ${handleOf(archived)}, which came of it before, is archived.`;
    return `${saidOf(verdict, memory)}${earlier}${renderUndo(call)}`;
  },
});

function saidOf(verdict: "right" | "wrong" | "fixed" | "open", memory: string | null): string {
  if (memory !== null) return `The note is memory ${handleOf(memory)} now.`;
  return verdict === "wrong" ? "The note is not handed over again." : "The note is open again.";
}
