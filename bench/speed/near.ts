/**
 * The nearest memories on Postgres: by vectors that the process holds, and by blocks that it fetches for each question, each
 * in a process of its own.
 */
import type { BenchServer } from "../postgres-server.ts";
import { child } from "./processes.ts";
import { type Row, spread } from "./result.ts";

export interface NearTimes {
  timesMs: number[];
  memoryMb: number;
  /** The items found for each question. */
  found: string[][];
}

const ROW = { part: "postgres", who: "stele" } as const;
const ALL = 10_000_000;

export async function measureNear(server: BenchServer, name: string, size: number): Promise<Row[]> {
  const asked = (held: number) =>
    child<NearTimes>("near-process.ts", [server.url, server.schemaOf(name), String(held), String(size)]);
  const held = await asked(ALL);
  const ways: Record<string, NearTimes> = { held, fetched: await asked(0) };
  return Object.entries(ways).flatMap(([way, { timesMs, memoryMb, found }]): Row[] => [
    { ...ROW, what: `nearest, ${way}`, size, ...spread(timesMs) },
    { ...ROW, what: `memory of a process, ${way}`, size, value: memoryMb, unit: "MB" },
    { ...ROW, what: `of the ten nearest, found ${way}`, size, value: 100 * shareOf(held.found, found), unit: "%" },
  ]);
}

function shareOf(exact: readonly string[][], found: readonly string[][]): number {
  const isFound = exact.flatMap((ids, question) => ids.map((id) => found[question]!.includes(id)));
  return isFound.filter(Boolean).length / isFound.length;
}
