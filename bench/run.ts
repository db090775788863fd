/**
 * How fast the shipped path is, beside the budgets.
 *
 * Everything goes through the library as a user calls it. Vectors come from the hashing
 * embedder, so that a hundred thousand of them exist within seconds; storing, scanning and
 * fusing them is the shipped code. Times of a loaded machine are noise: look at ratios.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { type Stele, open } from "../src/index.ts";
import { memoryText, question, seeded } from "./corpus.ts";
import { type Row, type Timing, ms, processTimes, table, timed } from "./measure.ts";

const BATCH = 500;
const QUERIES = 100;
const WARM_UP = 10;
const BUDGETS: Record<number, { hybridMs: number }> = { 10_000: { hybridMs: 4 }, 100_000: { hybridMs: 15 } };

const { values } = parseArgs({
  options: { json: { type: "boolean" }, sizes: { type: "string", default: "10000,100000" } },
});
const sizes = values.sizes.split(",").map(Number);
const folder = mkdtempSync(join(tmpdir(), "stele-bench-"));
const rows: Row[] = [];

async function fill(stele: Stele, from: number, to: number): Promise<void> {
  const random = seeded(from + 1);
  const started = performance.now();
  for (let start = from; start < to; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, to - start) }, (_, index) => memoryText(start + index, random));
    await Promise.all(batch.map((content) => stele.remember({ content })));
  }
  const perSecond = Math.round((to - from) / ((performance.now() - started) / 1000));
  rows.push({
    what: `remember, ${BATCH} at once, up to ${to}`,
    measured: `${perSecond}/s`,
    budget: "≥ 10000/s",
    holds: perSecond >= 10_000,
  });
  const queued = performance.now();
  await stele.backfill({});
  const embedded = Math.round((to - from) / ((performance.now() - queued) / 1000));
  rows.push({ what: `store vectors, up to ${to}`, measured: `${embedded}/s`, budget: "", holds: null });
}

/** The floor: the same texts into one plain table and one plain keyword index, with nothing else around them. */
function measureBare(count: number): void {
  const random = seeded(1);
  const texts = Array.from({ length: count }, (_, index) => memoryText(index, random));
  const db = new Sqlite(join(folder, "bare.db"));
  db.pragma("journal_mode = wal");
  db.exec(
    "create table note (id integer primary key, text text); create virtual table words using fts5 (text, tokenize = 'porter')",
  );
  const [note, words] = [
    db.prepare("insert into note (text) values (?)"),
    db.prepare("insert into words (text) values (?)"),
  ];
  const started = performance.now();
  for (let start = 0; start < count; start += BATCH) {
    db.exec("begin");
    for (const text of texts.slice(start, start + BATCH)) {
      note.run(text);
      words.run(text);
    }
    db.exec("commit");
  }
  const perSecond = Math.round(count / ((performance.now() - started) / 1000));
  db.close();
  rows.push({ what: "a bare table and index, for comparison", measured: `${perSecond}/s`, budget: "", holds: null });
}

function add(what: string, timing: Timing, budgetMs?: number): void {
  rows.push({
    what,
    measured: `p50 ${ms(timing.p50)}, p95 ${ms(timing.p95)}`,
    budget: budgetMs === undefined ? "" : `p50 ≤ ${budgetMs} ms`,
    holds: budgetMs === undefined ? null : timing.p50 <= budgetMs,
  });
}

async function measure(stele: Stele, size: number): Promise<void> {
  const random = seeded(size);
  for (let run = 0; run < WARM_UP; run += 1) await stele.recall({ query: question(random) });
  for (const mode of ["keyword", "semantic", "hybrid"] as const) {
    const asked = Array.from({ length: QUERIES }, () => question(random));
    // The vector of a question is kept, so asking once beforehand leaves the embedding out.
    for (const query of asked) await stele.recall({ query, mode: "semantic", limit: 1 });
    add(
      `recall, ${mode}, ${size}`,
      await timed(QUERIES, (run) => stele.recall({ query: asked[run]!, mode })),
      mode === "hybrid" ? BUDGETS[size]?.hybridMs : undefined,
    );
  }
  add(
    `remember, one by one, at ${size}`,
    await timed(QUERIES, (run) => stele.remember({ content: memoryText(size * 10 + run, random) })),
    1,
  );
  await stele.backfill({});
}

function measureStart(): void {
  const stele = fileURLToPath(new URL("../bin/stele.js", import.meta.url));
  const times = processTimes({ bare: [process.execPath, "-e", "0"], help: [process.execPath, stele, "--help"] }, 25);
  const ratio = times["help"]!.p50 / times["bare"]!.p50;
  rows.push({
    what: "stele --help against bare node",
    measured: `${ratio.toFixed(2)} ×`,
    budget: "≤ 1.5 ×",
    holds: ratio <= 1.5,
  });
}

try {
  measureStart();
  measureBare(10_000);
  const options = { home: join(folder, "home"), project: folder, settings: { embedder: { provider: "hash" } } };
  let stele = await open(options);
  let filled = 0;
  for (const size of sizes) {
    await fill(stele, filled, size);
    filled = size;
    // A new process's view: statements and blocks are loaded anew, then warmed up.
    await stele.close();
    stele = await open(options);
    const cold = await timed(1, () => stele.recall({ query: "ba ce di" }));
    add(`first recall after opening, ${size}`, cold);
    await measure(stele, size);
  }
  await stele.close();
  rows.push({
    what: "memory of this process (RSS)",
    measured: `${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    budget: "",
    holds: null,
  });
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}`;
  process.stdout.write(
    values.json ? `${JSON.stringify({ machine, rows }, null, 2)}\n` : `${machine}\n\n${table(rows)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
