/**
 * Bad input for every verb through every host, and good input in between.
 *
 * Calls are drawn from the catalog's schemas, so a new verb is covered by being there. `node
 * test/fuzz/run.ts 100000 7` runs so many calls from that seed; the same seed draws the same calls.
 */
import { runChild } from "../child.ts";
import { startDeadline } from "../deadline.ts";
import { commandLineHost } from "./hosts/command-line.ts";
import { httpHost } from "./hosts/http.ts";
import { libraryHost } from "./hosts/library.ts";
import { mcpHost } from "./hosts/mcp.ts";
import { type Lane, type Run, mixed, runLane, told } from "./lane.ts";
import { createPlace } from "./place.ts";
import { type Tally, createTally } from "./tally.ts";

/** For one call, on a machine with a lot to do. */
const DEADLINE_MS = 120_000;

interface HostPlan extends Pick<Lane, "host" | "callsPerHome" | "open"> {
  /** How many of all calls. */
  share: number;
  /** At most so many at a time, each with homes of its own: while one waits for a disk the others go on. */
  lanes: number;
}

const HOSTS: readonly HostPlan[] = [
  { host: "library", share: 0.75, lanes: 2, callsPerHome: 2_500, open: libraryHost },
  { host: "mcp", share: 0.1, lanes: 1, callsPerHome: 2_500, open: mcpHost },
  { host: "http", share: 0.1, lanes: 1, callsPerHome: 2_500, open: httpHost },
  { host: "cli", share: 0.05, lanes: 1, callsPerHome: 500, open: commandLineHost },
];

export interface Report {
  tally: Tally;
  unexpected: string[];
  seconds: number;
}

export async function runFuzz(
  calls: number,
  seed: number,
  { hosts = HOSTS, encrypted = false }: { hosts?: readonly HostPlan[]; encrypted?: boolean } = {},
): Promise<Report> {
  const started = performance.now();
  const place = await createPlace({ encrypted });
  const origin = process.cwd();
  const deadline = startDeadline(DEADLINE_MS);
  const run: Run = { place, deadline, tally: createTally(), unexpected: [], current: new Map() };
  const stray = (fault: unknown): void => {
    run.unexpected.push([`nobody caught ${told(fault)}`, ...run.current.values()].join("\n    "));
  };
  process.on("uncaughtException", stray).on("unhandledRejection", stray);
  process.chdir(place.work);
  try {
    await Promise.all(lanesFor(calls, seed, hosts).map((lane) => runLane(lane, run)));
    return { tally: run.tally, unexpected: run.unexpected, seconds: (performance.now() - started) / 1_000 };
  } finally {
    process.chdir(origin);
    process.off("uncaughtException", stray).off("unhandledRejection", stray);
    await deadline.stop();
    place.remove();
  }
}

function lanesFor(calls: number, seed: number, hosts: readonly HostPlan[]): Lane[] {
  return hosts.flatMap(({ share, lanes: most, ...plan }) => {
    const index = HOSTS.findIndex(({ host }) => host === plan.host);
    const lanes = Math.min(most, Math.ceil((calls * share) / plan.callsPerHome));
    return Array.from({ length: lanes }, (_, lane) => ({
      ...plan,
      name: `${plan.host} ${lane + 1}`,
      calls: Math.round((calls * share) / lanes),
      seed: mixed(seed, -1 - index * 10 - lane),
    }));
  });
}

/** One process for what runs in this one and one for the rest: together they keep two cores busy. */
const PROCESSES = [["library"], ["mcp", "http", "cli"]];

export async function runInProcesses(calls: number, seed: number): Promise<Report> {
  const started = performance.now();
  const tally = createTally();
  const parts = await Promise.all(
    PROCESSES.map(async (hosts): Promise<Part> => {
      const { code, output, errors } = await runChild(new URL(import.meta.url), [calls, seed, ...hosts]);
      if (code === 0) return JSON.parse(output) as Part;
      return { rows: [], unexpected: [`${hosts.join(" and ")} ended with ${code}: ${output}${errors}`] };
    }),
  );
  for (const { rows } of parts) tally.add(rows);
  const unexpected = parts.flatMap((part) => part.unexpected);
  return { tally, unexpected, seconds: (performance.now() - started) / 1_000 };
}

interface Part {
  rows: ReturnType<Tally["rows"]>;
  unexpected: string[];
}

if (process.argv[1] === import.meta.filename) {
  const [calls = "100000", seed = String(Date.now() % 1_000_000), ...own] = process.argv.slice(2);
  if (own.length > 0) {
    const hosts = HOSTS.filter(({ host }) => own.includes(host));
    const { tally, unexpected } = await runFuzz(Number(calls), Number(seed), { hosts });
    const part: Part = { rows: tally.rows(), unexpected };
    process.stdout.write(JSON.stringify(part), () => process.exit());
  } else {
    const shares = HOSTS.map(({ host, share }) => `${share * 100} % ${host}`).join(", ");
    console.log(`${calls} calls from seed ${seed}: ${shares}`);
    const { tally, unexpected, seconds } = await runInProcesses(Number(calls), Number(seed));
    console.log(tally.table());
    for (const one of unexpected) console.log(`\nUNEXPECTED ${one}`);
    const verdict =
      unexpected.length > 0 ? `${unexpected.length} unexpected, again with seed ${seed}` : "none unexpected";
    console.log(`\n${seconds.toFixed(1)} s, ${verdict}`);
    process.exitCode = unexpected.length > 0 ? 1 : 0;
  }
}
