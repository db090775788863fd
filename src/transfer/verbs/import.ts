/** Import an export, or what another tool remembers. */
import * as z from "zod";
import { Call, callOf, Redactions, renderRedactions, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { fingerprint, isForAgent, mayGoUnasked, needConsent, type Touched } from "../../decisions/consent.ts";
import { decisionQuestion } from "../../decisions/decision-question.ts";
import { Failure } from "../../errors.ts";
import { Relation } from "../../graph/edge.ts";
import { edgeName } from "../../graph/edges.ts";
import { handleOf, withHandle } from "../../memory/handles.ts";
import { identity, LastingScope, Shelf } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted, shownLine, titled } from "../../text/short-text.ts";
import { lineText, shortText, Text } from "../../text/text.ts";
import type { World } from "../../world.ts";
import { givenExport, openingFiles } from "../export-files.ts";
import { decisionsInExport, replacementsIn } from "../import-decisions.ts";
import { importItems } from "../import.ts";
import { FOREIGN_TOOLS, type ForeignTool } from "../importers/foreign-memory.ts";
import type { ForeignAnswer } from "../importers/import-foreign.ts";

/** The part of `import` that is about other tools. */
const Foreign = z.object({
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
async function importFrom({ from, paths, scope = "project", sourceProject }: Request, world: World) {
  const { importForeign } = await import("../importers/import-foreign.ts");
  const answer = await importForeign({ from, paths, scope, sourceProject: sourceProject ?? null }, world);
  const { proposed, items, files, leftOut, ...counts } = answer;
  const isChanged = counts.inserted + counts.updated + counts.edges.inserted + proposed > 0;
  return {
    ...counts,
    conflicts: [],
    conflictCount: 0,
    journal: { adopted: 0, skipped: 0, reason: null },
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

function renderForeign(counts: Counts, foreign: Foreign): string {
  const { call, redactions } = counts;
  const pending = foreign.proposed > 0 ? ["Decisions wait for you: `stele proposals`."] : [];
  const told = isAnything(counts, foreign)
    ? `Imported from ${foreign.from}: ${inWords(counts, foreign)}.${renderUndo(call)}${renderRedactions(redactions)}`
    : whyNothing(counts, foreign);
  return [told, ...pending, ...circumstances(counts, foreign)].join("\n");
}

function renderForeignDryRun(counts: Counts, foreign: Foreign): string {
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

// The part of an import's question that is about versions which would replace what is here.

/** What a person agrees to: decisions, replacements or both. */
function aboutBoth(decisions: Touched, replaced: Touched | null): string | null {
  const [one, two] = [decisions.about, replaced?.about ?? null];
  return one === null || two === null ? (one ?? two) : fingerprint([one, two]);
}

function withReplacements(asked: Question | null, decisions: Touched, replaced: Touched | null): Question | null {
  const about = aboutBoth(decisions, replaced);
  if (replaced === null || replaced.about === null || about === null) return asked;
  const { count, shown } = replaced;
  const lines = [
    `Replace ${counted(count, "item")} here with the version in the file?`,
    ...shown.map(({ id, content }) => `> ${handleOf(id)} ${oneLine(content)}`),
    ...(count > shown.length ? [`and ${count - shown.length} more.`] : []),
  ];
  const message = [...(asked ? [asked.message] : []), ...lines].join("\n");
  return { message, fields: { import: { kind: "confirm", label: "Import" } }, about, mayGoUnasked: true };
}

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
