/** Read a piece of evidence. */
import * as z from "zod";
import { quiet, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { identityOf } from "../../memory/handles.ts";
import { identity, Status } from "../../memory/item.ts";
import { ROLES } from "../../memory/shelves.ts";
import { isoTime, isoTimeOrNull } from "../../memory/shown-item.ts";
import { timeIn } from "../../time/shown.ts";
import { readEvidence } from "../evidence.ts";

const Part = z.object({
  ordinal: z.int(),
  speaker: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  at: z.string().nullable(),
  startLine: z.int().nullable(),
  endLine: z.int().nullable(),
  text: z.string(),
});

export default defineOperation({
  name: "evidence",
  group: "decisions",
  summary: "Read one piece of evidence in full, with its speakers.",
  effect: "read",
  repeatable: true,
  input: z.object({ id: typedId.describe("Id or handle of the evidence."), quiet }),
  output: z.object({
    ...identity,
    title: z.string().nullable(),
    text: z.string().describe("What is searched."),
    whole: z.string().nullable().describe("The whole turn, each part with who said it; null where no more was kept."),
    hash: z.string().describe("SHA-256 of the text."),
    session: z.string(),
    status: Status,
    createdAt: z.string().describe("When it was said."),
    passages: z.array(Part).describe("Its searchable passages, in order."),
  }),
  cli: {
    completes: { id: "evidence" },
    positional: ["id"],
    examples: ["stele evidence 7fd436b5"],
  },
  run: async (input, world) => {
    const { item, passages, whole } = await readEvidence(input, world);
    const { id, title, content: text, hash, session, status, createdAt } = item;
    return {
      ...identityOf(id),
      title,
      text,
      whole,
      hash,
      session,
      status,
      createdAt: isoTime(createdAt),
      passages: passages.map(({ ordinal, turn, startLine, endLine, text: part }) => ({
        ordinal,
        speaker: turn?.speaker ?? null,
        role: turn?.role ?? null,
        at: isoTimeOrNull(turn?.at ?? null),
        startLine,
        endLine,
        text: part,
      })),
    };
  },
  render: ({ id, handle, title, text, whole, session, createdAt }, { zone }) =>
    [
      `${handle}  (${id})`,
      ...(title && !text.startsWith(title) ? [title] : []),
      `${timeIn(createdAt, zone)}, session ${session}`,
      "",
      whole ?? text,
    ].join("\n"),
});
