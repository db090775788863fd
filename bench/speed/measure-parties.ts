/** Inserting and recalling: Stele and its peers side by side, in alternating rounds. */
import { join } from "node:path";
import { type Worker, startWorker } from "./parties.ts";
import { WAYS } from "./party.ts";
import { type PartyName, type Row, spread } from "./result.ts";

const ROUNDS = 5;
const PER_ROUND = 20;
const WARM_UP = 10;
/** Limits the rounds of slow peers. */
const ROUND_LIMIT_MS = 2_000;

export interface PartyOptions {
  folder: string;
  size: number;
  peers: readonly PartyName[];
  /** How long filling a peer may take; after that it is measured with what it has. */
  fillLimitMs: number;
  parts: ReadonlySet<string>;
  say(text: string): void;
}

/** Our own store stays in the folder, because later parts serve it. */
export const steleFolder = ({ folder, size }: Pick<PartyOptions, "folder" | "size">) => join(folder, `stele-${size}`);

export async function measureParties(options: PartyOptions): Promise<Row[]> {
  const { folder, size, peers, fillLimitMs, parts, say } = options;
  const rows: Row[] = [];
  const absent: Row[] = [];
  const workers: Worker[] = [];
  for (const who of ["stele", ...peers] as const) {
    say(`filling ${who} with ${size}`);
    try {
      const place = who === "stele" ? steleFolder(options) : join(folder, `${who}-${size}`);
      const limitMs = who === "stele" ? null : fillLimitMs;
      const worker = await startWorker(who, { folder: place, size, limitMs });
      if (worker) workers.push(worker);
      else absent.push(missing(who, size, "not installed"));
    } catch (thrown) {
      if (who === "stele") throw thrown;
      absent.push(missing(who, size, firstLine(thrown)));
    }
  }
  try {
    if (parts.has("recall")) rows.push(...(await measureRecall(workers, size, say)));
    if (parts.has("insert")) rows.push(...bulkRows(workers, size), ...(await measureOneByOne(workers, size, say)));
  } finally {
    for (const worker of workers) await worker.end().catch((thrown: unknown) => say(firstLine(thrown)));
  }
  return [...rows, ...absent];
}

const firstLine = (thrown: unknown) => String(thrown).split("\n")[0] ?? "";

function missing(who: PartyName, size: number, note: string): Row {
  const what = who === "minisearch" ? "keyword recall" : "hybrid recall";
  return { part: "recall", what, size, who, value: null, unit: "ms", note };
}

const reach = ({ filled }: Worker, size: number) => (filled.reached < size ? { reached: filled.reached } : {});

function bulkRows(workers: readonly Worker[], size: number): Row[] {
  return workers.flatMap((worker): Row[] => {
    const { who, filled } = worker;
    const { textsMs, vectorsMs, reached } = filled;
    const row = { part: "insert", size, who, unit: "/s", ...reach(worker, size) } as const;
    const perSecond = (ms: number) => Math.round(reached / (ms / 1_000));
    const words = textsMs === null ? [] : [{ ...row, what: "insert in bulk, words", value: perSecond(textsMs) }];
    if (vectorsMs === null) return words;
    return [
      ...words,
      { ...row, what: "insert in bulk, words and vectors", value: perSecond((textsMs ?? 0) + vectorsMs) },
    ];
  });
}

async function measureRecall(workers: readonly Worker[], size: number, say: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const worker of workers) await worker.ask({ do: "prepare", size, count: ROUNDS * PER_ROUND });
  for (const way of WAYS) {
    say(`${way} recall at ${size}`);
    const able = workers.filter(({ ways }) => ways.includes(way));
    const times = new Map<Worker, number[]>(able.map((worker) => [worker, []]));
    const failures = new Map<Worker, string>();
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const worker of able) {
        const isWarmUp = round < 0;
        const wanted = { from: isWarmUp ? 0 : round * PER_ROUND, count: isWarmUp ? WARM_UP : PER_ROUND };
        try {
          const answer = await worker.ask({ do: "ask", way, ...wanted, limitMs: ROUND_LIMIT_MS });
          if (!isWarmUp) times.get(worker)?.push(...answer.times);
        } catch (thrown) {
          failures.set(worker, firstLine(thrown));
        }
      }
    }
    for (const worker of able) {
      const row = { part: "recall", what: `${way} recall`, size, who: worker.who, ...reach(worker, size) } as const;
      const note = failures.get(worker);
      rows.push(
        note === undefined ? { ...row, ...spread(times.get(worker) ?? []) } : { ...row, value: null, unit: "ms", note },
      );
    }
  }
  for (const worker of workers) {
    const row = { part: "recall", what: "memory of the process", size, who: worker.who, unit: "MB" } as const;
    rows.push({ ...row, value: await worker.ask({ do: "memory" }), ...reach(worker, size) });
  }
  return [...rows, ...againstPlainBuild(rows)];
}

/** How many times as long the plain build takes, as a row with its own budget. */
function againstPlainBuild(rows: readonly Row[]): Row[] {
  const hybrid = (name: PartyName) => rows.find(({ who, what }) => who === name && what === "hybrid recall");
  const [ours, theirs] = [hybrid("stele"), hybrid("sqlite-vec")];
  if (!ours?.value || !theirs?.value || theirs.reached !== undefined) return [];
  const what = "hybrid recall, the sqlite-vec build against Stele";
  return [{ part: "recall", what, size: ours.size, who: "stele", value: theirs.value / ours.value, unit: "×" }];
}

async function measureOneByOne(workers: readonly Worker[], size: number, say: (text: string) => void): Promise<Row[]> {
  say(`inserting one by one at ${size}`);
  const times = new Map<Worker, number[]>(workers.map((worker) => [worker, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const worker of workers) {
      const wanted = { from: round * PER_ROUND, count: PER_ROUND, limitMs: ROUND_LIMIT_MS };
      times.get(worker)?.push(...(await worker.ask({ do: "add", ...wanted })));
    }
  }
  return workers.map((worker) => ({
    part: "insert",
    what: "insert one by one",
    size,
    who: worker.who,
    ...spread(times.get(worker) ?? []),
    ...reach(worker, size),
  }));
}
