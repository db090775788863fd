/** Files that are damaged, missing, locked, closed to us or out of room: a clear failure, and nothing lost. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../src/errors.ts";
import { answerOf } from "../../../src/store/sqlite/file-work.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { runChild, startChild } from "../../child.ts";
import { active, insertion, newItem, ORIGIN, put } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Longer than any test may take. */
const FOR_EVER_MS = 24 * 60 * 60 * 1_000;
const { folder, path } = temporaryFolder("damage");
const fixture = (name: string) => new URL(`../fixtures/${name}.ts`, import.meta.url);
const open = (file: string, patienceMs?: number): Promise<Store> =>
  openSqliteStore({ path: file, kind: "project", clock: { now: () => 1 }, ...(patienceMs && { patienceMs }) });

const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code === "unavailable" && thrown.hint !== "" && thrown.message !== "";

async function filled(file: string): Promise<string[]> {
  const store = await open(file);
  const ids = [];
  for (let count = 0; count < 40; count += 1)
    ids.push((await put(store, "memory", { content: `axolotl ${count}` })).id);
  await store.close();
  return ids;
}

/** Opens and looks at everything; either must say what is wrong. */
async function readAll(file: string): Promise<void> {
  const store = await open(file);
  try {
    await store.list("memory", active, { limit: 100, offset: 0 });
    await store.keyword("memory", { terms: ["axolotl"] }, active, 100);
    await store.report();
  } finally {
    await store.close();
  }
}

/** Refused when it is opened, before anybody relies on it, with what can be done, and not changed. */
async function assertRefused(file: string, why: string): Promise<void> {
  const before = readFileSync(file);
  await assert.rejects(
    open(file),
    (thrown) =>
      isUnavailable(thrown) && /damaged/.test(String(thrown)) && /`stele doctor`/.test((thrown as Failure).hint),
    why,
  );
  assert.ok(readFileSync(file).equals(before), why);
}

const model = path();
before(() => filled(model));

/** A file of its own with forty memories, of which this is made. */
function damaged(damage: (whole: Buffer) => Buffer): string {
  const file = path();
  writeFileSync(file, damage(readFileSync(model)));
  return file;
}

test("a truncated file is refused at once, wherever it was cut, and not changed", async () => {
  for (const share of [0.02, 0.1, 0.5, 0.9, 0.999]) {
    const file = damaged((whole) => whole.subarray(0, Math.floor(whole.length * share)));
    await assertRefused(file, `cut at ${share}`);
  }
});

test("a file whose header or schema is gone is refused at once and not changed", async () => {
  for (const [at, length] of [
    [0, 100],
    [0, 4_096],
    [100, 1_000],
  ] as const) {
    const file = damaged((whole) => whole.fill(0, at, at + length));
    await assertRefused(file, `${length} bytes at ${at}`);
  }
});

test("a journal that was cut or edited does not keep anybody out: the audit must be able to name it", async () => {
  for (const tampering of [
    "delete from journal where seq = (select max(seq) from journal)",
    "update journal_head set hash = zeroblob(32)",
  ]) {
    const file = damaged((whole) => whole);
    const db = new Sqlite(file);
    db.pragma("foreign_keys = off");
    db.exec(tampering);
    db.close();
    const store = await open(file);
    await put(store, "memory");
    await store.close();
  }
});

test("a journal that cannot go on is refused at once", async () => {
  for (const lost of ["update journal_head set length = length - 1", "delete from journal_head"]) {
    const file = damaged((whole) => whole);
    const db = new Sqlite(file);
    db.pragma("foreign_keys = off");
    db.exec(lost);
    db.close();
    await assertRefused(file, lost);
  }
});

test("rubbish in place of the log does no harm: what is in the file is there", async () => {
  const file = damaged((whole) => whole);
  writeFileSync(`${file}-wal`, "rubbish ".repeat(10_000));
  const store = await open(file);
  assert.equal((await store.list("memory", active, { limit: 1, offset: 0 })).total, 40);
  await store.close();
});

test("a file that is no database is reported and not changed", async () => {
  for (const rubbish of ["xy", "not a database ".repeat(1_000), `SQLite format 3\0${"rubbish ".repeat(1_000)}`]) {
    const file = path();
    writeFileSync(file, rubbish);
    await assert.rejects(readAll(file), isUnavailable);
    assert.equal(readFileSync(file, "utf8"), rubbish);
  }
});

test("an empty file is a fresh store", async () => {
  const file = path();
  writeFileSync(file, "");
  assert.equal((await filled(file)).length, 40);
});

test("a folder in place of the file, and a file in place of the folder, are reported", async () => {
  const file = path();
  mkdirSync(file);
  await assert.rejects(open(file), isUnavailable);
  writeFileSync(join(folder, "plain"), "");
  await assert.rejects(open(join(folder, "plain", "store.db")), isUnavailable);
  await assert.rejects(open(join(folder, "plain", "deeper", "store.db")), isUnavailable);
});

test("a file that another process holds is waited for, then reported; reading goes on", async () => {
  const file = path();
  const ids = await filled(file);
  await using holder = startChild(fixture("hold-lock"), [file]);
  await holder.spoke();
  const store = await open(file, 100);
  await assert.rejects(store.apply([insertion("memory", newItem())], ORIGIN), isUnavailable);
  assert.equal((await store.items("memory", ids)).length, 40);
  const late = store.apply([insertion("memory", newItem())], ORIGIN);
  await assert.rejects(late, isUnavailable);
  const patient = await open(file, FOR_EVER_MS);
  const waiting = patient.apply([insertion("memory", newItem({ id: "waited" }))], ORIGIN);
  holder.kill();
  assert.equal((await waiting).status, "applied");
  assert.equal((await store.items("memory", ["waited"])).length, 1);
  await Promise.all([store.close(), patient.close()]);
});

test("what may as well be done later gives up at once when another process holds the file", async () => {
  const file = path();
  const store = await open(file, FOR_EVER_MS);
  await put(store, "memory");
  await using holder = startChild(fixture("hold-lock"), [file]);
  await holder.spoke();
  // It is refused although the other process never lets go.
  await assert.rejects(store.apply([insertion("memory", newItem())], ORIGIN, { impatient: true }), isUnavailable);
  const together = [
    store.apply([insertion("memory", newItem())], ORIGIN, { impatient: true }),
    store.apply([insertion("memory", newItem())], ORIGIN),
  ];
  holder.kill();
  const statuses = (await Promise.all(together)).map(({ status }) => status);
  assert.deepEqual(statuses, ["applied", "applied"], "nobody loses patience for others");
  await store.close();
});

test("a fresh file that another process holds is reported", async () => {
  const file = path();
  await using holder = startChild(fixture("hold-lock"), [file]);
  await holder.spoke();
  await assert.rejects(open(file, 100), isUnavailable);
});

test("a thread that ends without an answer, or with a fault, is not waited for", async () => {
  await assert.rejects(answerOf(new Worker("", { eval: true }), "store.db"), isUnavailable);
  await assert.rejects(answerOf(new Worker("throw new Error('no room')", { eval: true }), "store.db"), /no room/);
});

test("folders are closed to others and so are all files, also those that came with wider modes", async () => {
  const file = join(folder, "home", "spaces", "a.db");
  const modesOf = (...files: string[]) => files.map((name) => (statSync(name).mode & 0o777).toString(8));
  const store = await open(file);
  await put(store, "memory");
  assert.deepEqual(modesOf(dirname(dirname(file)), dirname(file)), ["700", "700"]);
  assert.deepEqual(modesOf(file, `${file}-wal`, `${file}-shm`), ["600", "600", "600"]);
  await store.close();
  chmodSync(file, 0o644);
  const again = await open(file);
  await put(again, "memory");
  assert.deepEqual(modesOf(file, `${file}-wal`, `${file}-shm`), ["600", "600", "600"]);
  await again.close();
});

interface Seen {
  refusal: { error: { code: string; hint: string } };
}

test("in a home that may not be written reading works and writing is refused", async () => {
  const [home, copies] = [join(folder, "closed"), join(folder, "copies")];
  const file = join(home, "store.db");
  await filled(file);
  mkdirSync(copies);
  const crashed = new Sqlite(file);
  crashed.exec("update memory_item set priority = 6");
  for (const name of [file, `${file}-wal`, `${file}-shm`]) chmodSync(name, 0o444);
  chmodSync(home, 0o555);
  const look = async (...files: string[]) => {
    const env = { ...process.env, TMPDIR: copies };
    const { code, output, errors } = await runChild(fixture("read-only-home"), files, { env });
    assert.deepEqual([code, errors], [0, ""]);
    return JSON.parse(output) as Seen[];
  };
  try {
    const [known, missing] = await look(file, join(home, "spaces", "new.db"));
    const { refusal, ...seen } = known!;
    assert.deepEqual(seen, { readOnly: true, found: 5, total: 40, left: 0 });
    assert.equal(refusal.error.code, "unavailable");
    assert.match(refusal.error.hint, /permissions/);
    assert.deepEqual(missing, { readOnly: true, found: 0, total: 0, left: 0, refusal: missing?.refusal });
    crashed.pragma("user_version = 99");
    const [newer] = await look(file);
    assert.deepEqual(newer, { refusal: newer?.refusal, left: 0 }, "of a newer program: not even read");
    assert.equal(newer.refusal.error.code, "unavailable");
    assert.match(newer.refusal.error.hint, /Update/);
  } finally {
    crashed.close();
    chmodSync(home, 0o755);
  }
});

interface Filled {
  acknowledged: number;
  failure: { error: { code: string; message: string; hint: string } };
  readable: number;
  integrity: string;
  kept: number;
}

async function fillUp(file: string, wrapper: readonly string[]): Promise<Filled> {
  const { code, output, errors } = await runChild(fixture("fill-disk"), [file], { wrapper });
  assert.deepEqual([code, errors], [0, ""]);
  const report = JSON.parse(output) as Filled;
  assert.equal(report.failure.error.code, "unavailable");
  assert.notEqual(report.failure.error.hint, "");
  assert.ok(report.acknowledged > 0);
  assert.deepEqual(
    [report.readable, report.kept, report.integrity],
    [report.acknowledged, report.acknowledged, "ok"],
    "every acknowledged item is there and no other",
  );
  return report;
}

test("a limit on the size of files fails clearly and loses nothing that was acknowledged", async () => {
  await fillUp(path(), ["sh", "-c", 'ulimit -f 6000; exec "$@"', "sh"]);
});
