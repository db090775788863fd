/** Export items to a file that can be kept, compared and moved elsewhere. */
import * as z from "zod";
import { isForAgent } from "../../engine/decisions/consent.ts";
import { mayAgentWrite } from "../../engine/transfer/agents-target.ts";
import { exportItems } from "../../engine/transfer/export.ts";
import { sealingFiles } from "../../engine/transfer/sealed-files.ts";
import { Failure } from "../../errors.ts";
import type { Question } from "../../model/decisions/question.ts";
import { LastingScope } from "../../model/memory/item.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { counted } from "../../model/text/count.ts";
import { shortText } from "../../model/text/text.ts";
import type { SealTo } from "../../ports/sealing.ts";
import type { World } from "../../ports/world.ts";
import { defineOperation } from "../operation.ts";
import { oneLine } from "../recall/render-hits.ts";

/** Everything that exists only in Stele; documents and code can be indexed again from their files. */
const SHELVES: readonly Shelf[] = ["memory", "decision", "proposal", "evidence"];

const NOT_ENCRYPTED =
  "WARNING: the memory is encrypted, but this export is NOT. Encrypt the files yourself, or delete them after use.";

interface Wanted {
  passphrase: boolean;
  passphraseFile?: string | undefined;
  plain: boolean;
}

/** Null for plain text. What is encrypted stays so unless somebody says otherwise. */
function sealOf({ passphrase, passphraseFile, plain }: Wanted, { isEncrypted, files }: World): SealTo | null {
  const isByPassphrase = passphrase || passphraseFile !== undefined;
  if (plain && isByPassphrase) {
    throw new Failure("invalid_input", "An export is either plain or encrypted with a passphrase.", "Choose one.");
  }
  if (isByPassphrase)
    return { by: "passphrase", file: passphraseFile === undefined ? null : files.resolve(passphraseFile) };
  return isEncrypted && !plain ? { by: "key" } : null;
}

export default defineOperation({
  name: "export",
  group: "care",
  summary:
    "Write JSON Lines for another machine, a backup or git: memories, decisions, proposals and evidence. " +
    "Equal contents give identical files, unless they are encrypted; exports of an encrypted memory are. Overwrites " +
    "an earlier export if asked to, and nothing else.",
  // It does not change the stores but writes files, so a client must not treat it as a read.
  effect: "write",
  repeatable: true,
  input: z.object({
    path: shortText(4_000).describe("File to write; with split, a folder."),
    split: z.boolean().default(false).describe("Write a folder with one file per shelf, suited to git."),
    overwrite: z
      .boolean()
      .default(false)
      .describe("Replace an earlier export in this file; split always brings its own files up to date."),
    scope: z
      .array(LastingScope)
      .optional()
      .describe("Only these scopes; both when omitted, or just project with split."),
    shelf: z.array(Shelf).optional().describe("Only these shelves; all but documents and code when omitted."),
    journal: z
      .boolean()
      .default(false)
      .describe("Include the journal and its chain, so that it can continue elsewhere."),
    access: z.boolean().default(true).describe("Include when and how often items were read."),
    passphrase: z
      .boolean()
      .default(false)
      .describe("Encrypt it with a passphrase, asked for at the terminal, so that it can be opened anywhere."),
    passphraseFile: shortText(4_000).optional().describe("A private file whose first line is that passphrase."),
    plain: z
      .boolean()
      .default(false)
      .describe("Do not encrypt it, although the memory is encrypted. Agents ask a person."),
  }),
  output: z.object({
    path: z.string(),
    files: z.array(z.object({ path: z.string(), lines: z.int(), bytes: z.int() })),
    items: z.int(),
    byShelf: z.partialRecord(Shelf, z.int()),
    sealedBy: z.enum(["key", "passphrase"]).nullable().describe("What opens it: the memory's key, or the passphrase."),
    isPlainCopy: z.boolean().describe("Whether the memory is encrypted, and these files are not."),
  }),
  paths: ["path", "passphraseFile"],
  cli: {
    positional: ["path"],
    examples: [
      "stele export stele.jsonl",
      "stele export .stele --split --no-access",
      "stele export everything.jsonl --journal --shelf memory --shelf decision --shelf document",
    ],
  },
  async question({ path, ...wanted }, world): Promise<Question | null> {
    if (!isForAgent(world.origin)) return null;
    const seal = sealOf(wanted, world);
    // An agent makes no copy of an encrypted memory unasked that opens without its key, wherever it may write.
    const isFree = !world.isEncrypted || seal?.by === "key";
    if (isFree && (await mayAgentWrite(path, world))) return null;
    const what =
      seal === null && world.isEncrypted
        ? "an export, NOT encrypted although the memory is,"
        : KINDS[seal?.by ?? "none"];
    const message = `An agent wants to write ${what} to this path:\n> ${oneLine(world.files.resolve(path), 1_000)}`;
    return { message, fields: { write: { kind: "confirm", label: "Write it" } } };
  },
  run: async ({ scope = [], shelf = [], passphrase, passphraseFile, plain, ...request }, world) => {
    const seal = sealOf({ passphrase, passphraseFile, plain }, world);
    if (seal !== null && request.split) throw splitInTwo();
    const scopes = request.split ? (["project"] as const) : LastingScope.options;
    const exported = await exportItems(
      { ...request, scopes: scope.length > 0 ? scope : scopes, shelves: shelf.length > 0 ? shelf : SHELVES },
      seal === null ? world : sealingFiles(seal, world),
    );
    return { ...exported, sealedBy: seal?.by ?? null, isPlainCopy: world.isEncrypted && seal === null };
  },
  render: ({ path, files, items, byShelf, sealedBy, isPlainCopy }) => {
    const shelves = Object.entries(byShelf).filter(([, count]) => count > 0);
    const counts = shelves.map(([shelf, count]) => `${shelf} ${count}`).join(", ");
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return [
      ...(isPlainCopy ? [NOT_ENCRYPTED] : []),
      `Exported ${counted(items, "item")}${counts ? ` (${counts})` : ""} to ${path}.`,
      `${counted(files.length, "file")}, ${(bytes / 1_000_000).toFixed(1)} MB. ${WHO_READS[sealedBy ?? "none"]}`,
    ].join("\n");
  },
});

const KINDS = {
  none: "an export",
  key: "an encrypted export",
  passphrase: "an export, encrypted with a passphrase,",
};

const WHO_READS = {
  none: "Anyone who has these files can read them.",
  key: "It is encrypted: it opens where the key of this memory or its recovery sheet is.",
  passphrase: "It is encrypted: `stele import` asks for the passphrase.",
};

/** Files of a folder could be left out or exchanged one by one, and git could not compare them. */
const splitInTwo = (): Failure =>
  new Failure(
    "invalid_input",
    "A split export is meant for git, so it is never encrypted.",
    "Add --plain, or leave --split out.",
  );
