/**
 * Reads commits and trees from a repository's loose objects and packs. Git itself is never run.
 *
 * Everything here is untrusted: sizes, depths and offsets are limited, links are not followed, and whatever does not
 * fit throws.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { OBJECT_BYTES, inflated, openFile, recent } from "./bounded-reads.ts";
import { type ObjectType, type Pack, openPack } from "./pack.ts";

export interface Objects {
  /** Null if it is not there; throws if it is there but cannot be read. */
  read(id: string, type: ObjectType): Buffer | null;
  close(): void;
}

const KEPT_BYTES = 24_000_000;
const PACKS_MOST = 200;

export function openObjects(folder: string, hashBytes: number): Objects {
  const kept = recent(KEPT_BYTES);
  const packs: Pack[] = [];
  const close = () => packs.splice(0).forEach((pack) => pack.close());
  try {
    needFolder(folder);
    for (const path of packsIn(join(folder, "pack"))) packs.push(openPack(path, hashBytes, kept));
  } catch (thrown) {
    close();
    throw thrown;
  }
  return {
    close,
    read(id, type) {
      for (const [index, pack] of packs.entries()) {
        const at = pack.find(Buffer.from(id, "hex"));
        if (at === null) continue;
        // What is near in history lies in the same pack.
        if (index > 0) packs.unshift(...packs.splice(index, 1));
        return pack.read(at, type);
      }
      return readLoose(folder, id, type);
    },
  };
}

/** A link could lead to another project's objects. */
function needFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error("its objects are in another place");
  return found !== undefined;
}

/** The newest first, without their endings. */
function packsIn(folder: string): string[] {
  if (!needFolder(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".idx"));
  if (names.length > PACKS_MOST) throw new Error(`it has more than ${PACKS_MOST} packs`);
  return names
    .map((name) => ({ path: join(folder, name.slice(0, -".idx".length)), at: lstatSync(join(folder, name)).mtimeMs }))
    .sort((one, two) => two.at - one.at)
    .map(({ path }) => path);
}

function readLoose(folder: string, id: string, type: ObjectType): Buffer | null {
  const parent = join(folder, id.slice(0, 2));
  const file = needFolder(parent) ? openFile(join(parent, id.slice(2))) : null;
  if (file === null) return null;
  try {
    if (file.bytes > OBJECT_BYTES) throw new Error("an object is too large");
    const whole = inflated(file.range(0, file.bytes), OBJECT_BYTES);
    const end = whole.subarray(0, 32).indexOf(0);
    if (whole.toString("latin1", 0, end) !== `${type} ${whole.length - end - 1}`)
      throw new Error("an object is damaged");
    return whole.subarray(end + 1);
  } finally {
    file.close();
  }
}
