/** The part of `import` that is about other tools. */
import * as z from "zod";
import type { ForeignAnswer } from "../../engine/transfer/import-foreign.ts";
import { identity, withHandle } from "../../model/memory/handle.ts";
import type { LastingScope } from "../../model/memory/item.ts";
import { counted } from "../../model/text/count.ts";
import { shownLine } from "../../model/text/cut.ts";
import { titled } from "../../model/text/titled.ts";
import type { ForeignTool } from "../../model/transfer/foreign-memory.ts";
import type { World } from "../../ports/world.ts";
import { type Redactions, callOf, renderRedactions, renderUndo } from "../fields.ts";

export const Foreign = z.object({
  from: z.string(),
  files: z.array(z.string()).describe("What was read."),
  proposed: z.int().describe("Decisions, which wait for a person to ratify them."),
  items: z
    .array(
      z.object({
        ...identity,
        type: z.string(),
        title: z.string().nullable(),
        summary: z.string(),
        outcome: z.enum(["inserted", "updated", "proposed"]),
      }),
    )
    .describe("What is new or changed; at most a hundred are listed."),
  leftOut: z.array(z.object({ what: z.string(), reason: z.string(), count: z.int() })),
});
type Foreign = z.infer<typeof Foreign>;

interface Request {
  from: ForeignTool;
  paths: readonly string[];
  scope?: LastingScope | undefined;
  sourceProject?: string | undefined;
}

/** Other tools are seldom imported, so how is loaded only here. */
export async function importFrom({ from, paths, scope = "project", sourceProject }: Request, world: World) {
  const { importForeign } = await import("../../engine/transfer/import-foreign.ts");
  const answer = await importForeign({ from, paths, scope, sourceProject: sourceProject ?? null }, world);
  const { proposed, items, files, leftOut, ...counts } = answer;
  const isChanged = counts.inserted + counts.updated + counts.edges.inserted + proposed > 0;
  return {
    ...counts,
    ...{ conflicts: [], conflictCount: 0, journal: { adopted: 0, skipped: 0, reason: null } },
    call: callOf(isChanged, world),
    foreign: { from, files, proposed, items: items.map(withHandle), leftOut },
  };
}

type Counts = Pick<ForeignAnswer, "inserted" | "updated" | "unchanged" | "older" | "edges"> & {
  call: string | null;
  redactions: z.infer<typeof Redactions>;
};

const FILES_SHOWN = 10;
const ITEMS_SHOWN = 40;
const LINE_CHARACTERS = 100;

export function renderForeign(counts: Counts, foreign: Foreign): string {
  const { call, redactions } = counts;
  const pending = foreign.proposed > 0 ? ["Decisions wait for you: `stele proposals`."] : [];
  const told = isAnything(counts, foreign)
    ? `Imported from ${foreign.from}: ${inWords(counts, foreign)}.${renderUndo(call)}${renderRedactions(redactions)}`
    : whyNothing(counts, foreign);
  return [told, ...pending, ...circumstances(counts, foreign)].join("\n");
}

export function renderForeignDryRun(counts: Counts, foreign: Foreign): string {
  const shown = foreign.items.slice(0, ITEMS_SHOWN);
  const all = counts.inserted + counts.updated + foreign.proposed;
  const told = isAnything(counts, foreign)
    ? `Would import from ${foreign.from}: ${inWords(counts, foreign)}.${renderRedactions(counts.redactions)}`
    : whyNothing(counts, foreign);
  return [
    told,
    ...shown.map(lineOf),
    ...(all > shown.length ? [`  and ${all - shown.length} more`] : []),
    ...circumstances(counts, foreign),
  ].join("\n");
}

const isAnything = ({ inserted, updated, edges }: Counts, { proposed }: Foreign): boolean =>
  inserted + updated + edges.inserted + proposed > 0;

/** Nothing new is good news; nothing recognised may mean that something else was expected of the source. */
function whyNothing({ unchanged, older }: Counts, { from, files, leftOut }: Foreign): string {
  if (unchanged + older > 0) return `Nothing new from ${from}.`;
  if (leftOut.length > 0) return "Nothing was imported.";
  const found = files.length === 0 ? "No files were found to read" : "No memories were recognised";
  const recognised = from === "markdown" ? [files.length === 0 ? MARKDOWN_FILES : MARKDOWN_MEMORIES] : [];
  return [`${found}, so there is nothing to import.`, ...recognised].join("\n");
}

const MARKDOWN_FILES = "Folders are searched for files that end in .md or .mdc; other files must be named.";
const MARKDOWN_MEMORIES =
  "In Markdown, every rule in a list, every other list and every text of two words or more is a memory; a heading " +
  "alone is none.";

function inWords({ inserted, updated, edges }: Counts, { proposed }: Foreign): string {
  const parts = [
    counted(inserted, "memory", "memories"),
    ...(updated > 0 ? [`${updated} changed there`] : []),
    ...(proposed > 0 ? [counted(proposed, "proposed decision")] : []),
    ...(edges.inserted > 0 ? [counted(edges.inserted, "link")] : []),
  ];
  return parts.join(", ");
}

function lineOf({ type, title, summary, outcome }: Foreign["items"][number]): string {
  const mark = outcome === "updated" ? " (changed)" : outcome === "proposed" ? " (to be ratified)" : "";
  return `  ${type}${mark}: ${shownLine(titled(title, summary), LINE_CHARACTERS)}`;
}

function circumstances({ unchanged, older }: Counts, { files, leftOut }: Foreign): string[] {
  const unlisted = files.length - FILES_SHOWN;
  return [
    ...(unchanged > 0 ? [`Already here: ${unchanged}.`] : []),
    ...(older > 0 ? [`Changed here and kept: ${older}.`] : []),
    ...leftOut.map(
      ({ what, reason, count }) =>
        `Left out: ${count > 1 ? `${count} × ` : ""}${shownLine(`${what} (${reason})`, 2 * LINE_CHARACTERS)}.`,
    ),
    ...(files.length > 0
      ? [`Read: ${files.slice(0, FILES_SHOWN).join(", ")}${unlisted > 0 ? ` and ${unlisted} more` : ""}`]
      : []),
  ];
}
