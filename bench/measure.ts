/** Timing: percentiles of many runs, and tables for people. */
import { spawnSync } from "node:child_process";

export interface Timing {
  p50: number;
  p95: number;
}

export async function timed(runs: number, work: (run: number) => Promise<unknown>): Promise<Timing> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work(run);
    times.push(performance.now() - started);
  }
  return percentiles(times);
}

export function percentiles(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Wall time of whole processes, taken in turns so that a noisy moment hits all alike. */
export function processTimes(commands: Record<string, string[]>, rounds: number): Record<string, Timing> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, [command, ...rest]] of Object.entries(commands)) {
      const started = performance.now();
      const { status, stderr } = spawnSync(command!, rest, { stdio: ["ignore", "ignore", "pipe"] });
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
      (times[name] ??= []).push(performance.now() - started);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, percentiles(list)]));
}

export interface Row {
  what: string;
  measured: string;
  budget: string;
  holds: boolean | null;
}

export function table(rows: readonly Row[]): string {
  const verdict = (holds: boolean | null) => (holds === null ? "" : holds ? "ok" : "OVER");
  const cells = rows.map((row) => [row.what, row.measured, row.budget, verdict(row.holds)]);
  const head = ["what", "measured", "budget", ""];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((cell) => cell[column]!.length)));
  const line = (cell: string[]) =>
    cell
      .map((text, column) => text.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
