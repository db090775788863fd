/** The measurements of a run: flat rows from which the terminal, `--json` and the document are made. */
import { readFileSync } from "node:fs";
import { type Timing, percentiles } from "./measure.ts";

export const PARTS = [
  "start",
  "embed",
  "insert",
  "recall",
  "mcp",
  "http",
  "page",
  "cold",
  "busy",
  "model",
  "hooks",
  "link",
  "index",
  "postgres",
] as const;
export type Part = (typeof PARTS)[number];

export const PARTIES = ["stele", "sqlite-vec", "sqlite-vec-mapped", "orama", "minisearch", "server-memory"] as const;
export type PartyName = (typeof PARTIES)[number];

export const TITLES: Record<PartyName, string> = {
  stele: "Stele",
  "sqlite-vec": "FTS5 + sqlite-vec",
  "sqlite-vec-mapped": "the same, memory-mapped",
  orama: "Orama",
  minisearch: "MiniSearch",
  "server-memory": "server-memory",
};

export interface Budget {
  /** Whether the value is a maximum or a minimum; "below" excludes the value itself. */
  is: "at most" | "at least" | "below";
  value: number;
}

export interface Row {
  part: Part;
  what: string;
  /** Items in the store; null when their number does not matter. */
  size: number | null;
  who: PartyName;
  /** Null when it could not be measured; the note explains why. */
  value: number | null;
  unit: "ms" | "/s" | "×" | "MB" | "%" | "edges" | "processes" | "trips";
  p95?: number;
  /** The number of items it was measured with, if the size was not reached. */
  reached?: number;
  note?: string;
  budget?: Budget;
}

export interface Result {
  date: string;
  machine: { cores: number; model: string; memoryGb: number; system: string; node: string };
  /** The load average of the minute before the run. */
  load: number;
  versions: Partial<Record<PartyName, string>>;
  rows: Row[];
}

/** The run that `docs/benchmarks.md` shows. */
export const SAVED = new URL("result.json", import.meta.url);

export function readResult(file: URL | string = SAVED): Result {
  return JSON.parse(readFileSync(file, "utf8")) as Result;
}

/** How many times slower or larger than ours. Null unless both were measured with the same size. */
export function ratioToOurs(row: Row, rows: readonly Row[]): number | null {
  if (row.who === "stele" || row.reached !== undefined) return null;
  const ours = rows.find(({ who, part, what, size }) =>
    [who === "stele", part === row.part, what === row.what, size === row.size].every(Boolean),
  );
  if (!row.value || !ours?.value) return null;
  return row.unit === "/s" ? ours.value / row.value : row.value / ours.value;
}

export function keepsBudget({ value, budget }: Row): boolean | null {
  if (budget === undefined || value === null) return null;
  if (budget.is === "at least") return value >= budget.value;
  return budget.is === "below" ? value < budget.value : value <= budget.value;
}

/** Percentiles of the times of all rounds, as fields of a row. */
export function spread(timesMs: readonly number[]): { value: number; p95: number; unit: "ms" } {
  const { p50, p95 }: Timing = percentiles(timesMs);
  return { value: p50, p95, unit: "ms" };
}
