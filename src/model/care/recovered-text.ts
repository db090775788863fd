/** Says what a recovery brought back, and what is lost. */
import type { Recovery, Remedy } from "./finding.ts";
import { counted } from "../text/count.ts";

type Recovering = Extract<Remedy, { kind: "recover" }>;

export function recovered({ path, backup }: Recovering, { kept, items }: Recovery): string {
  const where = kept === null ? "" : ` The file that was there is kept in ${kept}.`;
  if (backup === null) return `Began ${path} empty: there is no sound backup of it.${where}`;
  const lost = "What was written since is lost.";
  return `Restored ${path} from ${backupNamed(backup)}: ${counted(items, "item")}. ${lost}${where}`;
}

/** What a person is asked to agree to. */
export const recovering = ({ path, backup }: Recovering): string =>
  `${path}, ${backup === null ? "empty, because there is no sound backup of it" : `from ${backupNamed(backup)}`}`;

/** `made`: by the person's clock. */
export const backupNamed = ({ id, made }: { id: string; made: string }): string => `the backup of ${made} (${id})`;
