/**
 * The speed of the shipped code, against budgets and peers: `npm run bench -- --help`.
 *
 * Vectors come from the hashing embedder unless the model is measured: storing and scanning cost the same.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/errors.ts";
import { called, endWith } from "../command-line.ts";
import { withBudget } from "./budgets.ts";
import { endAll } from "./children.ts";
import { measureCalls, measureIdle } from "./mcp.ts";
import { measureParties, steleFolder } from "./measure-parties.ts";
import { measureHooks } from "./hooks.ts";
import { measureHttp } from "./http.ts";
import { measurePage } from "./page.ts";
import { measureModel } from "./model.ts";
import { measurePostgres } from "./postgres.ts";
import { measureBusy, measureCold, measureEmbed, measureIndex, measureLink } from "./processes.ts";
import { writeReport } from "./report.ts";
import { PARTS, type PartyName, type Result, type Row, SAVED, readResult } from "./result.ts";
import { measureStart } from "./start.ts";
import { terminalTable } from "./tables.ts";

const PEERS = ["sqlite-vec", "sqlite-vec-mapped", "orama", "minisearch"] as const satisfies PartyName[];
const PACKAGES: Record<string, PartyName> = {
  "sqlite-vec": "sqlite-vec",
  "@orama/orama": "orama",
  minisearch: "minisearch",
  "@modelcontextprotocol/server-memory": "server-memory",
};

const { values } = called({
  script: "bench",
  what: "Measures the speed of the shipped code against budgets and peers.",
  options: {
    only: { type: "string", value: "PARTS", what: `some of ${PARTS.join(",")},peers; everything when omitted` },
    sizes: { type: "string", value: "COUNTS", what: "items in the store", default: "10000,100000" },
    "fill-seconds": { type: "string", value: "SECONDS", what: "how long filling a peer may take", default: "60" },
    json: { type: "boolean", what: "prints the rows as JSON, rather than a table" },
    write: { type: "boolean", what: "saves the rows and rewrites docs/benchmarks.md" },
  },
  note: "`npm run bench:peers` installs the peers.",
});

/** "peers" adds the peers; alone it means every part that has peers. */
function chosenParts(): { parts: ReadonlySet<string>; withPeers: boolean } {
  if (values.only === undefined) return { parts: new Set(PARTS), withPeers: true };
  const named = values.only.split(",");
  const unknown = named.find((name) => name !== "peers" && !PARTS.some((part) => part === name));
  if (unknown !== undefined)
    throw invalid(`There is no part "${unknown}".`, `Known are ${PARTS.join(", ")} and peers.`);
  const parts = named.filter((name) => name !== "peers");
  return { parts: new Set(parts.length > 0 ? parts : ["insert", "recall", "mcp"]), withPeers: named.includes("peers") };
}

const invalid = (message: string, hint: string) => new Failure("invalid_input", message, hint);

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw invalid(`"${text}" is not a positive number.`, "--help lists the options.");
  return value;
}

async function measure(folder: string, say: (text: string) => void): Promise<Row[]> {
  const { parts, withPeers } = chosenParts();
  const sizes = values.sizes.split(",").map(positive);
  const fillLimitMs = positive(values["fill-seconds"]) * 1_000;
  const rows: Row[] = [];
  const place = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const part = async (name: string, work: () => Promise<Row[]>) => {
    if (!parts.has(name)) return;
    say(name);
    rows.push(...(await work()));
  };
  await part("start", async () => measureStart(place("start")));
  await part("embed", () => measureEmbed(place("embed")));
  await part("busy", () => measureBusy(place("busy")));
  await part("model", () => measureModel(place("model")));
  await part("hooks", () => measureHooks(place("hooks")));
  await part("http", () => measureHttp(place("http")));
  await part("page", () => measurePage(place("page")));
  for (const size of parts.has("link") ? sizes : []) await part("link", () => measureLink(place(`link-${size}`), size));
  await part("index", () => measureIndex(place("index")));
  await part("postgres", () => measurePostgres(place("postgres"), sizes));
  const mcp = { folder: place("mcp"), withPeer: withPeers, fillLimitMs, say };
  await part("mcp", () => measureIdle(mcp));
  if (!["insert", "recall", "mcp", "cold"].some((name) => parts.has(name))) return rows;
  for (const size of sizes) {
    const peers = withPeers && (parts.has("insert") || parts.has("recall")) ? PEERS : [];
    rows.push(...(await measureParties({ folder, size, peers, fillLimitMs, parts, say })));
    const stele = steleFolder({ folder, size });
    await part("cold", () => measureCold(folder, stele, size));
    await part("mcp", () => measureCalls({ ...mcp, stele, size }));
    // Removed early, because a million items in all copies would fill the disk.
    for (const who of ["stele", ...peers]) rmSync(join(folder, `${who}-${size}`), { recursive: true, force: true });
  }
  return rows;
}

function machine(): Result["machine"] {
  const model = (cpus()[0]?.model ?? "").trim() || "unknown processor";
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return { cores: cpus().length, model, memoryGb, system: `${type()} ${release()}`, node: process.versions.node };
}

function versions(): Result["versions"] {
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  const { version } = read("../../package.json") as { version: string };
  const { dependencies } = read("../package.json") as { dependencies: Record<string, string> };
  return {
    stele: version,
    ...Object.fromEntries(Object.entries(PACKAGES).map(([name, who]) => [who, dependencies[name]])),
  };
}

/** Four digits are more than precise enough, and keep the saved result readable. */
const rounded = (row: Row): Row => ({
  ...row,
  value: row.value && Number(row.value.toPrecision(4)),
  ...(row.p95 !== undefined && { p95: Number(row.p95.toPrecision(4)) }),
});

/** Keeps saved rows of parts and sizes this run left out, because a million items are not measured every time. */
function withOthers(rows: readonly Row[]): Row[] {
  const isMeasured = (row: Row) => rows.some(({ part, size }) => part === row.part && size === row.size);
  const others = existsSync(SAVED) ? readResult().rows.filter((row) => !isMeasured(row)) : [];
  const bySize = (left: Row, right: Row) => (left.size ?? 0) - (right.size ?? 0);
  return PARTS.flatMap((part) => [...rows, ...others].filter((row) => row.part === part).sort(bySize));
}

async function main(): Promise<void> {
  const load = loadavg()[0] ?? 0;
  const folder = mkdtempSync(join(tmpdir(), "stele-bench-"));
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void endAll().then(() => {
        clear();
        process.exit(1);
      });
    });
  }
  // Progress goes to standard error, so that standard output has only the numbers.
  const say = (text: string) => void process.stderr.write(`${text} …\n`);
  try {
    const rows = (await measure(folder, say)).map(rounded).map(withBudget);
    const result: Result = { date: new Date().toISOString(), machine: machine(), load, versions: versions(), rows };
    process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : `${terminalTable(result)}\n`);
    if (!values.write) return;
    writeFileSync(SAVED, `${JSON.stringify({ ...result, rows: withOthers(rows) }, null, 2)}\n`);
    await writeReport();
  } finally {
    clear();
  }
}

await main().catch((thrown: unknown) => {
  if (thrown instanceof Failure) endWith(thrown);
  throw thrown;
});
