/** Whole processes: how fast one embeds, loads vectors, and answers while it embeds. */
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

/** Real texts per second of the packaged model, and how long it takes to load. */
export async function measureEmbed(folder: string): Promise<Row[]> {
  const { loadMs, perSecond } = await child<{ loadMs: number; perSecond: number }>("embed-process.ts", [folder]);
  const row = { part: "embed", size: null, who: "stele" } as const;
  return [
    { ...row, what: "MiniLM, first text of a new process", value: loadMs, unit: "ms" },
    { ...row, what: "MiniLM, texts embedded and stored", value: Math.round(perSecond), unit: "/s" },
  ];
}

/** A new process's first question by meaning, less the same in an empty store. */
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
      note: "the row above less the same in an empty store",
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

export interface IndexTimes {
  /** How many were parsed and taken in. */
  files: number;
  parsing: number;
  indexing: number;
  /** A second look at another tree in which nothing has changed. */
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
    { ...row, what: "a look at an unchanged tree", size: largeFiles, value: again, unit: "ms" },
  ];
}

/** A script of ours in a new process; it prints one JSON document. */
async function child<Answer>(script: string, args: readonly string[]): Promise<Answer> {
  const running = run(process.execPath, [path(script), ...args], { timeout: 600_000 });
  watched(running.child);
  const { stdout } = await running;
  return JSON.parse(stdout) as Answer;
}
