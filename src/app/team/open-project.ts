/** The store of a project: its own file, or together with the team's server if the project is shared. */
import type { SharingTerms } from "./server-store.ts";
import type { SharedProject } from "../../model/care/team.ts";
import type { Store } from "../../ports/store/store.ts";
import { createSharedProjects } from "../../providers/team/team-records.ts";

/** How the project of a space is shared; null if it is not. */
export const sharedAs = (home: string, space: string): SharedProject | null => createSharedProjects(home).find(space);

/** Everything about servers is loaded only for a project that is shared. */
export async function openProject(shared: SharedProject | null, local: Store, terms: SharingTerms): Promise<Store> {
  if (shared === null) {
    // It may have been shared before, with somebody who only read.
    terms.reader.note(false, terms.clock.now());
    return local;
  }
  const { openShared } = await import("./server-store.ts");
  return openShared(shared, local, terms);
}
