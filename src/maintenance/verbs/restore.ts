/** Restore a backup. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { isForAgent, needConsent } from "../../decisions/consent.ts";
import { decisionQuestion } from "../../decisions/decision-question.ts";
import { shortText } from "../../text/text.ts";
import type { Zone } from "../../time/calendar.ts";
import { timeIn } from "../../time/shown.ts";
import { Backup, StoreName } from "../backup.ts";
import { chosenBackup, decisionsSince, restore } from "../restore.ts";

const Available = z.object({
  id: z.string(),
  at: z.string(),
  reason: Backup.shape.reason,
  stores: z.array(StoreName),
  bytes: z.int(),
});

export default defineOperation({
  name: "restore",
  group: "care",
  summary:
    "Replace the current data with a backup; the current data is kept as a backup. Without an id, list the " +
    "backups and change nothing.",
  effect: "destroy",
  begins: "id",
  repeatable: false,
  input: z.object({
    id: shortText(100)
      .optional()
      .describe("Id of a backup (or its beginning or last digits), or latest; lists backups when omitted."),
    store: z
      .array(StoreName)
      .min(1)
      .default(["project"])
      .describe("What to restore: project, global, or both. All projects share the global store."),
  }),
  output: z.object({
    status: z.enum(["available", "restored"]),
    backups: z.array(Available).optional(),
    id: z.string().optional(),
    stores: z.array(StoreName).optional(),
    replaced: z.string().optional().describe("The backup of the replaced data."),
    dropped: z.array(z.string()).optional().describe("Backups of earlier restores that were removed to make room."),
  }),
  cli: {
    positional: ["id"],
    examples: ["stele restore", "stele restore latest", "stele restore latest --store project --store global"],
  },
  // An agent never replaces what is remembered without asking, and nobody does so to decisions.
  async question({ id, store }, world): Promise<Question | null> {
    if (id === undefined) return null;
    const touched = await decisionsSince({ id, stores: store }, world);
    const message = "Restore this backup? Decisions have changed since.";
    const asked = decisionQuestion(message, "restore", "Restore", touched, world);
    if (!isForAgent(world.origin)) return asked;
    const chosen = await chosenBackup(id, world);
    const own = `Replace what is remembered (${store.join(" and ")}) with the backup of ${timeIn(chosen.at, world.zone)}?`;
    const fields = { restore: { kind: "confirm" as const, label: "Restore" } };
    return { message: own, about: chosen.id, fields, ...asked, mayGoUnasked: false };
  },
  run: async ({ id, store }, world, consent) => {
    needConsent(await decisionsSince({ id, stores: store }, world), consent, world);
    return restore({ id, stores: store }, world);
  },
  render: ({ backups, id, stores = [], replaced, dropped = [] }, { zone }) => {
    if (backups) return list(backups, zone);
    const flags = stores.map((store) => ` --store ${store}`).join("");
    return [
      `Restored ${stores.join(" and ")} from ${id}.`,
      `The previous data is kept: \`stele restore ${replaced}${flags}\` brings it back.`,
      ...(dropped.length > 0 ? [`Removed ${dropped.join(", ")}.`] : []),
    ].join("\n");
  },
});

const KINDS: Record<Backup["reason"], string> = {
  asked: "",
  daily: ", made by itself",
  replaced: ", replaced by a restore",
};

function list(backups: readonly z.infer<typeof Available>[], zone: Zone): string {
  if (backups.length === 0) return "There is no backup of this project yet. `stele backup` makes one.";
  const lines = backups.map(({ id, at, reason, stores, bytes }) =>
    [id, timeIn(at, zone), `${stores.join(" and ")}, ${(bytes / 1_000_000).toFixed(1)} MB${KINDS[reason]}`].join("  "),
  );
  return ["Nothing was changed. Restore one by its id:", ...lines].join("\n");
}
