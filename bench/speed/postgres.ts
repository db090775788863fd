/**
 * The store on Postgres beside the one on SQLite: the same memories, the same calls, in alternating rounds.
 *
 * Both commit without waiting for the disk, so what differs is the store. The server is the one that STELE_TEST_POSTGRES
 * names, or one from the packaged binaries.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { openWorld } from "../../src/app/compose.ts";
import type { Change } from "../../src/journal/change.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { remember } from "../../src/memory/remember.ts";
import { recall } from "../../src/recall/recall.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../../src/world.ts";
import { type TripCounter, tripCounter } from "../../test/store/postgres/trip-counter.ts";
import { type BenchServer, benchServer } from "../postgres-server.ts";
import { median, timeOf } from "./measure.ts";
import { measureNear } from "./near.ts";
import { entries, LIMIT, questionTexts } from "./party.ts";
import { type Row, spread } from "./result.ts";

const BATCH = 500;
const DRAINED_AT_ONCE = 256;
const ROUNDS = 5;
const PER_ROUND = 20;
const COUNTED = 10;
const SEEN_ROUNDS = 50;
/** Ids beyond those of the store. */
const FIRST_EXTRA = 400_000_000;

const ROW = { part: "postgres", who: "stele" } as const;
const NAMES = { sqlite: "SQLite", postgres: "Postgres" } as const;
type Engine = keyof typeof NAMES;
const ENGINES = ["sqlite", "postgres"] as const;

/** Runs a verb once, with a text or a question of its own. */
type Verb = (world: World, number: number) => Promise<unknown>;

export async function measurePostgres(folder: string, sizes: readonly number[]): Promise<Row[]> {
  const server = await benchServer();
  if (!server) return [{ ...ROW, what: "Postgres", size: null, value: null, unit: "ms", note: "no server here" }];
  try {
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await measureSize(join(folder, String(size)), server, size)));
    return rows;
  } finally {
    await server.end();
  }
}

async function measureSize(folder: string, server: BenchServer, size: number): Promise<Row[]> {
  const [home, name] = [join(folder, "home"), String(size)];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const settings = { embedder: { provider: "hash" } } as const;
  const opened = await openWorld({ host: "bench", home, project: folder, settings });
  const { clock, origin } = opened.world;
  const counter = await tripCounter(server.url);
  const one = await server.open(name, clock);
  const [other, counted] = [await server.open(name, clock), await server.open(name, clock, counter.url)];
  const on = (project: Store): World => ({ ...opened.world, project });
  try {
    await fill(opened.world, one, size);
    await server.tidy(name);
    const verbs = await verbsFor(size);
    return [
      ...(await alternately({ sqlite: opened.world, postgres: on(one) }, verbs, size)),
      ...(await countedTrips(on(counted), counter, verbs, size)),
      await seenAfter(one, other, origin, size),
      ...(await measureNear(server, name, size)),
    ];
  } finally {
    for (const store of [one, other, counted]) await store.close();
    await counter.close();
    await opened.close();
  }
}

/** Remembers in SQLite, and copies to Postgres with everything that belongs to an item. */
async function fill(world: World, postgres: Store, size: number): Promise<void> {
  for (let from = 0; from < size; from += BATCH) {
    const texts = await entries(from, Math.min(size, from + BATCH));
    await Promise.all(texts.map(({ text }) => remembering(world, text, false)));
  }
  for (let after: string | null = null; ; ) {
    const page = await world.project.walk("memory", { after, limit: BATCH });
    if (page.length === 0) break;
    const changes = page.map((one): Change => ({ kind: "insert_item", shelf: "memory", ...one }));
    await postgres.apply(changes, world.origin);
    after = page.at(-1)!.item.id;
  }
  for (const store of [world.project, postgres]) await drain(store, world, { batch: DRAINED_AT_ONCE, patient: true });
}

const remembering = (world: World, content: string, compare: boolean) =>
  remember({ content, type: "fact", scope: "project", compare, context: {} }, world);

async function verbsFor(size: number): Promise<Record<string, Verb>> {
  const questions = questionTexts(size, PER_ROUND);
  const extra = await entries(FIRST_EXTRA, FIRST_EXTRA + 4 * ((ROUNDS + 1) * PER_ROUND + COUNTED + 1));
  let used = 0;
  const next = () => extra[used++]!.text;
  return {
    "a write": (world) => remembering(world, next(), false),
    remember: (world) => remembering(world, next(), true),
    "hybrid recall": (world, number) =>
      recall({ query: questions[number % PER_ROUND]!, mode: "hybrid", limit: LIMIT, threshold: 0 }, world),
  };
}

async function alternately(worlds: Record<Engine, World>, verbs: Record<string, Verb>, size: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [verb, run] of Object.entries(verbs)) {
    const times: Record<Engine, number[]> = { sqlite: [], postgres: [] };
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const engine of ENGINES) {
        const world = worlds[engine];
        for (let number = 0; number < PER_ROUND; number += 1) {
          const ms = await timeOf(() => run(world, number));
          // What is noted after an answer is awaited, so that it does not delay the next one. The first round warms up.
          await world.afterwards.settle();
          await drain(world.project, world);
          if (round > 0) times[engine].push(ms);
        }
      }
    for (const engine of ENGINES)
      rows.push({ ...ROW, what: `${verb}, ${NAMES[engine]}`, size, ...spread(times[engine]) });
    const ratio = median(times.postgres) / median(times.sqlite);
    rows.push({ ...ROW, what: `${verb}, Postgres against SQLite`, size, value: ratio, unit: "×" });
  }
  return rows;
}

async function countedTrips(
  world: World,
  counter: TripCounter,
  verbs: Record<string, Verb>,
  size: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [verb, run] of Object.entries(verbs)) {
    const trips: number[] = [];
    for (let number = 0; number <= COUNTED; number += 1) {
      const before = counter.count();
      await run(world, number);
      trips.push(counter.count() - before);
      await world.afterwards.settle();
      await drain(world.project, world);
    }
    // The first one prepares its statements and loads vectors.
    rows.push({ ...ROW, what: `${verb}, round trips`, size, value: median(trips.slice(1)), unit: "trips" });
  }
  return rows;
}

/** From the commit in one store until another one, which had looked for it in vain, finds it. */
async function seenAfter(one: Store, other: Store, origin: World["origin"], size: number): Promise<Row> {
  const times: number[] = [];
  const [pattern] = await one.walk("memory", { after: null, limit: 1 });
  for (let round = 0; round < SEEN_ROUNDS; round += 1) {
    const word = `seen${size}x${round}`;
    const find = () => other.keyword("memory", { terms: [word] }, { statuses: ["active"], now: 0 }, 1);
    await find();
    const item = { ...pattern!.item, id: `${pattern!.item.id}-${word}`, hash: word, content: word };
    const passages = [{ ...pattern!.passages[0]!, text: word }];
    await one.apply([{ kind: "insert_item", shelf: "memory", item, passages, embed: false }], origin);
    times.push(
      await timeOf(async () => {
        while ((await find()).length === 0) await immediate();
      }),
    );
  }
  return { ...ROW, what: "a write seen by another server", size, ...spread(times) };
}
