/** The nearest memories to some questions, in a process that holds so many vectors of a shelf on Postgres. */
import { createHashEmbedder } from "../../src/embed/embedders.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { timeOf } from "./measure.ts";
import type { NearTimes } from "./near.ts";
import { LIMIT, questionTexts, withVectors } from "./party.ts";

const QUESTIONS = 40;
const ROUNDS = 2;

const [url = "", schema = "", held = "", size = ""] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const store = await openPostgresStore({
  url,
  schema,
  clock,
  kind: "project",
  listens: true,
  vectorsInMemory: Number(held),
});
const { identity: embedder } = createHashEmbedder();
const questions = await withVectors(questionTexts(Number(size), QUESTIONS));
const filter = { statuses: ["active" as const], now: clock.now() };
const timesMs: number[] = [];
const found: string[][] = [];
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [number, { vector }] of questions.entries()) {
    const ms = await timeOf(async () => {
      found[number] = (await store.nearest("memory", { embedder, vector }, filter, LIMIT)).map(({ itemId }) => itemId);
    });
    // The first round loads what is held.
    if (round > 0) timesMs.push(ms);
  }
const memoryMb = process.memoryUsage().rss / 1e6;
await store.close();
process.stdout.write(JSON.stringify({ timesMs, memoryMb, found } satisfies NearTimes));
