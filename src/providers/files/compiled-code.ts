/**
 * Files of compiled code: read only as they were written, and removed a month after they were written.
 *
 * V8 checks whether code was made by itself for a text of the same length, not whether it is whole.
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
const OTHERS_WRITE = 0o022;
const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
const SUM_BYTES = 4;
const SUMMED_EVERY = 61;

/** What was kept, or nothing where it is missing or not as it was written. */
export function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readOwn(file);
    const data = bytes.subarray(0, bytes.length - SUM_BYTES);
    return bytes.readUInt32LE(data.length) === sumOf(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What was opened is looked at, not what its path named before: nobody else has made it or could have written to it. */
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

/** Renamed into place, so that nobody reads half of it. Where it cannot be kept, the next run compiles again. */
export function keepCompiled(file: string, data: Buffer): void {
  const written = `${file}.${process.pid}.tmp`;
  try {
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(sumOf(data));
    writeFileSync(written, Buffer.concat([data, sum]), { mode: 0o600, flag: "wx" });
    renameSync(written, file);
    removeUnused(dirname(file));
  } catch {
    rmSync(written, { force: true });
  }
}

function removeUnused(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** V8 looks at the beginning alone. Blocks that a power cut took away are found by a few bytes of each. */
function sumOf(data: Uint8Array): number {
  let sum = data.length;
  for (let at = 0; at < data.length; at += SUMMED_EVERY) sum = (Math.imul(sum, 31) + data[at]!) | 0;
  return sum >>> 0;
}
