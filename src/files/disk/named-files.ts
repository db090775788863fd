/**
 * Text files named by the user: read line by line, written completely or not at all.
 *
 * A new file is private, is written next to its destination and moved there once it is complete and on disk. Links,
 * pipes and devices are neither read nor written: one may have been planted to make us read, wait or write elsewhere.
 */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { TextDecoder } from "node:util";
import { Failure, type FailureCode } from "../../errors.ts";
import type { Draft, FileKind, Files, LineLimits } from "../../ports.ts";
import { isInside } from "./project-files.ts";

const CHUNK_BYTES = 262_144;
const LINE_END = 0x0a;

/** `ours` are folders of Stele itself, where nothing is written that a person named. */
export function createFiles(base: string, ours: readonly string[] = []): Files {
  return {
    resolve: (path) => resolve(base, path),
    kindOf: (path) => withPlainErrors(path, () => kindOf(path)),
    look,
    beginsWith: (path, text) => withPlainErrors(path, () => beginsWith(path, Buffer.from(text))),
    names: (path) => withPlainErrors(path, async () => (await readdir(path)).sort()),
    text: (path, limits) => withPlainErrors(path, () => readText(path, limits.fileBytes)),
    lines: readLines,
    draft: (path, lines) =>
      withPlainErrors(path, async () => {
        await refuseOurs(path, ours);
        return writeDraft(path, lines);
      }),
    append: (path, line) => withPlainErrors(path, () => append(path, line)),
    remove: (path) => withPlainErrors(path, () => unlinkIfThere(path)),
  };
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/** A copy there would outlive an erasure, or be taken for a backup. Links on the way to it are followed. */
async function refuseOurs(path: string, ours: readonly string[]): Promise<void> {
  const target = await realPathOf(path);
  for (const folder of ours) {
    if (!isInside(await realPathOf(folder), target)) continue;
    throw new Failure("invalid_input", `${path} is in a folder of Stele's own data.`, "Name a file elsewhere.");
  }
}

/** As far as it exists. */
async function realPathOf(path: string): Promise<string> {
  const real = await unless(ABSENT, () => realpath(path));
  return real ?? (path === dirname(path) ? path : join(await realPathOf(dirname(path)), basename(path)));
}

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
  // Does not follow a link or wait for a pipe, in case the file was replaced since it was checked.
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

async function* readLines(path: string, { lineBytes, fileBytes, through }: LineLimits): AsyncGenerator<string> {
  const chunks = chunksOf(path, fileBytes);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 1;
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of through === undefined ? chunks : through(chunks)) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_END, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      if ((begunBytes += piece.length) > lineBytes) throw faulty(path, number, "is too long");
      start += piece.length + 1;
      begun.push(piece);
      if (end === -1) break;
      yield decoded(decoder, begun, path, number);
      [begun, begunBytes] = [[], 0];
      number += 1;
    }
  }
  if (begunBytes > 0) throw faulty(path, number, "has no end: the file was cut off");
}

async function* chunksOf(path: string, limitBytes: number): AsyncGenerator<Buffer> {
  const { handle, size } = await withPlainErrors(path, () => openRegular(path));
  try {
    if (size > limitBytes) throw tooLarge(path);
    for (let readBytes = 0; ; ) {
      const chunk = await withPlainErrors(path, () => readChunk(handle));
      if (chunk.length === 0) return;
      // The file may grow while it is read.
      if ((readBytes += chunk.length) > limitBytes) throw tooLarge(path);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

async function readChunk(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES) });
  return buffer.subarray(0, bytesRead);
}

function decoded(decoder: TextDecoder, pieces: readonly Uint8Array[], path: string, number: number): string {
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
  // Never an existing name: opening requires it to be free, and follows no link.
  const draft = join(folder, `.stele-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(draft, "wx", 0o600);
  try {
    const written = await fill(handle, lines);
    await handle.sync();
    await handle.close();
    return {
      ...written,
      keep: ({ isNew } = { isNew: false }) => withPlainErrors(path, () => (isNew ? placeNew : moveTo)(path, draft)),
      drop: () => unlinkIfThere(draft),
    };
  } catch (thrown) {
    await handle.close();
    await unlinkIfThere(draft);
    throw thrown;
  }
}

async function append(path: string, line: string): Promise<void> {
  await ensureFolder(dirname(path));
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const { size } = await handle.stat();
    const last = size === 0 ? LINE_END : (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0];
    await handle.appendFile(`${last === LINE_END ? "" : "\n"}${line}\n`);
  } finally {
    await handle.close();
  }
}

const DRAFT_NAME = /^\.stele-[0-9a-f]{16}\.tmp$/;
const ABANDONED_AFTER_MS = 3_600_000;

/** Removes drafts of killed processes. A draft that is still being written is never that old. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = (await unless(["EACCES", "EPERM"], () => readdir(folder))) ?? [];
  for (const draft of names.filter((name) => DRAFT_NAME.test(name)).map((name) => join(folder, name))) {
    const found = await unless(["ENOENT"], () => lstat(draft));
    if (found?.isFile() && found.mtimeMs < Date.now() - ABANDONED_AFTER_MS)
      await unless(["ENOENT", "EACCES", "EPERM"], () => unlink(draft));
  }
}

async function fill(handle: FileHandle, lines: AsyncIterable<string>): Promise<{ lines: number; bytes: number }> {
  const written = { lines: 0, bytes: 0 };
  async function* inChunks(): AsyncGenerator<Buffer> {
    let buffered: string[] = [];
    let bufferedLength = 0;
    for await (const line of lines) {
      buffered.push(line, "\n");
      bufferedLength += line.length;
      written.lines += 1;
      if (bufferedLength < CHUNK_BYTES) continue;
      yield Buffer.from(buffered.join(""));
      [buffered, bufferedLength] = [[], 0];
    }
    yield Buffer.from(buffered.join(""));
  }
  for await (const bytes of inChunks()) {
    await handle.appendFile(bytes);
    written.bytes += bytes.length;
  }
  return written;
}

async function moveTo(path: string, draft: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind !== "absent" && kind !== "file") {
    throw new Failure("conflict", `${path} is no longer a file that can be replaced.`, "Check it, then try again.");
  }
  await rename(draft, path);
  await syncFolder(path);
}

const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"];

/** Unlike moving it, this fails where somebody else has written a file since. The draft is dropped afterwards. */
async function placeNew(path: string, draft: string): Promise<void> {
  try {
    const isLinked = await unless(WITHOUT_LINKS, () => link(draft, path).then(() => true));
    if (!isLinked) await copyFile(draft, path, constants.COPYFILE_EXCL);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    throw new Failure("conflict", `${path} was written by somebody else in the meantime.`, "Choose another name.");
  }
  await syncFolder(path);
}

async function syncFolder(path: string): Promise<void> {
  // On Windows a folder cannot be opened, and needs no sync.
  if (process.platform === "win32") return;
  const handle = await open(dirname(path));
  await handle.sync().finally(() => handle.close());
}

/** Node's recursive mkdir never returns in folders such as /proc, where nothing can be created. */
async function ensureFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 }).then(() => true);
  if ((await unless(["EEXIST", "ENOENT"], make)) || (await kindOf(folder)) !== "absent") return;
  if (folder !== dirname(folder)) await ensureFolder(dirname(folder));
  await unless(["EEXIST"], make);
}

async function unlinkIfThere(path: string): Promise<void> {
  await unless(["ENOENT"], () => unlink(path));
}

/** The result of the work, or null if it fails with one of these codes. */
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
  ENAMETOOLONG: ["invalid_input", "has too long a name", "Choose a shorter one."],
  EACCES: ["unavailable", "is not accessible", "Check its permissions and those of its folder."],
  EPERM: ["unavailable", "is not accessible", "Check its permissions and those of its folder."],
  EROFS: ["unavailable", "is on a read-only file system", "Choose another place."],
  ENOSPC: ["unavailable", "cannot be written because the disk is full", "Free some space, then repeat."],
  EDQUOT: ["unavailable", "cannot be written because the disk is full", "Free some space, then repeat."],
};

/** Converts system errors to plain words; other errors pass unchanged. */
async function withPlainErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("syscall" in thrown)) throw thrown;
    const reason = (thrown as NodeJS.ErrnoException).code ?? "unknown";
    const [code, what, hint] = MEANINGS[reason] ?? ["unavailable", `fails with ${reason}`, "Choose another place."];
    throw new Failure(code, `${path} ${what}.`, hint, { cause: thrown });
  }
}

function faulty(path: string, line: number, what: string): Failure {
  return new Failure("invalid_input", `${path}, line ${line} ${what}.`, "Nothing was imported. Create the file again.");
}

function tooLarge(path: string): Failure {
  return new Failure("invalid_input", `${path} is too large.`, "Nothing was imported. Split it into smaller files.");
}
