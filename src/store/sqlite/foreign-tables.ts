/**
 * Tables of a SQLite file that another program owns.
 *
 * A private copy is read, so that nothing is created or locked beside the original. The file is hostile: only ordinary
 * tables and columns are read, so nothing that its schema defines is ever computed, and large values are left out unread.
 */
import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { Failure, toFailure } from "../../errors.ts";
import type { ForeignStores, TableLimits } from "../../ports.ts";
import type { ForeignRecord, ForeignTable, LeftOut } from "../../transfer/importers/foreign-memory.ts";
import { privateCopy } from "./data-file.ts";
import { type Database, openSqlite } from "./sqlite.ts";

const MAGIC = "SQLite format 3\0";
/** A write-ahead log, or the journal of a transaction that was interrupted. */
const LOGS = ["-wal", "-journal"];
const ATTEMPTS = 3;

export const readTables: ForeignStores["tables"] = async (path, tables, limits) => {
  check(path, limits);
  const { copy, discard } = steadyCopy(path);
  try {
    return readCopy(copy, path, tables, limits);
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : damaged(path, toFailure(thrown).message);
  } finally {
    discard();
  }
};

function check(path: string, { fileBytes }: TableLimits): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile())
    throw new Failure("invalid_input", `${path} is not a regular file.`, "Name the database itself.");
  if (found.size > fileBytes) {
    const size = `${Math.round(found.size / 1_000_000).toLocaleString("en")} MB`;
    const most = `${Math.round(fileBytes / 1_000_000).toLocaleString("en")} MB`;
    throw new Failure(
      "invalid_input",
      `${path} has ${size}; at most ${most} can be imported.`,
      "Nothing was imported.",
    );
  }
  const start = Buffer.alloc(MAGIC.length);
  const file = openSync(path, "r");
  const read = readSync(file, start, 0, MAGIC.length, 0);
  closeSync(file);
  if (read < MAGIC.length || start.toString("latin1") !== MAGIC) {
    throw new Failure(
      "invalid_input",
      `${path} is not a SQLite database.`,
      "Nothing was imported. Name the database itself.",
    );
  }
}

/** The parts are copied one after the other, so a writer in between would tear them apart. */
function steadyCopy(path: string): ReturnType<typeof privateCopy> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = stateOf(path);
    const made = privateCopy(path, LOGS);
    if (stateOf(path) === before) return made;
    made.discard();
  }
  throw new Failure(
    "unavailable",
    `Another program keeps writing ${path}.`,
    "Nothing was imported. Stop it, then repeat.",
  );
}

const stateOf = (path: string): string =>
  ["", ...LOGS]
    .map((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }))
    .map((found) => `${found?.size} ${found?.mtimeMs} ${found?.ino}`)
    .join(", ");

function readCopy(
  copy: string,
  path: string,
  tables: readonly ForeignTable[],
  limits: TableLimits,
): Awaited<ReturnType<ForeignStores["tables"]>> {
  // Writable, because an interrupted transaction is rolled back first.
  const db = openSqlite(copy, { fileMustExist: true });
  try {
    for (const pragma of ["trusted_schema = off", "cell_size_check = on", "ignore_check_constraints = on"]) {
      db.pragma(pragma);
    }
    const present = tables.filter((table) => isPresent(db, table, path));
    db.pragma("query_only = on");
    const rows = new Map<string, ForeignRecord[]>();
    const leftOut: LeftOut[] = [];
    let room = limits.rows;
    for (const table of present) {
      const read = readTable(db, table, { ...limits, rows: room }, path);
      rows.set(table.name, read.rows);
      leftOut.push(
        ...Array.from({ length: read.tooLarge }, () => ({ what: `a row of ${table.name}`, reason: "is too large" })),
      );
      room -= read.rows.length;
    }
    return { rows, leftOut };
  } finally {
    db.close();
  }
}

/** Views and virtual tables, which have no page of their own, do not count: reading one runs what the file says. */
function isPresent(db: Database, { name, isLater }: ForeignTable, path: string): boolean {
  const found = db
    .prepare("select 1 from sqlite_schema where type = 'table' and name = ? and rootpage > 0")
    .pluck()
    .get(name);
  if (found === undefined && isLater) return false;
  if (found === undefined) throw notOurs(path, `It has no table ${name}.`);
  // Even checking the table would compute them.
  const computed = columnsOf(db, name).find(({ hidden }) => hidden > 0);
  if (computed) throw notOurs(path, `Its table ${name} computes its column ${computed.name}.`);
  const [fault] = db.pragma(`quick_check("${name}")`) as { quick_check: string }[];
  if (fault?.quick_check !== "ok") throw damaged(path, fault?.quick_check ?? "it cannot be checked");
  return true;
}

/** Generated columns are hidden. */
const columnsOf = (db: Database, table: string) =>
  db.prepare<[string], { name: string; hidden: number }>("select name, hidden from pragma_table_xinfo(?)").all(table);

function readTable(
  db: Database,
  { name, columns, later = [] }: ForeignTable,
  { rows: room, valueBytes }: TableLimits,
  path: string,
): { rows: ForeignRecord[]; tooLarge: number } {
  const ordinary = columnsOf(db, name).map((column) => column.name);
  const missing = columns.find((column) => !ordinary.includes(column));
  if (missing !== undefined) throw notOurs(path, `Its table ${name} has no column ${missing}.`);
  const read = [...columns, ...later.filter((column) => ordinary.includes(column))];
  const isSmall = read.map((column) => `coalesce(octet_length("${column}"), 0) <= :most`).join(" and ");
  const list = read.map((column) => `"${column}"`).join(", ");
  const most = { most: valueBytes };
  const tooLarge = db
    .prepare<[object], number>(`select count(*) from "${name}" where not (${isSmall})`)
    .pluck()
    .get(most)!;
  const rows = db
    .prepare<[object], ForeignRecord>(`select ${list} from "${name}" where ${isSmall} order by rowid limit :room`)
    .all({ ...most, room: room + 1 });
  if (rows.length <= room) return { rows, tooLarge };
  throw new Failure(
    "invalid_input",
    `${path} has more than ${room.toLocaleString("en")} rows to read.`,
    "Nothing was imported. Remove what is no longer needed there first.",
  );
}

const damaged = (path: string, why: string): Failure =>
  new Failure(
    "invalid_input",
    `${path} is damaged or was cut off: ${why}.`,
    "Nothing was imported. Copy the file again, or restore it from a backup.",
  );

const notOurs = (path: string, why: string): Failure =>
  new Failure(
    "invalid_input",
    `${path} is a database of something else. ${why}`,
    "Nothing was imported. Check --from and the path.",
  );
