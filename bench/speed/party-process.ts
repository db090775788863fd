/** One party in its own process: handles the parent's requests one at a time and measures them. */
import { timeOf, timesOf } from "./measure.ts";
import { type Asked, type OpenParty, type Party, type Way, entries, questionTexts, withVectors } from "./party.ts";
import type { PartyName } from "./result.ts";

const BATCH = 500;
const CHUNK = 2_500;
/** Entries added one by one are numbered from here, beyond those of any size. */
const FIRST_EXTRA = 100_000_000;

export type Request =
  | { do: "open"; who: PartyName; folder: string }
  | { do: "fill"; size: number; limitMs: number | null }
  | { do: "prepare"; size: number; count: number }
  | { do: "ask"; way: Way; from: number; count: number; limitMs: number }
  | { do: "add"; from: number; count: number; limitMs: number }
  | { do: "memory" }
  | { do: "close" };

export interface Filled {
  reached: number;
  /** Null when the party has no such step. */
  textsMs: number | null;
  vectorsMs: number | null;
}

export interface Replies {
  open: readonly Way[] | null;
  fill: Filled;
  prepare: null;
  ask: { times: number[]; found: number };
  add: number[];
  memory: number;
  close: null;
}

const OPENERS: Partial<Record<PartyName, () => Promise<OpenParty>>> = {
  stele: async () => (await import("./parties/stele.ts")).openStele,
  "sqlite-vec": async () => (await import("./parties/sqlite-vec.ts")).sqliteVecParty({ mapped: false }),
  "sqlite-vec-mapped": async () => (await import("./parties/sqlite-vec.ts")).sqliteVecParty({ mapped: true }),
  orama: async () => (await import("./parties/orama.ts")).openOrama,
  minisearch: async () => (await import("./parties/minisearch.ts")).openMiniSearch,
};

let party: Party | null = null;
let questions: Asked[] = [];

function opened(): Party {
  if (!party) throw new Error("No party is open.");
  return party;
}

/** Fills chunk by chunk until the size or the limit is reached. Generating texts and vectors is not counted. */
async function fill(size: number, limitMs: number | null): Promise<Filled> {
  const { addTexts, addVectors } = opened();
  const spent = { texts: 0, vectors: 0 };
  let reached = 0;
  while (reached < size && spent.texts + spent.vectors < (limitMs ?? Infinity)) {
    const chunk = await entries(reached, Math.min(size, reached + CHUNK));
    for (let start = 0; addTexts && start < chunk.length; start += BATCH) {
      spent.texts += await timeOf(() => addTexts(chunk.slice(start, start + BATCH)));
    }
    if (addVectors) spent.vectors += await timeOf(() => addVectors(chunk));
    reached += chunk.length;
  }
  return { reached, textsMs: addTexts ? spent.texts : null, vectorsMs: addVectors ? spent.vectors : null };
}

async function ask({ way, from, count, limitMs }: Extract<Request, { do: "ask" }>): Promise<Replies["ask"]> {
  let found = 0;
  const asked = questions.slice(from, from + count);
  const times = await timesOf(
    asked.length,
    async (run) => {
      const one = asked[run];
      if (one) found += await opened().ask(way, one);
    },
    limitMs,
  );
  return { times, found: found / times.length };
}

async function add({ from, count, limitMs }: Extract<Request, { do: "add" }>): Promise<number[]> {
  const extra = await entries(FIRST_EXTRA + from, FIRST_EXTRA + from + count);
  return timesOf(
    extra.length,
    async (run) => {
      const one = extra[run];
      if (one) await opened().addOne(one);
    },
    limitMs,
  );
}

async function handle(request: Request): Promise<Replies[Request["do"]]> {
  switch (request.do) {
    case "open":
      party = (await (await OPENERS[request.who]?.())?.(request.folder)) ?? null;
      return party?.ways ?? null;
    case "fill":
      return fill(request.size, request.limitMs);
    case "prepare":
      questions = await withVectors(questionTexts(request.size, request.count));
      await opened().prepare?.(questions);
      return null;
    case "ask":
      return ask(request);
    case "add":
      return add(request);
    case "memory":
      return process.memoryUsage().rss / 1e6;
    case "close":
      // Entries added one by one may have no vectors yet; the next process must find them embedded.
      await party?.settle?.();
      await party?.close();
      return null;
  }
}

function answer(message: object, isLast: boolean): void {
  process.send?.(message, undefined, undefined, () => {
    if (isLast) process.disconnect();
  });
}

// The parent has ended, so nobody needs the rest.
process.once("disconnect", () => process.exit());

process.on("message", (request: Request) => {
  void handle(request).then(
    (reply) => answer({ reply }, request.do === "close"),
    (thrown: unknown) => answer({ error: String(thrown instanceof Error ? thrown.stack : thrown) }, false),
  );
});
