/**
 * How well `remember` recognises what a new memory repeats, updates or contradicts: `npm run bench:similar -- --help`.
 *
 * Everything goes through the shipped write path, with the model and without.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createMinilm } from "../../src/providers/embed/minilm/embedder.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import { called } from "../command-line.ts";
import { runBeam } from "./beam.ts";
import { runLatency } from "./latency.ts";
import { pairTable, readPairs, runPairs } from "./pairs.ts";
import { runStream, unrelatedTexts } from "./stream.ts";

const data = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");
const PARTS = ["pairs", "stream", "beam", "latency"];
const { values } = called({
  script: "bench:similar",
  what: "Measures what `remember` announces about older memories.",
  options: {
    only: { type: "string", value: "PARTS", what: `some of ${PARTS.join(", ")}`, default: PARTS.join(",") },
    sets: { type: "string", value: "SETS", what: "sets of pairs", default: "dev,dev-2,dev-3,fresh,test,test-2" },
    count: { type: "string", value: "N", what: "unrelated texts in the stream", default: "1000" },
    sizes: { type: "string", value: "SIZES", what: "memories in the store for latency", default: "10000,100000" },
    verbose: { type: "boolean", what: "lists the pairs of development sets that were announced wrongly or missed" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});
const wanted = new Set((values.only ?? PARTS.join(",")).split(","));

const folder = mkdtempSync(join(tmpdir(), "stele-bench-model-"));
const model = createMinilm({ cacheFolder: folder });
const print = (text: string) => void process.stdout.write(`${text}\n`);

try {
  if (wanted.size > 1 || !wanted.has("latency")) await model.load();
  for (const embedder of [model, null]) await measure(embedder, embedder ? "with the model" : "without a model");
  if (wanted.has("latency")) await measureLatency();
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(embedder: Embedder | null, how: string): Promise<void> {
  if (wanted.has("pairs"))
    for (const set of (values.sets ?? "dev,dev-2,dev-3,fresh,test,test-2").split(","))
      await measurePairs(set, embedder, how);
  if (wanted.has("beam")) print(`\nconversations, ${how}: ${JSON.stringify(await runBeam(data, embedder))}`);
  if (wanted.has("stream")) await measureStream(embedder, how);
}

async function measurePairs(set: string, embedder: Embedder | null, how: string): Promise<void> {
  const outcomes = await runPairs(readPairs(set), embedder);
  print(`\n${set}, ${outcomes.length} pairs, ${how}\n${pairTable(outcomes)}`);
  // Held-out sets are measured, never read.
  if (!values.verbose || set.startsWith("test")) return;
  for (const { pair, expected, announced } of outcomes) {
    const isSilent = announced === "nothing" && (expected === "unrelated" || expected === "related");
    if (announced !== expected && !isSilent)
      print(`  ${expected} → ${announced}  ${pair.id}: ${pair.older} | ${pair.newer}`);
  }
}

async function measureStream(embedder: Embedder | null, how: string): Promise<void> {
  const texts = unrelatedTexts(data, Number(values.count ?? 1_000));
  const alarms = await runStream(texts, embedder);
  const memories = new Set(alarms.map(({ text }) => text)).size;
  print(`\n${texts.length} unrelated texts, ${how}: ${memories} announced something`);
  for (const { kind, relevance, text, of } of alarms) print(`  ${kind} ${relevance}: ${text}\n    of: ${of}`);
}

async function measureLatency(): Promise<void> {
  print("\nmemories  way                        p50 ms   p95 ms  times as long");
  for (const size of (values.sizes ?? "10000,100000").split(",").map(Number)) {
    const rows = await runLatency(size);
    for (const { way, p50, p95 } of rows) {
      const figures = [p50.toFixed(2).padStart(8), p95.toFixed(2).padStart(8), (p50 / rows[0]!.p50).toFixed(1)];
      print(`${String(size).padStart(8)}  ${way.padEnd(24)} ${figures.join(" ")}`);
    }
  }
}
