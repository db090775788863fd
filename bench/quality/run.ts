/**
 * The quality of recall on public question sets: `npm run bench:quality -- --help`.
 *
 * Every set is written and asked with the shipped code. The floor, plain FTS5, is computed in
 * the same run. `--save` keeps the result as the baseline for later runs.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Failure } from "../../src/errors.ts";
import { endWith, helpOf } from "../command-line.ts";
import { type BenchServer, benchServer } from "../postgres-server.ts";
import { checkSets, readSet } from "./data.ts";
import { measureSet } from "./measure-set.ts";
import { COMMAND, readOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { type Reliability, reliabilityText } from "./reliability.ts";
import { type Table, tableText } from "./table.ts";

const BASELINE = new URL("baseline.json", import.meta.url);
const RELIABILITY = new URL("reliability.json", import.meta.url);
const progress = createProgress(process.stderr);

async function main(): Promise<void> {
  const { sets, home, json, save, isOnPostgres, isHelp } = readOptions(process.argv.slice(2));
  if (isHelp) return void process.stdout.write(helpOf(COMMAND));
  checkSets(sets.map(([name]) => name));
  const server = isOnPostgres ? await neededServer() : null;
  const options = { home, progress, ...(server && { openProject: server.open }) };
  const baseline = read<Table>(BASELINE);
  const report: Record<string, Table> = {};
  const relevance: Record<string, Reliability> = {};
  try {
    for (const [name, material] of sets) {
      const { table, reliability } = await measureSet(readSet(name), material, options);
      report[name] = table;
      relevance[name] = reliability;
      progress.clear();
      if (!json) process.stdout.write(`\n${tableText(name, table, baseline[name])}${reliabilityText(reliability)}`);
    }
  } finally {
    await server?.end();
  }
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  if (!save) return;
  writeFileSync(BASELINE, `${JSON.stringify({ ...baseline, ...report }, null, 2)}\n`);
  writeFileSync(RELIABILITY, `${JSON.stringify({ ...read<Reliability>(RELIABILITY), ...relevance }, null, 2)}\n`);
}

async function neededServer(): Promise<BenchServer> {
  const server = await benchServer();
  if (server) return server;
  throw new Failure("unavailable", "There is no Postgres server.", "Name one in STELE_TEST_POSTGRES.");
}

const read = <Kept>(path: URL): Record<string, Kept> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Kept>) : {};

await main().catch((thrown: unknown) => {
  progress.clear();
  if (thrown instanceof Failure) endWith(thrown);
  throw thrown;
});
