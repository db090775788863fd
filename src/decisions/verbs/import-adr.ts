/** Import decision records. */
import * as z from "zod";
import { Call, callOf, Redactions, renderRedactions, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { withHandle } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { importAdr } from "../import-adr.ts";

export default defineOperation({
  name: "import_adr",
  group: "decisions",
  summary:
    "Import architecture decision records (MADR, Nygard and similar formats): each becomes a proposal for a person to " +
    "ratify, with its file as evidence. Status, date and superseded records are recognised.",
  effect: "write",
  repeatable: true,
  input: z.object({ path: shortText(4_000).describe("A record, or a folder of Markdown records.") }),
  output: z.object({
    items: z.array(
      z.object({
        path: z.string(),
        ...identity,
        subject: z.string(),
        recorded: z.string().nullable().describe("The status stated in the record."),
        status: z.enum(["proposed", "rejected", "known"]),
      }),
    ),
    skipped: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe("Files that are not records, and why."),
    call: Call,
    redactions: Redactions,
  }),
  paths: ["path"],
  cli: { positional: ["path"], examples: ["stele import-adr docs/adr", "stele import-adr docs/adr --dry-run"] },
  run: async ({ path }, world) => {
    const answer = await importAdr(path, world);
    const isChanged = answer.items.some(({ status }) => status !== "known");
    return { ...answer, items: answer.items.map(withHandle), call: callOf(isChanged, world) };
  },
  render: ({ items, skipped, call, redactions }) =>
    [
      `${counted(items.length, "record")}, ${counted(skipped.length, "other file")}.${renderUndo(call)}${renderRedactions(redactions)}`,
      ...items.map(
        ({ handle, status, subject, recorded }) => `${handle}  ${status} (${recorded ?? "no status"})  ${subject}`,
      ),
      ...skipped.map(({ path, reason }) => `  skipped ${oneLine(path)}: ${oneLine(reason)}`),
    ].join("\n"),
});
