/** Export items to a file that can be kept, compared and moved elsewhere. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { isForAgent } from "../../decisions/consent.ts";
import { Failure } from "../../errors.ts";
import { LastingScope, Shelf } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { mayAgentWrite } from "../export-files.ts";
import { exportItems } from "../export.ts";

/** Everything that exists only in Stele; documents and code can be indexed again from their files. */
const SHELVES: readonly Shelf[] = ["memory", "decision", "proposal", "evidence"];

const NOT_ENCRYPTED =
  "WARNING: the memory is encrypted, but this export is NOT. Encrypt the files yourself, or delete them after use.";
const ENCRYPT_IT =
  "Encrypt the file that `stele export --plain` writes, for instance with `age -p` or `gpg --symmetric`.";

export default defineOperation({
  name: "export",
  group: "care",
  summary:
    "Write JSON Lines for another machine, a backup or git: memories, decisions, proposals and evidence. " +
    "Equal contents give identical files. They are never encrypted. Overwrites an earlier export if asked to, and " +
    "nothing else.",
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
    plain: z
      .boolean()
      .default(false)
      .describe("Write it, although the memory is encrypted and an export is not. Agents ask a person."),
  }),
  output: z.object({
    path: z.string(),
    files: z.array(z.object({ path: z.string(), lines: z.int(), bytes: z.int() })),
    items: z.int(),
    byShelf: z.partialRecord(Shelf, z.int()),
    isPlainCopy: z.boolean().describe("Whether the memory is encrypted, and these files are not."),
  }),
  gone: { passphrase: ENCRYPT_IT, passphraseFile: ENCRYPT_IT },
  paths: ["path"],
  cli: {
    positional: ["path"],
    examples: [
      "stele export stele.jsonl",
      "stele export .stele --split --no-access",
      "stele export everything.jsonl --journal --shelf memory --shelf decision --shelf document",
    ],
  },
  async question({ path, plain }, world): Promise<Question | null> {
    const isForPerson = !isForAgent(world.origin);
    if (isForPerson && (plain || !world.isEncrypted)) return null;
    // An agent makes no copy of an encrypted memory unasked, wherever it may write.
    if (!isForPerson && !world.isEncrypted && (await mayAgentWrite(path, world))) return null;
    const where = `to this path:\n> ${oneLine(world.files.resolve(path), 1_000)}`;
    const what = world.isEncrypted ? "an export, NOT encrypted although the memory is," : "an export";
    return {
      message: isForPerson ? `This writes ${what} ${where}` : `An agent wants to write ${what} ${where}`,
      fields: { write: { kind: "confirm", label: "Write it" } },
      // Where no person can be asked, `run` names the flag that says it beforehand.
      mayGoUnasked: isForPerson,
    };
  },
  run: async ({ scope = [], shelf = [], plain, ...request }, world, consent) => {
    if (world.isEncrypted && !plain && consent === null) throw unasked();
    const scopes = request.split ? (["project"] as const) : LastingScope.options;
    const exported = await exportItems(
      { ...request, scopes: scope.length > 0 ? scope : scopes, shelves: shelf.length > 0 ? shelf : SHELVES },
      world,
    );
    return { ...exported, isPlainCopy: world.isEncrypted };
  },
  render: ({ path, files, items, byShelf, isPlainCopy }) => {
    const shelves = Object.entries(byShelf).filter(([, count]) => count > 0);
    const counts = shelves.map(([shelf, count]) => `${shelf} ${count}`).join(", ");
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return [
      ...(isPlainCopy ? [NOT_ENCRYPTED] : []),
      `Exported ${counted(items, "item")}${counts ? ` (${counts})` : ""} to ${path}.`,
      `${counted(files.length, "file")}, ${(bytes / 1_000_000).toFixed(1)} MB. Anyone who has these files can read them.`,
    ].join("\n");
  },
});

const unasked = (): Failure =>
  new Failure(
    "refused",
    "The memory is encrypted, but an export is not, and nobody can be asked here.",
    "Add --plain to write it all the same, then encrypt the file, for instance with `age -p` or `gpg --symmetric`.",
  );
