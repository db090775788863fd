/**
 * Over HTTP: the same calls to the same store through the library, MCP over standard input, and REST, in turn.
 *
 * Then 10,000 calls to one server: what it holds in the second half must be what it held in the first.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open, type Stele } from "../../src/index.ts";
import { watched } from "./children.ts";
import { residentMb, timesOf } from "./measure.ts";
import { startServer, steleServer } from "./mcp.ts";
import { entries, questionTexts } from "./party.ts";
import { type Row, spread } from "./result.ts";

const STELE = fileURLToPath(new URL("../../bin/stele.js", import.meta.url));
const MEMORIES = 5_000;
const BATCH = 500;
const ROUNDS = 10;
const PER_ROUND = 20;
const CALLS = 10_000;
const LOOK_EVERY = 250;
/** Ids beyond those of the store, different for each way. */
const FIRST_EXTRA = 300_000_000;

interface Way {
  recall(query: string): Promise<unknown>;
  remember(content: string): Promise<unknown>;
}

const ROW = { part: "http", who: "stele", size: MEMORIES } as const;

export async function measureHttp(folder: string): Promise<Row[]> {
  const settings = { embedder: { provider: "hash" } } as const;
  const [home, project] = [join(folder, "home"), folder];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const library = await open({ home, project, settings });
  for (let from = 0; from < MEMORIES; from += BATCH) {
    const texts = await entries(from, from + BATCH);
    await Promise.all(texts.map(({ text }) => library.remember({ content: text, compare: false })));
  }
  await library.backfill({});
  const server = await startServer(steleServer(folder));
  const served = await serve(home, project);
  try {
    const ways: Record<string, Way> = {
      "through the library": wayOf(library),
      "over MCP, standard input": {
        recall: (query) => server.call("recall", { query }),
        remember: (content) => server.call("remember", { content }),
      },
      "over REST": wayOf(served.stele),
    };
    return [...(await alternately(ways)), ...(await manyCalls(served))];
  } finally {
    await Promise.all([server.close(), served.close(), library.close()]);
  }
}

const wayOf = (stele: Stele): Way => ({
  recall: (query) => stele.recall({ query }),
  remember: (content) => stele.remember({ content }),
});

interface Served {
  stele: Stele;
  memoryMb(): number;
  close(): Promise<void>;
}

async function serve(home: string, project: string): Promise<Served> {
  const env = { ...process.env, STELE_HOME: home, STELE_EMBEDDER: "hash" };
  const options = { stdio: ["ignore", "pipe", "inherit"] as ["ignore", "pipe", "inherit"], env };
  const child = watched(spawn(process.execPath, [STELE, "serve", "--port", "0"], options));
  await once(child.stdout!, "data");
  const { url } = JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { url: string };
  const token = readFileSync(join(home, "run", "http-token"), "utf8").trim();
  return {
    stele: await open({ url, token, project }),
    memoryMb: () => residentMb(child.pid!) ?? NaN,
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function alternately(ways: Record<string, Way>): Promise<Row[]> {
  const questions = questionTexts(MEMORIES, PER_ROUND);
  const extra = await entries(FIRST_EXTRA, FIRST_EXTRA + Object.keys(ways).length * (ROUNDS * PER_ROUND + 1));
  let used = 0;
  const calls: Record<string, (way: Way, run: number) => Promise<unknown>> = {
    recall: (way, run) => way.recall(questions[run] ?? ""),
    remember: (way) => way.remember(extra[used++]?.text ?? ""),
  };
  const rows: Row[] = [];
  for (const [verb, call] of Object.entries(calls)) {
    const times = new Map<string, number[]>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        const spent = await timesOf(round === 0 ? 1 : PER_ROUND, (run) => call(way, run));
        // The first round opens the stores.
        if (round > 0) times.set(name, [...(times.get(name) ?? []), ...spent]);
      }
    }
    for (const [name, list] of times) rows.push({ ...ROW, what: `${verb} ${name}`, ...spread(list) });
  }
  return rows;
}

/** Nine questions for each new memory, as agents ask. */
async function manyCalls({ stele, memoryMb }: Served): Promise<Row[]> {
  const questions = questionTexts(MEMORIES, CALLS);
  const held: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    if (call % 10 === 0) await stele.remember({ content: `Call ${call} noted that ${questions[call]}` });
    else await stele.recall({ query: questions[call] ?? "" });
    if (call % LOOK_EVERY === LOOK_EVERY - 1) held.push(memoryMb());
  }
  const half = held.length / 2;
  const row = { ...ROW, unit: "MB" } as const;
  return [
    { ...row, what: "most memory of the server, first 5,000 calls", value: Math.max(...held.slice(0, half)) },
    { ...row, what: "most memory of the server, next 5,000 calls", value: Math.max(...held.slice(half)) },
  ];
}
