/** Import an export, or what another tool remembers. */
import * as z from "zod";
import { Failure } from "../../errors.ts";
import { isForAgent, mayGoUnasked, needConsent } from "../../engine/decisions/consent.ts";
import { decisionsInExport } from "../../engine/transfer/import-decisions.ts";
import { givenExport } from "../../engine/transfer/given-export.ts";
import { importItems } from "../../engine/transfer/import.ts";
import { openingFiles } from "../../engine/transfer/sealed-files.ts";
import { replacementsIn } from "../../engine/transfer/import-replacements.ts";
import { Relation, edgeName } from "../../model/memory/edge.ts";
import { identity } from "../../model/memory/handle.ts";
import { LastingScope } from "../../model/memory/item.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { counted } from "../../model/text/count.ts";
import { Text, lineText, shortText } from "../../model/text/text.ts";
import type { World } from "../../ports/world.ts";
import { FOREIGN_TOOLS } from "../../model/transfer/foreign-memory.ts";
import { Call, Redactions, callOf, renderRedactions, renderUndo } from "../fields.ts";
import { decisionQuestion } from "../decisions/decision-question.ts";
import { defineOperation } from "../operation.ts";
import { Foreign, importFrom, renderForeign, renderForeignDryRun } from "./import-from.ts";
import { aboutBoth, withReplacements } from "./replacement-question.ts";

export default defineOperation({
  name: "import",
  group: "care",
  summary:
    "Import an export, or with `from` what another tool remembers. New items are added. Where the two differ, the " +
    "difference is reported and the version here is kept, even if the file has a newer one, unless you choose otherwise. " +
    "The whole source is checked first; one rollback undoes it.",
  effect: "write",
  repeatable: true,
  input: z.object({
    path: shortText(4_000)
      .optional()
      .describe(
        "File or folder written by export. With from, the tool's file or folder; its usual place when omitted.",
      ),
    text: Text.optional().describe("The export itself, instead of a path."),
    more: z.array(shortText(4_000)).max(1_000).optional().describe("Further files and folders; only from markdown."),
    from: z
      .enum(FOREIGN_TOOLS)
      .optional()
      .describe("The tool that wrote it, if not Stele; markdown is for CLAUDE.md, AGENTS.md, rules and the like."),
    scope: LastingScope.optional().describe("Where memories of another tool go; project when omitted. Only with from."),
    sourceProject: lineText(1_000)
      .optional()
      .describe(
        "The project in the other tool, * for all; the one named like this folder when omitted. Only with from.",
      ),
    replace: z
      .array(shortText(200))
      .max(1_000)
      .optional()
      .describe("Handles of items whose newer version in the file replaces the one here, or all. Agents ask a person."),
    keyFile: shortText(4_000)
      .optional()
      .describe("The key file of an export that an earlier version encrypted, if its key is not that of this memory."),
    passphraseFile: shortText(4_000)
      .optional()
      .describe("A private file with the passphrase of such an export, instead of asking at the terminal."),
  }),
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
    foreign: Foreign.optional().describe("Only of another tool."),
  }),
  paths: ["path", "more", "from", "keyFile", "passphraseFile"],
  cli: {
    positional: ["path", "more"],
    examples: [
      "stele import stele.jsonl",
      "stele import .stele --dry-run",
      "stele import stele.jsonl --replace 7fd436b5",
      "stele import --from markdown CLAUDE.md .cursor/rules",
      "stele import --from claude-mem",
    ],
  },
  async question({ replace, from, ...named }, given) {
    const source = sourceOf(named, given);
    // Decisions of another tool are proposed, so nobody is asked yet.
    if (from !== undefined || source === null) return null;
    const { path, world } = source;
    const touched = await decisionsInExport(path, world);
    const message = "Import decisions, so that they apply here?";
    const asked = decisionQuestion(message, "import", "Import", touched, world);
    const replaced = isForAgent(world.origin) ? await replacementsIn({ path, replace }, world) : null;
    // When nobody can be asked, nothing is replaced, and everything except decisions is imported.
    return withReplacements(asked && { ...asked, mayGoUnasked: true }, touched, replaced);
  },
  run: async ({ path: typed, text, more = [], replace, from, scope, sourceProject, ...keys }, given, consent) => {
    const paths = [...(typed === undefined ? [] : [typed]), ...more];
    if (from !== undefined && text === undefined) return importFrom({ from, paths, scope, sourceProject }, given);
    const source = sourceOf({ path: typed, text, ...keys }, given);
    const isPlain = paths.length + (text === undefined ? 0 : 1) === 1 && (scope ?? sourceProject ?? from) === undefined;
    if (source === null || !isPlain) throw notAnExport(typed ?? text);
    const { path, world } = source;
    const answer = await importItems({ path, replace }, world, (touched, replaced) => {
      const isAgents = isForAgent(world.origin);
      if (consent !== null) needConsent({ about: aboutBoth(touched, isAgents ? replaced : null) }, consent, world);
      return {
        decisions: consent !== null || mayGoUnasked(world),
        replacements: consent !== null || !isAgents,
      };
    });
    return { ...answer, call: callOf(answer.inserted + answer.updated + answer.edges.inserted > 0, world) };
  },
  renderDryRun: (answer) => (answer.foreign ? renderForeignDryRun(answer, answer.foreign) : null),
  render: (answer) => {
    if (answer.foreign) return renderForeign(answer, answer.foreign);
    const { inserted, updated, unchanged, older, edges, conflicts, conflictCount, call, redactions, journal } = answer;
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

interface Named {
  path?: string | undefined;
  text?: string | undefined;
  keyFile?: string | undefined;
  passphraseFile?: string | undefined;
}

/** The export that was named or given; null if neither. */
function sourceOf({ path, text, ...keys }: Named, world: World) {
  if (text !== undefined) return givenExport(text, world);
  return path === undefined ? null : { path, world: openingFiles(keys, world) };
}

const notAnExport = (named: string | undefined): Failure =>
  named === undefined
    ? new Failure(
        "invalid_input",
        "import needs a path, a text, or from.",
        "Write `stele import PATH`, or see `stele import --help`.",
      )
    : new Failure(
        "invalid_input",
        "An export is one file or folder, and says itself where everything belongs.",
        "Give only its path, or name the other tool with from.",
      );
