/**
 * Compiled code files: used only if unaltered, and removed a month after they were written, or when newer ones fill the folder.
 *
 * V8 checks whether it produced the code for a text of the same length, not whether the file is intact.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const UNUSED_MS = 30 * 86_400_000;
/** A command takes about 1.3 MB: enough for every command that somebody uses, and for the build before. */
const MOST_BYTES = 32 * 2 ** 20;
const OTHERS_WRITE = 0o022;
const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
/** After the code: how many runs it has gathered, and a sum. */
const TAIL_BYTES = 5;
const SUMMED_EVERY = 509;

export interface Compiled {
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
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW);
  try {
    const { uid, mode } = fstatSync(descriptor);
    const own = process.getuid?.() ?? uid;
    return uid === own && (mode & OTHERS_WRITE) === 0 ? readFileSync(descriptor) : Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
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

function removeUnused(folder: string): void {
  const entries = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ path, size: found.size, at: found.mtimeMs }] : [];
  });
  let bytes = 0;
  for (const { path, size, at } of entries.sort((one, two) => two.at - one.at)) {
    bytes += size;
    if (bytes > MOST_BYTES || Date.now() - at > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** V8 checks only the beginning. Sampling a few bytes of each block detects blocks lost in a power failure. */
function sumOf(data: Uint8Array): number {
  let sum = data.length;
  for (let at = 0; at < data.length; at += SUMMED_EVERY) sum = (Math.imul(sum, 31) + data[at]!) | 0;
  return sum >>> 0;
}
