/** Timing: percentiles of many runs, of calls and of whole processes. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Timing {
  p50: number;
  p95: number;
}

/** The time of each run. No run begins after the limit. */
export async function timesOf(
  runs: number,
  work: (run: number) => Promise<unknown>,
  limitMs = Infinity,
): Promise<number[]> {
  const times: number[] = [];
  const begun = performance.now();
  for (let run = 0; run < runs && (run === 0 || performance.now() - begun < limitMs); run += 1) {
    times.push(await timeOf(() => work(run)));
  }
  return times;
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function percentiles(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

export const median = (times: readonly number[]): number => percentiles(times).p50;

/** Wall time of whole processes, run alternately so that a noisy moment affects all alike. `inputs`: what they read. */
export function processTimes<Name extends string>(
  commands: Record<Name, () => readonly string[]>,
  rounds: number,
  inputs: Partial<Record<Name, () => string>> = {},
): Record<Name, Timing> {
  const names = Object.keys(commands) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const [command = "", ...rest] = commands[name]();
      const input = inputs[name]?.();
      const started = performance.now();
      const { status, stderr } = spawnSync(command, rest, {
        stdio: [input === undefined ? "ignore" : "pipe", "ignore", "pipe"],
        ...(input !== undefined && { input }),
      });
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
      times[name].push(performance.now() - started);
    }
  }
  return Object.fromEntries(names.map((name) => [name, percentiles(times[name])])) as Record<Name, Timing>;
}

/** Resident memory of another process; null if the system does not report it. */
export function residentMb(processId: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(processId)], { encoding: "utf8" });
    const kilobytes = Number.parseInt(stdout ?? "", 10);
    return Number.isNaN(kilobytes) ? null : (kilobytes * 1_024) / 1e6;
  }
}
