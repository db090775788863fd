/** File systems of a process's own: a small disk, a folder that nobody can write. They are gone when it is. */
import { runStill } from "../child.ts";

/** As root, or as root of a namespace. */
const UNSHARE = [
  ["unshare", "--mount"],
  ["unshare", "--map-root-user", "--mount"],
];

/** A command that runs the command after it on a disk of so many megabytes. */
export function smallDisk(mountPoint: string, megabytes: number): string[] {
  return mounting(`mount -t tmpfs -o size=${megabytes}m none "${mountPoint}"`);
}

/** The same with a folder that cannot be written by anybody, root included. */
export function readOnlyFolder(folder: string): string[] {
  return mounting(`mount --bind "${folder}" "${folder}" && mount -o remount,bind,ro "${folder}"`);
}

function mounting(mount: string): string[] {
  const works = ([command, ...args]: string[]) => runStill(command!, [...args, "sh", "-c", mount]).code === 0;
  const unshare = UNSHARE.find(works);
  if (!unshare) throw new Error("Nothing can be mounted here: run it as root.");
  return [...unshare, "sh", "-c", `${mount} && exec "$@"`, "sh"];
}
