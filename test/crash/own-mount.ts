/** File systems of a process's own: a small disk, a folder that nobody can write. They are gone when it is. */
import { runTool } from "../child.ts";

/** As root, or as root of a namespace. */
const UNSHARE = [
  ["unshare", "--mount"],
  ["unshare", "--map-root-user", "--mount"],
];

/** A command that runs the command after it on a disk of so many megabytes; null where nothing can be mounted. */
export function smallDisk(mountPoint: string, megabytes: number): string[] | null {
  return mounting(`mount -t tmpfs -o size=${megabytes}m none "${mountPoint}"`);
}

/** The same with a folder that cannot be written by anybody, root included. */
export function readOnlyFolder(folder: string): string[] | null {
  return mounting(`mount --bind "${folder}" "${folder}" && mount -o remount,bind,ro "${folder}"`);
}

function mounting(mount: string): string[] | null {
  for (const unshare of UNSHARE) {
    try {
      runTool(unshare[0]!, ...unshare.slice(1), "sh", "-c", mount);
      return [...unshare, "sh", "-c", `${mount} && exec "$@"`, "sh"];
    } catch {
      continue;
    }
  }
  return null;
}
