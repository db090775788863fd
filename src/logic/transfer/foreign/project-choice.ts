/**
 * Which project of another tool is meant.
 *
 * Tools that keep all projects in one place name them by their folders. Memories of another project would be wrong here,
 * so they are left out unless the caller asks for them.
 */
import type { ForeignRecord, LeftOut } from "../../../model/transfer/foreign-memory.ts";
import { textIn } from "./record.ts";

export const ALL_PROJECTS = "*";

export interface ProjectChoice {
  /** The one that the caller named; `*` for all. */
  named: string | null;
  /** The folder of this project. */
  folder: string;
}

/** What names no project belongs to all of them. */
export function ofProject<Row extends ForeignRecord>(
  rows: readonly Row[],
  { named, folder }: ProjectChoice,
): { chosen: Row[]; leftOut: LeftOut[] } {
  const isMeant = (project: string) =>
    named === null ? nameOf(project) === nameOf(folder) : named === ALL_PROJECTS || project === named;
  const chosen: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const row of rows) {
    const project = textIn(row, "project");
    if (project === null || isMeant(project)) chosen.push(row);
    else leftOut.push({ what: `project ${project}`, reason: `not this one; --source-project ${project} takes it` });
  }
  return { chosen, leftOut };
}

/** Some tools keep the whole path, or the folder above it. */
const nameOf = (project: string): string =>
  project
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1)
    ?.toLowerCase() ?? "";
