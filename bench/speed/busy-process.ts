/**
 * How long an answer takes while the same process embeds in bulk, with the packaged model.
 *
 * A warm question was asked before, so its vector is cached; a new one needs the model, which
 * is busy. Both are asked alternately, during the work and after it, so that the store holds
 * the same items; an earlier round is only a warm-up.
 */
import { join } from "node:path";
import { open } from "../../src/index.ts";
import { question, seeded, sentence } from "./corpus.ts";
import { median, timeOf } from "./measure.ts";
import type { Busy } from "./processes.ts";

const STORED = 1_000;
const WAITING = 1_500;
const QUESTIONS = 40;
const BATCH = 500;
const LIMIT_MS = 60_000;

const folder = process.argv[2] ?? "";
const random = seeded(11);
const stele = await open({
  home: join(folder, "home"),
  project: folder,
  settings: { embedder: { provider: "minilm" } },
});

async function remember(from: number, count: number): Promise<void> {
  for (let start = from; start < from + count; start += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, from + count - start) }, (_, index) =>
      sentence(start + index, random),
    );
    await Promise.all(texts.map((content) => stele.remember({ content })));
  }
}

async function ask(isOver: () => boolean): Promise<Busy["idle"]> {
  const warm = "which branch is deployed before the release";
  const times = { warm: [] as number[], fresh: [] as number[] };
  const begun = performance.now();
  await stele.recall({ query: warm });
  for (let run = 0; run < QUESTIONS && !isOver() && performance.now() - begun < LIMIT_MS; run += 1) {
    times.warm.push(await timeOf(() => stele.recall({ query: warm })));
    const query = `${sentence(run, random).split(" ").slice(0, 6).join(" ")} ${question(random).split(" ")[0]}`;
    times.fresh.push(await timeOf(() => stele.recall({ query })));
  }
  return { warm: median(times.warm), fresh: median(times.fresh) };
}

await remember(0, STORED);
await stele.backfill({});
await ask(() => false);
await remember(STORED, WAITING);
let isDone = false;
const embedding = stele.backfill({}).finally(() => {
  isDone = true;
});
const busy = await ask(() => isDone);
await embedding;
const idle = await ask(() => false);
await stele.close();
process.stdout.write(JSON.stringify({ idle, busy } satisfies Busy));
