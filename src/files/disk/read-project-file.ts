/**
 * Reads one project file, or reports why not.
 *
 * No link on the path is followed. The opened file is compared with what is at the path afterwards, so that neither a
 * swapped folder nor a half-written file gets through. Only opening and reading may wait for a disk; the other calls
 * ask about data the system has just cached, and are cheaper done synchronously.
 */
import { isUtf8 } from "node:buffer";
import { createHash, hash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, open, read, realpathSync, type Stats } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FileText, FormerBytes, SkippedFile } from "../corpus.ts";
import {
  BEHIND_LINK,
  CHANGED,
  LEADS_OUT,
  NOT_REGULAR,
  reasonBySystem,
  reasonByText,
  shownPath,
  tooLarge,
} from "../skip-rules.ts";

const openFile = promisify(open);
const readBytes = promisify(read);
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

const BINARY_WITHIN_BYTES = 8_192;
const BYTE_ORDER_MARK = "\uFEFF";

/** The bytes and stats of a file that did not change while it was read, or the reason there are none. */
type Taken = { bytes: Buffer; before: Stats } | string;

/** `root` is a real path. */
export async function readProjectFile(
  root: string,
  path: string,
  limitBytes: number,
  since?: FormerBytes,
): Promise<FileText | SkippedFile> {
  const taken = await take(root, path, limitBytes);
  if (typeof taken === "string") return { path: shownPath(path), reason: taken };
  const { bytes, before } = taken;
  if (bytes.subarray(0, BINARY_WITHIN_BYTES).includes(0)) return { path, reason: "binary" };
  if (!isUtf8(bytes)) return { path, reason: "not valid UTF-8" };
  const text = decoded(bytes);
  const reason = reasonByText(path, text);
  if (reason) return { path, reason };
  const { whole, isGrown } = hashesOf(bytes, since);
  const grown = isGrown && since ? { grownFrom: decoded(bytes.subarray(0, since.bytes)).length } : {};
  return { path, bytes: bytes.length, modifiedAt: before.mtimeMs, text, hash: whole, ...grown };
}

function decoded(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Only the hash can show that a file still begins with its old content. */
function hashesOf(bytes: Buffer, since: FormerBytes | undefined): { whole: string; isGrown: boolean } {
  if (!since || since.bytes >= bytes.length) return { whole: hash("sha256", bytes, "hex"), isGrown: false };
  const begun = createHash("sha256").update(bytes.subarray(0, since.bytes));
  const isGrown = begun.copy().digest("hex") === since.hash;
  return { whole: begun.update(bytes.subarray(since.bytes)).digest("hex"), isGrown };
}

/** Reads a file that is needed in full, such as an ignore file, or reports why it cannot be read. */
export async function readWhole(
  root: string,
  path: string,
  limitBytes: number,
): Promise<{ text: string } | { reason: string }> {
  const taken = await take(root, path, limitBytes);
  return typeof taken === "string" ? { reason: taken } : { text: taken.bytes.toString("utf8") };
}

async function take(root: string, path: string, limitBytes: number): Promise<Taken> {
  if (!staysInside(path)) return LEADS_OUT;
  const full = join(root, path);
  let file: number | null = null;
  try {
    // Does not wait for a pipe either.
    file = await openFile(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const before = fstatSync(file);
    if (!before.isFile()) return NOT_REGULAR;
    if (before.size > limitBytes) return tooLarge(limitBytes);
    const bytes = await readThrough(file, before.size);
    if (bytes === null || !isUnchanged(before, fstatSync(file))) return CHANGED;
    if (realpathSync.native(full) !== full) return BEHIND_LINK;
    const current = lstatSync(full);
    return current.ino === before.ino && current.dev === before.dev ? { bytes, before } : CHANGED;
  } catch (thrown) {
    return reasonOf(thrown);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The expected number of bytes, or null if the size has changed. Asking for one byte more reveals the end. */
async function readThrough(file: number, size: number): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  do {
    const { bytesRead } = await readBytes(file, buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  } while (filled < size);
  return filled === size ? buffer.subarray(0, size) : null;
}

function isUnchanged(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs;
}

export function staysInside(path: string): boolean {
  if (process.platform === "win32" && /[\\:]/.test(path)) return false;
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Converts system errors to plain words; other errors pass unchanged. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || !("syscall" in thrown)) throw thrown;
  return reasonBySystem((thrown as NodeJS.ErrnoException).code ?? "unknown");
}
