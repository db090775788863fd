/**
 * Text files that a person names: read line by line, written whole or not at all.
 *
 * A new file is private, is written beside its place and moved there when it is complete and
 * on the disk. Links, pipes and devices are neither read nor written: whoever put one there
 * wants us to read, wait or write somewhere else.
 */
import { randomBytes } from "node:crypto";
import { type Stats, constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { TextDecoder } from "node:util";
import { Failure, type FailureCode } from "../../errors.ts";
import type { Draft, FileKind, Files } from "../../ports/files.ts";

const CHUNK_BYTES = 262_144;
const LINE_END = 0x0a;

export function createFiles(base: string): Files {
  return {
    resolve: (path) => resolve(base, path),
    kindOf: (path) => telling(path, () => kindOf(path)),
    look,
    beginsWith: (path, text) => telling(path, () => beginsWith(path, Buffer.from(text))),
    names: (path) => telling(path, async () => (await readdir(path)).sort()),
    text: (path, limits) => telling(path, () => readText(path, limits.fileBytes)),
    lines: readLines,
    draft: (path, lines) => telling(path, () => writeDraft(path, lines)),
    remove: (path) => telling(path, () => unlinkIfThere(path)),
  };
}

const ABSENT = ["ENOENT", "ENOTDIR"];

async function kindOf(path: string): Promise<FileKind> {
  return kindIn(await unless(ABSENT, () => lstat(path)));
}

async function look(path: string): ReturnType<Files["look"]> {
  try {
    const found = await unless(ABSENT, () => lstat(path));
    return { kind: kindIn(found), bytes: found?.size ?? 0, modifiedAt: found?.mtimeMs ?? 0 };
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("syscall" in thrown)) throw thrown;
    return { kind: "other", bytes: 0, modifiedAt: 0 };
  }
}

function kindIn(found: Stats | null): FileKind {
  if (found === null) return "absent";
  if (found.isSymbolicLink()) return "link";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

async function openRegular(path: string): Promise<{ handle: FileHandle; size: number }> {
  // Not to be led elsewhere, nor to wait for a pipe, should the file have been replaced since somebody looked.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const found = await handle.stat();
  if (found.isFile()) return { handle, size: found.size };
  await handle.close();
  throw new Failure("invalid_input", `${path} is not a regular file.`, "Name a file.");
}

async function beginsWith(path: string, start: Buffer): Promise<boolean> {
  const { handle } = await openRegular(path);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(start.length), position: 0 });
    return bytesRead === start.length && buffer.equals(start);
  } finally {
    await handle.close();
  }
}

async function readText(path: string, limitBytes: number): Promise<string> {
  const { handle, size } = await openRegular(path);
  try {
    const chunks: Buffer[] = [];
    let bytes = size;
    for (let read = 0; bytes <= limitBytes; bytes = Math.max(size, read)) {
      const chunk = await readChunk(handle);
      if (chunk.length === 0) return decoded(new TextDecoder("utf-8", { fatal: true }), chunks, path, 1);
      chunks.push(chunk);
      read += chunk.length;
    }
    throw tooLarge(path);
  } finally {
    await handle.close();
  }
}

async function* readLines(path: string, limits: { lineBytes: number; fileBytes: number }): AsyncGenerator<string> {
  const { handle, size } = await telling(path, () => openRegular(path));
  try {
    if (size > limits.fileBytes) throw tooLarge(path);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let number = 1;
    let begun: Buffer[] = [];
    let [begunBytes, readBytes] = [0, 0];
    for (;;) {
      const chunk = await telling(path, () => readChunk(handle));
      if (chunk.length === 0) break;
      // It may grow while it is read.
      if ((readBytes += chunk.length) > limits.fileBytes) throw tooLarge(path);
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(LINE_END, start);
        const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
        if ((begunBytes += piece.length) > limits.lineBytes) throw faulty(path, number, "is too long");
        start += piece.length + 1;
        begun.push(piece);
        if (end === -1) break;
        yield decoded(decoder, begun, path, number);
        [begun, begunBytes] = [[], 0];
        number += 1;
      }
    }
    if (begunBytes > 0) throw faulty(path, number, "has no end: the file was cut off");
  } finally {
    await handle.close();
  }
}

async function readChunk(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES) });
  return buffer.subarray(0, bytesRead);
}

function decoded(decoder: TextDecoder, pieces: readonly Buffer[], path: string, number: number): string {
  try {
    return decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  } catch {
    throw faulty(path, number, "is not valid UTF-8");
  }
}

async function writeDraft(path: string, lines: AsyncIterable<string>): Promise<Draft> {
  const folder = dirname(path);
  await ensureFolder(folder);
  await removeAbandoned(folder);
  // Never the name of something that is there: opening demands that it is free, and follows no link.
  const draft = join(folder, `.stele-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(draft, "wx", 0o600);
  try {
    const written = await fill(handle, lines);
    await handle.sync();
    await handle.close();
    return { ...written, keep: () => telling(path, () => moveTo(path, draft)), drop: () => unlinkIfThere(draft) };
  } catch (thrown) {
    await handle.close();
    await unlinkIfThere(draft);
    throw thrown;
  }
}

const DRAFT_NAME = /^\.stele-[0-9a-f]{16}\.tmp$/;
const ABANDONED_AFTER_MS = 3_600_000;

/** What somebody was killed over. A draft that is still written to is never that old. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = (await unless(["EACCES", "EPERM"], () => readdir(folder))) ?? [];
  for (const draft of names.filter((name) => DRAFT_NAME.test(name)).map((name) => join(folder, name))) {
    const found = await unless(["ENOENT"], () => lstat(draft));
    if (found?.isFile() && found.mtimeMs < Date.now() - ABANDONED_AFTER_MS)
      await unless(["ENOENT", "EACCES", "EPERM"], () => unlink(draft));
  }
}

async function fill(handle: FileHandle, lines: AsyncIterable<string>): Promise<{ lines: number; bytes: number }> {
  let [count, bytes, waitingLength] = [0, 0, 0];
  let waiting: string[] = [];
  async function flush(): Promise<void> {
    const buffer = Buffer.from(waiting.join(""));
    await handle.appendFile(buffer);
    bytes += buffer.length;
    [waiting, waitingLength] = [[], 0];
  }
  for await (const line of lines) {
    waiting.push(line, "\n");
    waitingLength += line.length;
    count += 1;
    if (waitingLength >= CHUNK_BYTES) await flush();
  }
  await flush();
  return { lines: count, bytes };
}

async function moveTo(path: string, draft: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind !== "absent" && kind !== "file") {
    throw new Failure("conflict", `${path} is no longer a file that can be replaced.`, "Check it, then try again.");
  }
  await rename(draft, path);
  // A folder cannot be opened on Windows, and needs no push there.
  if (process.platform === "win32") return;
  const handle = await open(dirname(path));
  await handle.sync().finally(() => handle.close());
}

/** Node's own recursive form never returns in folders such as /proc, where nothing can be made. */
async function ensureFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 }).then(() => true);
  if ((await unless(["EEXIST", "ENOENT"], make)) || (await kindOf(folder)) !== "absent") return;
  if (folder !== dirname(folder)) await ensureFolder(dirname(folder));
  await unless(["EEXIST"], make);
}

async function unlinkIfThere(path: string): Promise<void> {
  await unless(["ENOENT"], () => unlink(path));
}

/** What the work gives, or null when it fails in one of these ways. */
async function unless<T>(codes: readonly string[], work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (thrown) {
    if (codes.includes((thrown as NodeJS.ErrnoException).code ?? "")) return null;
    throw thrown;
  }
}

const MEANINGS: Record<string, [code: FailureCode, what: string, hint: string]> = {
  ENOENT: ["not_found", "does not exist", "Check the path."],
  ENOTDIR: ["invalid_input", "leads through something that is not a folder", "Check the path."],
  EISDIR: ["invalid_input", "is a folder", "Name a file."],
  ELOOP: ["invalid_input", "is a link", "Name the file itself."],
  ENAMETOOLONG: ["invalid_input", "is too long a name", "Choose a shorter one."],
  EACCES: ["unavailable", "may not be touched", "Check its permissions and those of its folder."],
  EPERM: ["unavailable", "may not be touched", "Check its permissions and those of its folder."],
  EROFS: ["unavailable", "lies where nothing can be written", "Choose another place."],
  ENOSPC: ["unavailable", "found no room on the disk", "Make room, then repeat."],
  EDQUOT: ["unavailable", "found no room on the disk", "Make room, then repeat."],
};

/** Says what the system says in words of ours; faults that are not the system's pass unchanged. */
async function telling<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("syscall" in thrown)) throw thrown;
    const reason = (thrown as NodeJS.ErrnoException).code ?? "unknown";
    const [code, what, hint] = MEANINGS[reason] ?? ["unavailable", `gives ${reason}`, "Choose another place."];
    throw new Failure(code, `${path} ${what}.`, hint, { cause: thrown });
  }
}

function faulty(path: string, line: number, what: string): Failure {
  return new Failure("invalid_input", `${path}, line ${line} ${what}.`, "Nothing was read in. Make the file again.");
}

function tooLarge(path: string): Failure {
  return new Failure("invalid_input", `${path} is too large.`, "Nothing was read in. Split it into smaller files.");
}
