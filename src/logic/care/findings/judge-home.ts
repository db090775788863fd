/** Judges the data folder: whether it can be written, who could read it, and whether it could be committed. */
import type { Finding } from "../../../model/care/finding.ts";
import { counted } from "../../../model/text/count.ts";
import { MOVE_AWAY, RECOVER, note, ok, problem, some } from "./findings.ts";

/** `read-only` is a matter of permissions; a disk is read-only for everybody. */
export type HomeState = "absent" | "read-only" | "on a read-only disk" | "writable";

export interface HomeLook {
  folder: string;
  state: Exclude<HomeState, "absent">;
  /** Our files and folders that others may read. */
  exposed: readonly string[];
  /** Paths of our folders that are not folders. */
  misplaced: readonly string[];
  /** Paths of our folders that are links to others. */
  linked: readonly string[];
  /** The repository that the folder is in, unless git ignores all of it. */
  committable: Committable | null;
}

export interface Committable {
  checkout: string;
  /** From there, with slashes; empty if it is the same folder. */
  path: string;
}

export function judgeHome({ folder, state, exposed, misplaced, linked, committable }: HomeLook): Finding[] {
  const isLink = (path: string) => `${path} is a link. Stele uses the folder it leads to, but does not check it.`;
  return [
    ok("home", `${folder} exists.`),
    ...misplaced.map((path) => problem("home", `${path} is not a folder.`, MOVE_AWAY)),
    ...linked.map((path) => note("home", isLink(path), "Make sure that only you can read it.")),
    ...(state === "writable" ? [] : [judgeReadOnly(state)]),
    ...(committable === null ? [] : [judgeRepository(committable)]),
    ...(exposed.length === 0 ? [] : [judgeExposed([...exposed])]),
  ];
}

function judgeReadOnly(state: "read-only" | "on a read-only disk"): Finding {
  if (state === "read-only")
    return note("home", "It is not writable, so stored data can only be read.", "Check its permissions.");
  return note(
    "home",
    "It is on a read-only file system, so stored data can only be read.",
    "Mount it for writing; if it was, the system may have found a fault of the disk. Or set STELE_HOME to another folder.",
  );
}

function judgeExposed(paths: string[]): Finding {
  const message = `${counted(paths.length, "file or folder", "files and folders")} of it can be read by others: ${some(paths)}.`;
  return problem("home", message, `${RECOVER} makes them private.`, { kind: "close", paths });
}

/** No more than a note: somebody may want it there. */
function judgeRepository({ checkout, path }: Committable): Finding {
  const message = `It is in the repository ${checkout}, and git does not ignore all of it, so memories could be committed.`;
  const next =
    path === ""
      ? "Move it out of the repository, and set STELE_HOME to its new place."
      : `Add /${path}/ to the repository's .gitignore, or move it out of the repository, and set STELE_HOME to its new place.`;
  return note("home", message, next);
}
