/**
 * Transcripts on disk, in the folders of the hosts that write them.
 *
 * A transcript grows while it is read, so only complete lines count; once it is final, so does a last line that is whole
 * but has no line end. Which project a session belongs to is decided by the folder that it names itself: names of host
 * folders are ambiguous.
 */
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { Failure } from "../errors.ts";
import type { StrayTranscript, TranscriptFile, TranscriptPart, Transcripts } from "../ports.ts";
import { contentHash } from "../text/content-hash.ts";
import { typedPromptOf } from "./origins.ts";
import type { TranscriptHost, TypedPrompt } from "./session.ts";
import { hostOfTranscript, objectsOf, sessionOfLine } from "./transcripts.ts";

interface TranscriptFolders {
  /** Claude Code's and Codex's own folders. */
  claude: string;
  codex: string;
  /** Folders of the project; a session in any of them, or below, counts. */
  project: readonly string[];
}

const NEWLINE = 10;
/** A longer line is skipped: a pasted image or a huge result. */
const LINE_BYTES = 16_000_000;
/** Where the first lines of a transcript name their session and folder. */
const HEAD_BYTES = 64_000;
const HEAD_LINES = 40;
/** Codex sorts sessions by date, not by project, so many have to be looked at. */
const LOOKED_AT = 5_000;
const SLUG_CHARACTERS = 200;

export function createTranscripts(folders: TranscriptFolders): Transcripts {
  return {
    find: async (path) => {
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? { path, bytes: found.size, modifiedAt: found.mtimeMs } : null;
    },
    read,
    typedIn,
    isOwn: (path) => isOwn(path, null, folders.project),
    strayOf: (path) => strayOf(path, folders.project),
    async strays(limit) {
      const found: StrayTranscript[] = [];
      for (const slug of new Set(slugsOf(folders))) {
        for (const { path } of await jsonFilesIn(join(folders.claude, "projects", slug))) {
          const stray = await strayOf(path, folders.project);
          if (stray) found.push(stray);
          if (found.length >= limit) return found;
        }
      }
      return found;
    },
    async ofProject(limit) {
      const found = [...(await claudeFiles(folders)), ...(await codexFiles(folders))];
      const newest = found.sort((one, two) => two.modifiedAt - one.modifiedAt || (one.path < two.path ? -1 : 1));
      const own: TranscriptFile[] = [];
      for (const file of newest.slice(0, LOOKED_AT)) {
        if (own.length >= limit) break;
        if (await isOwn(file.path, file.host, folders.project)) own.push(file);
      }
      return own;
    },
  };
}

async function read(
  path: string,
  offset: number,
  limitBytes: number,
  { isFinal } = { isFinal: false },
): Promise<TranscriptPart | null> {
  const file = await open(path, "r").catch((thrown: Error) => {
    throw new Failure(
      "unavailable",
      `${path} cannot be read: ${thrown.message}.`,
      "Check the path and its permissions.",
    );
  });
  try {
    const { size } = await file.stat();
    if (offset > size) return null;
    const from = offset + (await lineEndAt(file, offset));
    const part = await readFrom(file, { offset: from, size, limitBytes, isFinal });
    const marks = { start: await markBefore(file, offset), end: await markBefore(file, part.offset) };
    return { ...part, marks };
  } finally {
    await file.close();
  }
}

/** Only the end of a long history is read: it goes back for years. */
const HISTORY_BYTES = 16_000_000;

/** Claude Code notes prompts in a file of its own, beside the folder of its projects. */
async function typedIn(path: string, session: string): Promise<TypedPrompt[]> {
  const projects = dirname(dirname(path));
  if (basename(projects) !== "projects") return [];
  const history = join(dirname(projects), "history.jsonl");
  // Opening a pipe would wait for its other end.
  const isFile = (await stat(history).catch(() => null))?.isFile() === true;
  const file = isFile ? await open(history, "r").catch(() => null) : null;
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, HISTORY_BYTES));
    await file.read(bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString("utf8").split("\n");
    return lines.flatMap((line) => (line.includes(session) ? (typedPromptOf(line, session) ?? []) : []));
  } finally {
    await file.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;
type Part = Omit<TranscriptPart, "marks">;

async function readFrom(
  file: Handle,
  { offset, size, limitBytes, isFinal }: { offset: number; size: number; limitBytes: number; isFinal: boolean },
): Promise<Part> {
  for (let length = limitBytes; ; length *= 4) {
    const wanted = Math.min(length, LINE_BYTES, size - offset);
    const bytes = Buffer.alloc(wanted);
    const { bytesRead } = await file.read(bytes, 0, wanted, offset);
    const end = bytes.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
    const isAll = offset + bytesRead >= size;
    const lines = linesOf(bytes.subarray(0, end));
    const rest = isAll && isFinal ? bytes.toString("utf8", end, bytesRead) : "";
    if (isWhole(rest)) return { lines: [...lines, rest], offset: offset + bytesRead, skipped: 0, isEnd: true };
    if (end > 0 || isAll) return { lines, offset: offset + end, skipped: 0, isEnd: isAll };
    if (wanted === LINE_BYTES) return await afterLongLine(file, offset + wanted, size);
  }
}

/** An object that can be parsed has not been cut off. */
function isWhole(rest: string): boolean {
  const { objects, isSkipped } = objectsOf(rest);
  return objects.length > 0 && !isSkipped;
}

/** The line end of a last line that was read without one. */
async function lineEndAt(file: Handle, offset: number): Promise<number> {
  if (offset === 0) return 0;
  const bytes = Buffer.alloc(2);
  const { bytesRead } = await file.read(bytes, 0, 2, offset - 1);
  return bytesRead === 2 && bytes[0] !== NEWLINE && bytes[1] === NEWLINE ? 1 : 0;
}

const MARK_BYTES = 1_024;

async function markBefore(file: Handle, offset: number): Promise<string> {
  const bytes = Buffer.alloc(Math.min(MARK_BYTES, offset));
  await file.read(bytes, 0, bytes.length, offset - bytes.length);
  return contentHash(bytes.toString("latin1")).slice(0, 16);
}

const linesOf = (bytes: Buffer): string[] => bytes.toString("utf8").split("\n").slice(0, -1);

async function afterLongLine(file: Handle, from: number, size: number): Promise<Part> {
  const bytes = Buffer.alloc(1_000_000);
  for (let offset = from; offset < size; ) {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    if (bytesRead === 0) break;
    const end = bytes.subarray(0, bytesRead).indexOf(NEWLINE);
    if (end >= 0) return { lines: [], offset: offset + end + 1, skipped: 1, isEnd: false };
    offset += bytesRead;
  }
  return { lines: [], offset: from, skipped: 0, isEnd: true };
}

/** `~/.claude/projects/<folder with dashes>/<session>.jsonl`; folders below the project have longer names. */
async function claudeFiles(folders: TranscriptFolders): Promise<TranscriptFile[]> {
  const slugs = slugsOf(folders);
  const top = join(folders.claude, "projects");
  const names = (await namesIn(top)).filter((name) => slugs.some((slug) => name.startsWith(slug)));
  const files = await Promise.all(names.map((name) => jsonFilesIn(join(top, name))));
  return files.flat().map((file) => ({ ...file, host: "claude-code" }));
}

/** `~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl`, newest first. */
async function codexFiles({ codex }: TranscriptFolders): Promise<TranscriptFile[]> {
  const found: TranscriptFile[] = [];
  const newestFirst = async (folder: string) =>
    (await namesIn(folder))
      .filter((name) => /^\d+$/.test(name))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  for (const year of await newestFirst(join(codex, "sessions")))
    for (const month of await newestFirst(year))
      for (const day of await newestFirst(month)) {
        if (found.length >= LOOKED_AT) return found;
        found.push(...(await jsonFilesIn(day)).map((file) => ({ ...file, host: "codex" as const })));
      }
  return found;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function jsonFilesIn(folder: string): Promise<Omit<TranscriptFile, "host">[]> {
  const paths = (await namesIn(folder)).filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return paths.flatMap((path, index) => {
    const file = found[index];
    return file?.isFile() && file.size > 0 ? [{ path, bytes: file.size, modifiedAt: file.mtimeMs }] : [];
  });
}

const slugsOf = ({ project }: TranscriptFolders): string[] =>
  project.map((folder) => folder.replace(/[^A-Za-z0-9]/g, "-").slice(0, SLUG_CHARACTERS));

async function isOwn(path: string, host: TranscriptHost | null, project: readonly string[]): Promise<boolean> {
  const folder = await folderNamedIn(path, host);
  return folder !== null && isWithin(folder, project);
}

async function strayOf(path: string, project: readonly string[]): Promise<StrayTranscript | null> {
  const folder = await folderNamedIn(path, null);
  return folder === null || (await isWithin(folder, project)) ? null : { transcript: path, folder };
}

async function folderNamedIn(path: string, host: TranscriptHost | null): Promise<string | null> {
  // Subagents and backups lie beside sessions.
  if (basename(path).startsWith("agent-")) return null;
  const lines =
    (await read(path, 0, HEAD_BYTES, { isFinal: true }).catch(() => null))?.lines.slice(0, HEAD_LINES) ?? [];
  const found = hostOfTranscript(lines);
  if (found === null || (host !== null && found !== host)) return null;
  return lines.map((line) => sessionOfLine(line).cwd).find((cwd) => cwd !== null) || null;
}

async function isWithin(folder: string, project: readonly string[]): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder);
  return project.some((own) => [folder, real].some((one) => one === own || one.startsWith(own + sep)));
}
