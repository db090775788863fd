/**
 * Configuration files of hosts: read with care, replaced at once or not at all.
 *
 * A linked file is replaced where it really is, with its mode and owner. A file that changed since it was read is never
 * overwritten. Devices, folders, large files and text that is not UTF-8 are refused.
 */
import { hash, randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Failure } from "../errors.ts";
import { isInside } from "../files/disk/project-files.ts";
import type { ConnectRecords, HostFile, HostFiles } from "../ports.ts";
import type { ConnectedFile, Connection, HostId } from "./connection.ts";

const LARGEST_BYTES = 16 * 1_048_576;
const UNCHANGED = "Nothing was changed there.";

/** `searched`: the folders in which the system looks for programs, as it writes them. */
export function createHostFiles({ searched, extensions }: { searched: string; extensions: string }): HostFiles {
  return {
    read,
    write,
    remove,
    isThere: (path) => existsSync(path),
    isOnPath: (program) =>
      searched
        .split(delimiter)
        .filter((folder) => folder !== "")
        .some((folder) => ["", ...extensions.split(";")].some((end) => isFile(join(folder, program + end)))),
  };
}

/** False also where a folder on the way cannot be entered: no program there can be started either. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function read(path: string, within: string | null): HostFile {
  const target = resolved(path, within);
  if (target === null) {
    const folders = missingFolders(dirname(path));
    // The folder in which it or its own folders would be made: a repository may hold links.
    resolved(dirname(folders[0] ?? path), within);
    return { target: path, text: null, folders };
  }
  const found = reading(path, () => statSync(target));
  if (!found.isFile()) throw refusal(path, "is not a file", "Move it elsewhere.");
  if (found.size > LARGEST_BYTES) throw refusal(path, "is larger than 16 MB", "Is it the right file?");
  return {
    target,
    text: decoded(
      path,
      reading(path, () => readFileSync(target)),
    ),
    folders: [],
  };
}

/** The real path of an existing file or folder; null if there is none. */
function resolved(path: string, within: string | null): string | null {
  const found = reading(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return null;
  let target: string;
  try {
    target = realpathSync(path);
  } catch (cause) {
    throw refusal(path, "is a link that leads nowhere", "Remove the link, or make the file it names.", cause);
  }
  if (within !== null && !isInside(realpathSync(within), target))
    throw refusal(path, `leads to ${target}`, "A link there leads out of the project.");
  return target;
}

/** A fault of the system, told with the path that the person knows. */
function reading<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code = "a fault" } = cause as NodeJS.ErrnoException;
    throw new Failure("unavailable", `${path} cannot be read (${code}).`, `${UNCHANGED} Check its permissions.`, {
      cause,
    });
  }
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refusal(path, "is not UTF-8 text", "Save it as UTF-8, then run this again.", cause);
  }
}

const refusal = (path: string, what: string, hint: string, cause?: unknown): Failure =>
  new Failure("conflict", `${path} ${what}.`, `${UNCHANGED} ${hint}`, { cause });

function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  // A link is there, even if what it names is not.
  const isThere = (at: string) => existsSync(at) || lstatSync(at, { throwIfNoEntry: false }) !== undefined;
  for (let at = folder; !isThere(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  return missing;
}

function write(file: HostFile, text: string): void {
  const { target } = file;
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  writing(target, () => {
    for (const folder of file.folders) mkdirSync(folder, { mode: 0o700, recursive: true });
    const old = statSync(target, { throwIfNoEntry: false });
    // Replacing needs only the folder's permission, but a file that may not be written is not ours to replace.
    if (old !== undefined) accessSync(target, constants.W_OK);
    try {
      fill(draft, text, old);
      expectUnchanged(file);
      renameSync(draft, target);
    } catch (thrown) {
      rmSync(draft, { force: true });
      throw thrown;
    }
    syncFolder(dirname(target));
  });
}

function fill(draft: string, text: string, old: Stats | undefined): void {
  const mode = old === undefined ? 0o600 : old.mode & 0o7777;
  const descriptor = openSync(draft, "wx", mode);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (old === undefined || process.platform === "win32") return;
  keepOwner(draft, old);
  chmodSync(draft, mode);
}

function keepOwner(draft: string, { uid, gid }: Stats): void {
  const own = statSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownSync(draft, uid, gid);
}

function syncFolder(folder: string): void {
  // On Windows a folder cannot be opened, and needs no sync.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function remove(file: HostFile, folders: readonly string[]): void {
  writing(file.target, () => {
    expectUnchanged(file);
    rmSync(file.target);
    for (const folder of [...folders].reverse()) if (!removeEmpty(folder)) return;
  });
}

/** False if it holds something, or is gone. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function expectUnchanged({ target, text }: HostFile): void {
  const now = lstatSync(target, { throwIfNoEntry: false }) === undefined ? null : digest(readFileSync(target));
  if (now === (text === null ? null : digest(Buffer.from(text)))) return;
  throw new Failure("conflict", `${target} was changed in the meantime.`, `${UNCHANGED} Run this again.`);
}

const digest = (bytes: Buffer) => hash("sha256", bytes);

function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const { code = "a fault" } = cause as NodeJS.ErrnoException;
    const hint = `${UNCHANGED} Check its permissions and those of its folder.`;
    throw new Failure("unavailable", `${path} cannot be written (${code}).`, hint, { cause });
  }
}

/**
 * Records of connected hosts in the data folder: what was changed, and copies of what was there before.
 *
 * Copies may contain keys of other servers, so they are private, and removed with the connection. A record that cannot be
 * read counts as none: our entries are then recognised by what they start.
 */
export function createConnectRecords(home: () => string): ConnectRecords {
  const folder = () => join(home(), "hosts");
  const nameOf = (host: HostId, project: string | null) =>
    project === null ? host : `${host}-${hash("sha256", project).slice(0, 16)}`;
  return {
    read(host, project) {
      const text = textOf(join(folder(), `${nameOf(host, project)}.json`));
      return text === null ? null : parsed(text);
    },
    write(connection, texts) {
      mkdirSync(folder(), { recursive: true, mode: 0o700 });
      const own = join(folder(), nameOf(connection.host, connection.project));
      for (const [name, text] of texts) put(`${own}.${name}`, text);
      put(`${own}.json`, `${JSON.stringify(connection, null, 2)}\n`);
    },
    backup: ({ host, project }, name) =>
      /^[\w-]+$/.test(name) ? textOf(join(folder(), `${nameOf(host, project)}.${name}`)) : null,
    drop({ host, project }) {
      const own = nameOf(host, project);
      for (const name of namesIn(folder()))
        if (name === `${own}.json` || name.startsWith(`${own}.before-`)) rmSync(join(folder(), name), { force: true });
    },
  };
}

function put(path: string, text: string): void {
  const draft = `${path}.tmp`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw thrown;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

function parsed(text: string): Connection | null {
  try {
    const found = JSON.parse(text) as Connection;
    return Array.isArray(found.files) && found.files.every(isRecordFile) ? found : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return null;
    throw thrown;
  }
}

const isRecordFile = (file: ConnectedFile): boolean =>
  typeof file.path === "string" &&
  typeof file.after === "string" &&
  [file.folders, file.undo.traces, file.undo.constants].every(Array.isArray) &&
  file.undo.traces.every(({ path }) => Array.isArray(path));
