/** Import an export. */
import * as z from "zod";
import { mayGoUnasked, needConsent } from "../../engine/decisions/consent.ts";
import { decisionsInExport } from "../../engine/transfer/import-decisions.ts";
import { importItems } from "../../engine/transfer/import.ts";
import { Relation, edgeName } from "../../model/memory/edge.ts";
import { identity } from "../../model/memory/handle.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { counted } from "../../model/text/count.ts";
import { shortText } from "../../model/text/text.ts";
import { Call, Redactions, callOf, renderRedactions, renderUndo } from "../fields.ts";
import { decisionQuestion } from "../decisions/decision-question.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "import",
  group: "care",
  summary:
    "Import an export: new items are added, newer versions replace older ones, and conflicts are reported, never " +
    "overwritten. The whole file is checked first; one rollback undoes it.",
  effect: "write",
  repeatable: true,
  input: z.object({ path: shortText(4_000).describe("File or folder written by export.") }),
  output: z.object({
    inserted: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    older: z.int().describe("Items that are newer here and were kept."),
    edges: z.object({ inserted: z.int(), unchanged: z.int() }).describe("Edges between items."),
    conflicts: z
      .array(
        z.object({
          ...identity,
          shelf: Shelf,
          edge: z
            .object({ relation: Relation, target: z.string() })
            .nullable()
            .describe("The edge from this item that conflicts; null if the item itself does."),
          reason: z.string(),
        }),
      )
      .describe("Items kept as they are here, and why; at most a hundred are listed."),
    conflictCount: z.int(),
    call: Call,
    redactions: Redactions,
    journal: z
      .object({ adopted: z.int(), skipped: z.int(), reason: z.string().nullable() })
      .describe("Journal entries adopted, and why others were not."),
  }),
  cli: { positional: ["path"], examples: ["stele import stele.jsonl", "stele import .stele --dry-run"] },
  async question({ path }, world) {
    const touched = await decisionsInExport(path, world);
    const message = "Import decisions, so that they apply here?";
    const asked = decisionQuestion(message, "import", "Import", touched, world);
    // When nobody can be asked, everything except decisions is imported.
    return asked && { ...asked, mayGoUnasked: true };
  },
  run: async ({ path }, world, consent) => {
    const answer = await importItems(path, world, (touched) => {
      if (consent !== null) needConsent(touched, consent, world);
      return consent !== null || mayGoUnasked(world);
    });
    return { ...answer, call: callOf(answer.inserted + answer.updated + answer.edges.inserted > 0, world) };
  },
  render: ({ inserted, updated, unchanged, older, edges, conflicts, conflictCount, call, redactions, journal }) => {
    const unlisted = conflictCount - conflicts.length;
    return [
      `Imported items: ${inserted} new, ${updated} newer. Left alone: ${unchanged} unchanged, ${older} newer here.` +
        renderUndo(call) +
        renderRedactions(redactions),
      ...(edges.inserted > 0 ? [`Edges: ${edges.inserted} new, ${edges.unchanged} unchanged.`] : []),
      ...(journal.adopted > 0
        ? [`The journal continues from ${counted(journal.adopted, "entry", "entries")} of the file.`]
        : []),
      ...(journal.skipped > 0
        ? [
            `Not adopted: ${counted(journal.skipped, "journal entry", "journal entries")} of the file; ${journal.reason}.`,
          ]
        : []),
      ...(conflictCount > 0 ? [`Not imported: ${counted(conflictCount, "conflicting item")}.`] : []),
      ...conflicts.map(({ id, handle, shelf, edge, reason }) => {
        const name = edge ? edgeName({ source: id, ...edge }) : handle;
        return `  ${name} (${shelf}): ${reason}`;
      }),
      ...(unlisted > 0 ? [`  and ${unlisted} more`] : []),
    ].join("\n");
  },
});
