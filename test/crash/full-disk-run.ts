/**
 * Every verb on a disk that is full, through the shipped program and in a process that was there before.
 *
 * `node test/crash/full-disk-run.ts` mounts a small disk of its own, fills it by remembering, looks at
 * everything, makes room and goes on. It says so and does nothing where nothing can be mounted.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChild } from "../child.ts";
import { smallDisk } from "./own-mount.ts";

const DISK_MEGABYTES = 14;

/** What was seen, line by line; null where nothing can be mounted. */
export async function runOnFullDisk(): Promise<{ lines: string[]; isGood: boolean } | null> {
  const folder = mkdtempSync(join(tmpdir(), "stele-full-"));
  try {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const wrapper = smallDisk(disk, DISK_MEGABYTES);
    if (wrapper === null) return null;
    const script = new URL("fixtures/fill-and-go-on.ts", import.meta.url);
    const { code, output, errors } = await runChild(script, [disk, folder], { wrapper });
    return { lines: `${output}${errors}`.trimEnd().split("\n"), isGood: code === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const seen = await runOnFullDisk();
  if (seen === null) console.log("Nothing can be mounted here, so there is no small disk to fill. Run it as root.");
  else console.log(seen.lines.join("\n"));
  process.exitCode = seen === null || seen.isGood ? 0 : 1;
}
