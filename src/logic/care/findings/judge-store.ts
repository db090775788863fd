/** Judges the file of a store by its condition: what is wrong with it, and what to do. */
import type { StoreName } from "../../../model/care/backup.ts";
import { BRING_OVER, type Circle, type Condition, type Finding, type Remedy } from "../../../model/care/finding.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { Space } from "../../../model/memory/space.ts";
import { counted } from "../../../model/text/count.ts";
import { backupNamed } from "../../../model/care/recovered-text.ts";
import { MOVE_AWAY, RECOVER, megabytes, ok, problem, some } from "./findings.ts";

export const nameOf = ({ name }: Pick<Look["file"], "name">, space: Space | undefined): string =>
  space ? `${name} (${space.root})` : name;

/** What the doctor sees of a store. */
export interface Look {
  file: { name: string; path: string; kind: StoreName };
  /** Null if the file is missing. */
  condition: Condition | null;
  space: Space | undefined;
  isBackedUp: boolean;
  /** Whether the file was emptied after it was created. */
  isEmptied: boolean;
  /** The newest sound one, and how many entries the store's journal got since, as far as it can be read. */
  backup: { id: string; made: string; since: number | null } | null;
}

export function judgeStore({ file, condition, space, isBackedUp, isEmptied, backup }: Look): Finding {
  const { path, kind } = file;
  const name = nameOf(file, space);
  const remedy: Remedy = { kind: "recover", path, store: kind, backup: backup && { id: backup.id, made: backup.made } };
  const next = backup ? restoring(backup) : `${RECOVER} begins an empty one: there is no sound backup of it.`;
  if (!condition) {
    const what = kind === "global" ? "and it held the list of all projects" : "but backups of it exist";
    return problem("store", `${name} is missing, ${what}.`, next, remedy);
  }
  switch (condition.state) {
    case "sound":
      // A process that died early leaves an empty file, but that would not have been backed up.
      if (condition.schema === 0 && isBackedUp)
        return problem("store", `${name} is empty, but backups of it exist.`, next, remedy);
      if (condition.schema === 0 && isEmptied)
        return problem("store", `${name} is empty, but it was not when it was created.`, next, remedy);
      if (condition.circle) return circular(name, condition.circle);
      return ok("store", `${name} is intact: ${counted(condition.items, "item")}, ${megabytes(condition.bytes)}.`);
    case "damaged":
      return problem(
        "store",
        `${name} is damaged: ${some(condition.problems)}.`,
        backup ? next : NO_BACKUP,
        backup ? remedy : null,
      );
    case "newer":
      return problem(
        "store",
        `${name} has schema ${condition.schema}, which a newer version of Stele wrote.`,
        "Update Stele.",
      );
    case "unreleased":
      return problem(
        "store",
        `${name} was written by a development version of Stele, from before the first release.`,
        BRING_OVER,
      );
    case "foreign":
      return problem("store", `${name} belongs to another program.`, MOVE_AWAY);
    case "locked":
      return problem("store", condition.reason, "Bring its key back; nothing can be said about it without.");
    case "unreadable":
      return problem("store", `${name} cannot be read: ${condition.reason}`, "Check the disk and the permissions.");
  }
}

/** Whether the doctor restores such a store if it can. */
export const isLost = (condition: Condition | null): boolean =>
  condition === null || condition.state === "damaged" || (condition.state === "sound" && condition.schema === 0);

function restoring({ since, ...backup }: NonNullable<Look["backup"]>): string {
  const lost = since === null ? "" : ` (${counted(since, "change")} by its journal)`;
  return `${RECOVER} restores it from ${backupNamed(backup)}. What was written since would be lost${lost}.`;
}

const NO_BACKUP =
  "There is no sound backup to restore it from, so the file stays as it is. Move it elsewhere to begin an empty one.";

function circular(name: string, { shelf, ids, call }: Circle): Finding {
  const who = some(ids.map(handleOf));
  return problem(
    "store",
    `${name} is intact, but these items (${shelf}) replace each other, so that none of them is shown: ${who}.`,
    call
      ? `\`stele rollback ${handleOf(call)}\` in that project takes the latest replacement back.`
      : `\`stele audit --id ${handleOf(ids[0]!)}\` in that project shows the calls; roll the latest one back.`,
  );
}
