/**
 * The spool of a project, as the program reads it. Hooks write it, see `spool-writer.ts`.
 *
 * A name is given to a report once and never reused for another, so files need no lock. Whatever cannot be read as a
 * report is moved into a small folder beside, where a person may look at it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { StoreKey } from "../encryption/store-key.ts";
import { Failure } from "../errors.ts";
import type { Spool } from "../ports.ts";
import {
  createFolder,
  distrust,
  DRAFT,
  FULL,
  isMarked,
  PAUSED,
  READER,
  REPORT,
  SEAL_BYTES,
  SPOOL_BOUNDS,
  type SpoolBounds,
} from "./inbox-writer.ts";
import { beginPause, endPause, pausesIn } from "./pauses.ts";
import { type Spooled, SPOOLED_BYTES } from "./session.ts";

const BAD = "bad";
/** Beyond these, what cannot be read is deleted. */
const BAD_FILES = 100;
/** No hook writes for so long. */
const DRAFT_MS = 60_000;
const NOTHING = Buffer.alloc(0);

interface SpoolOptions {
  bounds?: SpoolBounds;
  /** Opens reports that hooks have sealed; null or none if the data folder is not encrypted. */
  key?: StoreKey | null;
}

/** `locate` is called on first use: most commands never ask for the spool. */
export function createSpool(locate: () => string, { bounds = SPOOL_BOUNDS, key = null }: SpoolOptions = {}): Spool {
  let located: string | undefined;
  const place = () => (located ??= locate());
  const within = (name: string) => join(place(), name);
  const has = (mark: string) => distrust(place()) === null && isMarked(place(), mark);
  return {
    list: async (limit) =>
      tidied(place(), bounds)
        .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
        .slice(0, limit)
        .map(({ name }) => name),
    async read(name) {
      refuseOther(name);
      if (distrust(place()) !== null) return null;
      const bytes = readReport(within(name));
      if (bytes === null) return null;
      const report = await parsed(await textOf(bytes, key, join(place(), "..")));
      if (report !== null && `${report.id}.json` === name) return report;
      moveAside(place(), name);
      return null;
    },
    async remove(name) {
      refuseOther(name);
      refuseUntrusted(place());
      rmSync(within(name), { force: true });
      rmSync(within(FULL), { force: true });
    },
    async state() {
      const reports = tidied(place(), bounds);
      const marks = { isPaused: has(PAUSED), isReader: has(READER), isFull: has(FULL) };
      return { files: reports.length, bytes: bytesOf(reports), ...marks };
    },
    isReader: async () => has(READER),
    pause: async (at) =>
      writing(place(), () => {
        createFolder(place());
        refuseUntrusted(place());
        beginPause(place(), at);
      }),
    resume: async (at) =>
      writing(place(), () => {
        refuseUntrusted(place());
        endPause(place(), at);
      }),
    pauses: async () => (distrust(place()) === null ? pausesIn(place()) : []),
  };
}

interface Report {
  name: string;
  at: number;
  bytes: number;
}

const bytesOf = (reports: readonly Report[]): number => reports.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * The reports, after removing what hooks that were killed left behind, and the mark that there is no room if there is:
 * a hook may leave it just after somebody else has made room.
 */
function tidied(folder: string, { files, bytes }: SpoolBounds): Report[] {
  const reports = reportsIn(folder);
  if (distrust(folder) !== null) return reports;
  const drafts = namesIn(folder).filter((name) => DRAFT.test(name));
  for (const name of drafts) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > DRAFT_MS) removeUnasked(join(folder, name));
  }
  if (reports.length < files && bytesOf(reports) < bytes) removeUnasked(join(folder, FULL));
  return reports;
}

/** Whoever only looks at a spool that cannot be written must not fail. */
function removeUnasked(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** A report that is digested meanwhile is left out. */
function reportsIn(folder: string): Report[] {
  if (distrust(folder) !== null) return [];
  return namesIn(folder)
    .filter((name) => REPORT.test(name))
    .flatMap((name) => {
      const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, at: found.mtimeMs, bytes: found.size }];
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** Null if it is gone, empty if it is no regular file or too large. */
function readReport(path: string): Buffer | null {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    const file = openSync(path, flags);
    try {
      const found = fstatSync(file);
      return found.isFile() && found.size <= SPOOLED_BYTES + SEAL_BYTES ? readFileSync(file) : NOTHING;
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    // A link, a folder or a socket.
    if (code === "ELOOP" || code === "EMLINK" || code === "EISDIR" || code === "ENXIO") return NOTHING;
    throw thrown;
  }
}

/** A report from before the data folder was encrypted is plain. One that was sealed for another key is as good as none. */
async function textOf(bytes: Buffer, key: StoreKey | null, spools: string): Promise<string> {
  if (key === null) return bytes.toString("utf8");
  const { isSealed } = await import("../encryption/reports.ts");
  if (!isSealed(bytes)) return bytes.toString("utf8");
  const { openSealed } = await import("../encryption/seal-inbox.ts");
  return openSealed(bytes, key, spools) ?? "";
}

/** The schema is loaded by whoever digests, not by every command. */
async function parsed(text: string): Promise<Spooled | null> {
  const { SpooledSchema } = await import("./spooled-schema.ts");
  try {
    return SpooledSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

function moveAside(folder: string, name: string): void {
  const aside = join(folder, BAD);
  const found = lstatSync(aside, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(aside, { mode: 0o700 });
  const isRoom = found === undefined || (found.isDirectory() && namesIn(aside).length < BAD_FILES);
  if (isRoom) renameSync(join(folder, name), join(aside, name));
  else rmSync(join(folder, name), { force: true, recursive: true });
}

function refuseOther(name: string): void {
  if (!REPORT.test(name)) throw new Failure("invalid_input", `"${name}" is not a report.`, "Use a name from the list.");
}

function refuseUntrusted(folder: string): void {
  const reason = distrust(folder);
  if (reason !== null) throw new Failure("unavailable", reason, "Remove it, or make it yours with mode 0700.");
}

function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const { code = "a fault" } = cause as NodeJS.ErrnoException;
    const hint = "Check the permissions of the data folder.";
    throw new Failure("unavailable", `${folder} cannot be written (${code}).`, hint, { cause });
  }
}
