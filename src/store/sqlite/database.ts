/**
 * Opens one SQLite file safely.
 *
 * Files are created with mode 0600 and folders with 0700. A file that cannot be written is
 * opened for reading; a damaged one, or one newer than this program, is refused and left
 * untouched. Waiting for a busy file does not block the event loop.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { StoreKey } from "../../encryption/store-key.ts";
import { Failure } from "../../errors.ts";
import { isThere, prepareFile, privateCopy } from "./data-file.ts";
import { endsInPage } from "./file-tasks.ts";
import { type Database, keyFault, openKeyed, openSqlite } from "./sqlite.ts";

// Compiles statements on first use: a store has hundreds of them, and most processes use a few.
//
// Until then a statement only holds its text and the shape of its rows.

/** Makes `prepare` lazy. An error in a statement shows up on its first use. */
export function prepareLazily(db: Database): void {
  const compile = db.prepare.bind(db) as (sql: string) => Statement;
  db.prepare = ((sql: string) => ({
    __proto__: METHODS,
    sql,
    compile,
    shapes: null,
    compiled: null,
  })) as unknown as Database["prepare"];
}

type Shape = "pluck" | "raw" | "expand";

interface Lazy {
  sql: string;
  compile(sql: string): Statement;
  shapes: Shape[] | null;
  compiled: Statement | null;
}

/** Shared by all statements, because closures for each of them would slow down every command; so none can be detached from its statement. */
const METHODS = {
  run(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).run(...parameters);
  },
  get(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).get(...parameters);
  },
  all(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).all(...parameters);
  },
  iterate(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).iterate(...parameters);
  },
  pluck(this: Lazy) {
    return withShape(this, "pluck");
  },
  raw(this: Lazy) {
    return withShape(this, "raw");
  },
  expand(this: Lazy) {
    return withShape(this, "expand");
  },
};

function withShape(lazy: Lazy, shape: Shape): Lazy {
  (lazy.shapes ??= []).push(shape);
  return lazy;
}

function statementOf(lazy: Lazy): Statement {
  if (lazy.compiled !== null) return lazy.compiled;
  const compiled = lazy.compile(lazy.sql);
  for (const shape of lazy.shapes ?? []) compiled[shape]();
  lazy.compiled = compiled;
  return compiled;
}

export type { Database };

/** Runs `work`; while another process holds the lock, retries after growing, jittered pauses. */
export type WhenFree = <T>(work: () => T, options?: { impatient?: boolean }) => Promise<T>;

interface OpenFile {
  db: Database;
  readOnly: boolean;
  close(): void;
}

export interface OpenDatabase extends OpenFile {
  whenFree: WhenFree;
}

interface OpenDatabaseOptions {
  /** Checks the file before anything is changed; if it throws, the file is closed untouched. */
  inspect(db: Database): void;
  /** In a read-only folder, a missing file is an error rather than an empty store. */
  isRequired: boolean;
  patienceMs?: number | undefined;
  durability?: Durability | undefined;
  /** Null or none if the file is not encrypted. */
  key?: StoreKey | null | undefined;
}

/** Whether a commit waits until the disk has it. The file is whole in either case. */
export type Durability = "normal" | "full";

export const BUSY_TIMEOUT_MS = 50;
export const BUSY_PATIENCE_MS = 5_000;

export async function openDatabase(
  path: string,
  { inspect, isRequired, patienceMs = BUSY_PATIENCE_MS, durability = "normal", key = null }: OpenDatabaseOptions,
): Promise<OpenDatabase> {
  let isClosed = false;
  const whenFree: WhenFree = (work, options) =>
    waitingUpTo(
      options?.impatient ? 0 : patienceMs,
      path,
      () => {
        if (isClosed) throw closed();
        return work();
      },
      key,
    );
  const file = await whenFree(() => {
    try {
      return openForWriting(path, key, inspect, durability);
    } catch (thrown) {
      if (!isReadOnlyFault(thrown) || (isRequired && !isThere(path))) throw thrown;
      return openForReading(path, key, inspect);
    }
  });
  const close = () => {
    isClosed = true;
    file.close();
  };
  return { ...file, close, whenFree };
}

/** A database that ends with its process, and that no other one sees. */
export function openInMemory(): OpenDatabase {
  const db = openSqlite(":memory:");
  setUp(db);
  const whenFree: WhenFree = async (work) => {
    if (!db.open) throw closed();
    return work();
  };
  return { db, readOnly: false, close: () => db.close(), whenFree };
}

const closed = (): Failure => new Failure("unavailable", "The store is closed.", "Open it again.");

/** Retries `work` while another process holds the file; an error names the file. */
export async function waitingUpTo<T>(
  patienceMs: number,
  path: string,
  work: () => T,
  key: StoreKey | null = null,
): Promise<T> {
  const started = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (thrown) {
      const isBusy = codeOf(thrown).startsWith("SQLITE_BUSY");
      if (!isBusy || Date.now() - started >= patienceMs) throw translate(thrown, path, key);
      await sleep(Math.random() * Math.min(200, 5 * 2 ** Math.min(attempt, 6)));
    }
  }
}

function openForWriting(
  path: string,
  key: StoreKey | null,
  inspect: (db: Database) => void,
  durability: Durability,
): OpenFile {
  prepareFile(path);
  const db = openKeyed(path, key, { timeout: BUSY_TIMEOUT_MS });
  try {
    inspect(db);
    refuseTorn(db);
    // A small write touches many pages; checkpointing four times less often halves its cost.
    db.exec(`pragma journal_mode = wal; pragma synchronous = ${durability}; pragma wal_autocheckpoint = 4000`);
    setUp(db);
    return { db, readOnly: false, close: () => db.close() };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** A WAL file on a read-only disk cannot be opened in place; a private copy can. */
function openForReading(path: string, key: StoreKey | null, inspect: (db: Database) => void): OpenFile {
  const { copy, discard } = privateCopy(path);
  try {
    const db = openKeyed(copy, key, { timeout: BUSY_TIMEOUT_MS });
    const close = () => {
      db.close();
      discard();
    };
    try {
      inspect(db);
      refuseTorn(db);
      setUp(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
    return { db, readOnly: true, close };
  } catch (thrown) {
    discard();
    throw thrown;
  }
}

/**
 * Refuses a file of which a part is missing or older than the rest. SQLite itself refuses a file that lacks complete
 * pages or has an unreadable schema, but it overlooks half a page at the end and journal entries beyond the head.
 */
function refuseTorn(db: Database): void {
  if (db.pragma("user_version", { simple: true }) === 0) return;
  if (endsInPage(db) || !canContinueJournal(db)) {
    throw Object.assign(new Error("The last writes are missing."), { code: "SQLITE_CORRUPT" });
  }
}

/** Whether the journal can be continued. Tampering is left to the audit, which must be able to open the file. */
function canContinueJournal(db: Database): boolean {
  const isBehind = db.prepare<[], number>(`
    select coalesce((select max(seq) from journal), 0) <= head.length from journal_head head where head.one = 1`);
  return isBehind.pluck().get() === 1;
}

function setUp(db: Database): void {
  prepareLazily(db);
  db.exec(`
    pragma foreign_keys = on;
    pragma temp_store = memory;
    pragma cache_size = -4000;
    pragma journal_size_limit = 67108864`);
}

export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

function isReadOnlyFault(thrown: unknown): boolean {
  return /^(EACCES|EROFS|EPERM|ENOSPC|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_FULL|SQLITE_IOERR)/.test(codeOf(thrown));
}

/** The hint for a damaged file. */
export const RECOVERABLE = "Run `stele doctor`: it can restore the latest sound backup.";

const TRANSLATIONS: readonly [RegExp, string, string][] = [
  [
    /^SQLITE_BUSY|^SQLITE_LOCKED/,
    "The store is locked by another process.",
    "Try again when the other process has finished.",
  ],
  [/^SQLITE_FULL|^ENOSPC/, "The disk is full; nothing was written.", "Free some space and run the command again."],
  [
    /^SQLITE_READONLY|^EROFS|^EACCES|^EPERM/,
    "The data folder cannot be written.",
    "Check its permissions, or set STELE_HOME to another folder.",
  ],
  [/^SQLITE_CORRUPT|^SQLITE_NOTADB/, "The store is damaged.", RECOVERABLE],
  [
    /^SQLITE_IOERR|^SQLITE_CANTOPEN|^EIO|^ENOTDIR|^EISDIR|^EEXIST|^ENOENT|^ELOOP|^ENAMETOOLONG/,
    "The store cannot be read or written.",
    "Check the disk and the path in STELE_HOME.",
  ],
];

/** An error of SQLite or the file system as a failure whose hint names the file. */
export function translate(thrown: unknown, path: string, key: StoreKey | null = null): unknown {
  const code = codeOf(thrown);
  const locked = code.startsWith("SQLITE_NOTADB") ? keyFault(path, key) : null;
  if (locked) return locked;
  const found = TRANSLATIONS.find(([pattern]) => pattern.test(code));
  return found ? new Failure("unavailable", found[1], `${found[2]} (${path})`, { cause: thrown }) : thrown;
}

// Makes plain reading functions of a connection wait while another process holds the file.

/** The same reads without the waiting. */
export type Sync<Reads> = {
  [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

export function waiting<Reads extends object>(reads: Sync<Reads>, whenFree: WhenFree): Reads {
  const each = Object.entries<(...given: unknown[]) => unknown>(reads as never);
  return Object.fromEntries(
    each.map(([name, read]) => [name, (...given: unknown[]) => whenFree(() => read(...given))]),
  ) as Reads;
}
