/**
 * How many memories are linked per second, how many edges each has then, and how long an answer takes meanwhile.
 *
 * Linking runs without the pauses of an idle server, so this is its worst case. Questions are asked during it and
 * afterwards, so that the store holds the same memories.
 */
import { join } from "node:path";
import { openWorld } from "../../src/app/compose.ts";
import { linkMemories } from "../../src/graph/link-memories.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { remember } from "../../src/memory/remember.ts";
import { recall } from "../../src/recall/recall.ts";
import { memoryText, question, seeded } from "./corpus.ts";
import { median, timeOf } from "./measure.ts";
import type { LinkTimes } from "./processes.ts";

const BATCH = 500;
const QUESTIONS = 200;
const COUNTED_MEMORIES = 2_000;
/** A part of a large store is enough: the rate depends on its size, not on how much is linked already. */
const LIMIT_MS = 30_000;

const [folder = "", size = "10000"] = process.argv.slice(2);
const random = seeded(13);
const settings = { embedder: { provider: "hash" as const } };
const { world, close } = await openWorld({ host: "bench", home: join(folder, "home"), project: folder, settings });

for (let start = 0; start < Number(size); start += BATCH) {
  const texts = Array.from({ length: Math.min(BATCH, Number(size) - start) }, (_, index) =>
    memoryText(start + index, random),
  );
  const plain = { type: "fact" as const, tags: [], priority: 5, pinned: false, context: {} };
  await Promise.all(texts.map((content) => remember({ ...plain, content, scope: "project" }, world)));
}
await drain(world.project, world, { patient: true });

const ask = () => recall({ query: question(random), mode: "hybrid", limit: 10, threshold: 0, quiet: true }, world);
const timesOf = async (isOver: (run: number) => boolean) => {
  const times: number[] = [];
  for (let run = 0; !isOver(run); run += 1) times.push(await timeOf(ask));
  return times;
};

await timesOf((run) => run >= QUESTIONS);
const stopAfter = (ms: number) => {
  const begun = performance.now();
  return () => performance.now() - begun > ms;
};
let linked = 0;
const linkingMs = await timeOf(async () => {
  linked = await linkMemories(world.project, world, { isStopped: stopAfter(LIMIT_MS), limit: Number(size) / 2 });
});
let isDone = false;
const linking = linkMemories(world.project, world, { isStopped: stopAfter(LIMIT_MS) }).finally(() => {
  isDone = true;
});
const busy = await timesOf((run) => isDone || run >= QUESTIONS * 5);
await linking;
const idle = await timesOf((run) => run >= QUESTIONS);

/** How many edges each of the first memories leads to others; the first are linked first. */
const first = (await world.project.walk("memory", { after: null, limit: COUNTED_MEMORIES })).map(({ item }) => item.id);
const edges = await world.project.edgesOf("memory", first, { made: true, limit: 1_000 });
const own = Map.groupBy(edges, ({ source }) => source);
const counts = first.map((id) => own.get(id)?.length ?? 0);
await close();

const answer: LinkTimes = {
  perSecond: linked / (linkingMs / 1_000),
  busy: median(busy),
  idle: median(idle),
  edges: { mean: counts.reduce((sum, count) => sum + count, 0) / counts.length, most: Math.max(...counts) },
};
process.stdout.write(JSON.stringify(answer));
