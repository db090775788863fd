/**
 * Compiled code files: used only if unaltered, and removed a month after they were last used, or when others fill the folder.
 *
 * Use is noted in the time of a file, once a day at most. Node's own cache, a folder within, is counted too; it notes no use.
 * V8 checks whether it produced the code for a text of the same length, not whether the file is intact.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  lutimesSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const DAY_MS = 86_400_000;
const UNUSED_MS = 30 * DAY_MS;
/** A command takes about 1.3 MB: enough for every command that somebody uses, and for the build before. */
const MOST_BYTES = 32 * 2 ** 20;
const OTHERS_WRITE = 0o022;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** After the code: how many runs it has gathered, and a sum. */
const TAIL_BYTES = 5;
/** Eight times in each page of the disk. */
const SUMMED_EVERY_WORDS = 127;

interface Compiled {
  data: Buffer;
  /** The runs whose code it holds. */
  runs: number;
}

/** The stored code, or undefined if it is missing or altered. */
export function readCompiled(file: string): Compiled | undefined {
  try {
    const bytes = readOwn(file);
    const data = bytes.subarray(0, bytes.length - TAIL_BYTES);
    const runs = bytes.readUInt8(data.length);
    return bytes.readUInt32LE(data.length + 1) === sumOf(data) ? { data, runs } : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the opened file, not its path, which may have been replaced: only our own user may own it and write to it. */
function readOwn(file: string): Buffer {
  // A pipe in its place would be waited for.
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    const own = process.getuid?.() ?? found.uid;
    if (!found.isFile() || found.uid !== own || (found.mode & OTHERS_WRITE) !== 0) return Buffer.alloc(0);
    if (Date.now() - found.mtimeMs > DAY_MS) noteUse(file);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function noteUse(file: string): void {
  const now = new Date();
  try {
    lutimesSync(file, now, now);
  } catch {
    // On a disk that cannot be written nothing is removed either.
    return;
  }
}

/** Renamed into place, so that nobody reads half a file. If it cannot be stored, the next run compiles again. */
export function keepCompiled(file: string, { data, runs }: Compiled): void {
  const written = `${file}.${process.pid}.tmp`;
  try {
    const tail = Buffer.alloc(TAIL_BYTES);
    tail.writeUInt8(runs);
    tail.writeUInt32LE(sumOf(data), 1);
    writeFileSync(written, Buffer.concat([data, tail]), { mode: 0o600, flag: "wx" });
    renameSync(written, file);
    removeUnused(dirname(file));
  } catch {
    rmSync(written, { force: true });
  }
}

/** Links are not followed. */
function filesIn(folder: string): { path: string; size: number; at: number }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found ? [{ path, size: found.size, at: found.mtimeMs }] : [];
  });
}

function removeUnused(folder: string): void {
  const entries = filesIn(folder);
  let bytes = 0;
  for (const { path, size, at } of entries.sort((one, two) => two.at - one.at)) {
    bytes += size;
    if (bytes > MOST_BYTES || Date.now() - at > UNUSED_MS) rmSync(path, { force: true });
  }
}

/** V8 checks only the beginning. Sampling a few words of each block detects blocks lost in a power failure; single bytes are often 0 anyway. */
function sumOf(data: Uint8Array): number {
  const words = new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
  let sum = data.length;
  for (let at = 0; at < words.length; at += SUMMED_EVERY_WORDS) sum = (Math.imul(sum, 31) + words[at]!) | 0;
  return sum >>> 0;
}
