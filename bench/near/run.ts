/**
 * How well a new item is told what it is near: `npm run bench:near -- --help`.
 *
 * Everything goes through the shipped path, with the model and without. The line was fitted on the known half; the other
 * half was only measured.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createMinilm } from "../../src/embed/minilm/embedder.ts";
import type { Embedder } from "../../src/ports.ts";
import { called } from "../command-line.ts";
import { runLatency } from "./latency.ts";
import {
  beamPairs,
  foreignTexts,
  type Found,
  type Pair,
  projectTexts,
  readPairs,
  runPairs,
  runStream,
} from "./pairs.ts";

const data = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");
const PARTS = ["pairs", "languages", "stream", "latency"];
const { values } = called({
  script: "bench:near",
  what: "Measures what a new item is told to be near.",
  options: {
    only: { type: "string", value: "PARTS", what: `some of ${PARTS.join(", ")}`, default: PARTS.join(",") },
    count: { type: "string", value: "N", what: "other texts in a store", default: "1000" },
    sizes: { type: "string", value: "SIZES", what: "memories in the store for latency", default: "10000,100000" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});
const wanted = new Set((values.only ?? PARTS.join(",")).split(","));
const count = Number(values.count ?? 1_000);

const folder = mkdtempSync(join(tmpdir(), "stele-bench-model-"));
const model = createMinilm({ cacheFolder: folder });
const print = (text: string) => void process.stdout.write(`${text}\n`);

const HALVES: Record<string, Pair[]> = {
  known: ["dev", "dev-2", "dev-3"].flatMap(readPairs),
  unseen: ["fresh", "test", "test-2"].flatMap(readPairs),
  "beam, unseen": beamPairs(data),
};

try {
  if (wanted.size > 1 || !wanted.has("latency")) await model.load();
  for (const embedder of [model, null]) await measure(embedder, embedder ? "with the model" : "without a model");
  if (wanted.has("latency")) await measureLatency();
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(embedder: Embedder | null, how: string): Promise<void> {
  if (!["pairs", "languages", "stream"].some((part) => wanted.has(part))) return;
  const foreign = foreignTexts(data, count);
  const project = projectTexts(data, count);
  print(`\n${how}`.padEnd(50) + "pairs  partner    first  others a call");
  if (wanted.has("pairs"))
    for (const [name, pairs] of Object.entries(HALVES)) {
      tell(`${name}, among ${foreign.length} foreign sentences`, await runPairs(pairs, foreign, embedder));
      tell(`${name}, among ${project.length} of one project`, await runPairs(pairs, project, embedder));
      tell(`${name}, among each other`, await runPairs(pairs, [], embedder, true));
    }
  if (wanted.has("languages"))
    for (const name of ["german", "french", "chinese"])
      tell(`${name}, among ${foreign.length} foreign sentences`, await runPairs(readPairs(name), foreign, embedder));
  if (wanted.has("stream"))
    for (const [name, texts] of Object.entries({ foreign, "one project": project }))
      print(`${`${name}: each among all others`.padEnd(67)}${(await runStream(texts, embedder)).toFixed(3)}`);
}

function tell(what: string, { pairs, partner, first, others }: Found): void {
  const figures = [partner, first, others].map((value) => value.toFixed(3).padStart(9));
  print(`${what.padEnd(47)} ${String(pairs).padStart(6)}${figures.join("")}`);
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
