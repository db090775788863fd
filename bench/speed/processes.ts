/** Measures whole processes: embedding, loading vectors, answering while embedding or linking, indexing. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { watched } from "./children.ts";
import { median } from "./measure.ts";
import type { Row } from "./result.ts";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const COLD_ROUNDS = 7;

/** Texts per second of the packaged model, and its loading time. */
export async function measureEmbed(folder: string): Promise<Row[]> {
  const { loadMs, perSecond } = await child<{ loadMs: number; perSecond: number }>("embed-process.ts", [folder]);
  const row = { part: "embed", size: null, who: "stele" } as const;
  return [
    { ...row, what: "MiniLM, first text of a new process", value: loadMs, unit: "ms" },
    { ...row, what: "MiniLM, texts embedded and stored", value: Math.round(perSecond), unit: "/s" },
  ];
}

/** The first semantic question of a new process, minus the same in an empty store. */
export async function measureCold(folder: string, stele: string, size: number): Promise<Row[]> {
  const empty = join(folder, "empty");
  mkdirSync(empty, { recursive: true });
  const times: Record<"empty" | "full", number[]> = { empty: [], full: [] };
  for (let round = -1; round < COLD_ROUNDS; round += 1) {
    for (const [name, place] of [["empty", empty] as const, ["full", stele] as const]) {
      const { ms } = await child<{ ms: number }>("cold-process.ts", [place]);
      if (round >= 0) times[name].push(ms);
    }
  }
  const row = { part: "cold", size, who: "stele", unit: "ms" } as const;
  const [full, nothing] = [median(times.full), median(times.empty)];
  return [
    { ...row, what: "open and first semantic recall in a new process", value: full },
    {
      ...row,
      what: "loading vectors in a new process",
      value: full - nothing,
      note: "the row above minus the same in an empty store",
    },
  ];
}

export interface Busy {
  idle: { warm: number; fresh: number };
  busy: { warm: number; fresh: number };
}

export async function measureBusy(folder: string): Promise<Row[]> {
  const { idle, busy } = await child<Busy>("busy-process.ts", [folder]);
  const row = { part: "busy", size: null, who: "stele" } as const;
  return [
    { ...row, what: "recall, idle", value: idle.warm, unit: "ms" },
    { ...row, what: "recall during a bulk embed, against idle", value: busy.warm / idle.warm, unit: "×" },
    { ...row, what: "recall of a new question, idle", value: idle.fresh, unit: "ms" },
    {
      ...row,
      what: "recall of a new question during a bulk embed, against idle",
      value: busy.fresh / idle.fresh,
      unit: "×",
    },
  ];
}

export interface LinkTimes {
  perSecond: number;
  /** Median times of a recall. */
  busy: number;
  idle: number;
  /** How many edges a memory leads to others. */
  edges: { mean: number; most: number };
}

/** Memories linked per second, and recall meanwhile. */
export async function measureLink(folder: string, size: number): Promise<Row[]> {
  const { perSecond, busy, idle, edges } = await child<LinkTimes>("link-process.ts", [folder, String(size)]);
  const row = { part: "link", size, who: "stele" } as const;
  return [
    { ...row, what: "linking, memories", value: Math.round(perSecond), unit: "/s" },
    { ...row, what: "edges that a memory leads to others, mean", value: edges.mean, unit: "edges" },
    { ...row, what: "edges that a memory leads to others, most", value: edges.most, unit: "edges" },
    { ...row, what: "recall after linking, idle", value: idle, unit: "ms" },
    { ...row, what: "recall during linking, against idle", value: busy / idle, unit: "×" },
  ];
}

export interface IndexTimes {
  /** The number of files parsed and indexed. */
  files: number;
  parsing: number;
  indexing: number;
  /** Checking another tree in which nothing has changed. */
  again: number;
  largeFiles: number;
}

export async function measureIndex(folder: string): Promise<Row[]> {
  const { files, parsing, indexing, again, largeFiles } = await child<IndexTimes>("index-process.ts", [folder]);
  const row = { part: "index", who: "stele" } as const;
  const perSecond = (ms: number) => Math.round(files / (ms / 1_000));
  return [
    { ...row, what: "parsing alone, files", size: files, value: perSecond(parsing), unit: "/s" },
    { ...row, what: "first index, files", size: files, value: perSecond(indexing), unit: "/s" },
    { ...row, what: "first index, against the parser's own speed", size: null, value: parsing / indexing, unit: "×" },
    { ...row, what: "checking an unchanged tree", size: largeFiles, value: again, unit: "ms" },
  ];
}

/** Runs one of our scripts in a new process; it prints one JSON document. */
export async function child<Answer>(script: string, args: readonly string[]): Promise<Answer> {
  const running = run(process.execPath, [path(script), ...args], { timeout: 600_000 });
  watched(running.child);
  const { stdout } = await running;
  return JSON.parse(stdout) as Answer;
}
