/** Says what a recovery brought back, and what may be lost. */
import type { Recovery } from "../../model/care/finding.ts";
import { counted } from "../../model/text/count.ts";

/** `isComplete`: the damaged file's journal could be read to its end. */
export type Recovered = Recovery & { isComplete: boolean };

export function recovered(path: string, recovery: Recovered): string {
  const { kept, backup, fromBackup, salvaged } = recovery;
  const sources = [
    backup ? `${counted(fromBackup, "item")} from backup ${backup}` : "no backup",
    ...(kept ? [`${counted(salvaged, "item")} from the damaged file`] : []),
    ...(!kept && salvaged > 0 ? [`${counted(salvaged, "item")} kept by an earlier recovery`] : []),
  ];
  const where = kept ? ` The damaged file is kept in ${kept}.` : "";
  return `Recovered ${path}: ${sources.join(", ")}; ${lostIn(recovery)}.${where}`;
}

/** What is missing is known only if the journal could be read to its end. */
function lostIn({ backup, unreadable, isComplete }: Recovered): string {
  const missing = unreadable > 0 ? `${unreadable} could not be read` : "none known to be missing";
  if (isComplete) return missing;
  const rest = backup ? `what was written after the backup of ${timeOf(backup)} may be lost` : NOT_READ;
  return unreadable > 0 ? `${missing}, and ${rest}` : rest;
}

const NOT_READ = "what could not be read is lost";

/** The name of a backup begins with its time. */
const timeOf = (backup: string) => backup.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, "$1-$2-$3 $4:$5 UTC");
