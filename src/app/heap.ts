import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Keeps the young heap from growing while a server loads: an idle server would hold that memory for good. */
export async function holdBackMemory(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * Returns the memory of finished work to the system, as soon as a server is quiet.
 *
 * V8 would do so by itself about half a minute later, and other processes may need it before. The pause of a full
 * collection is a few tens of milliseconds, when nobody waits.
 */
const LOOK_AGAIN_MS = 2_000;
/** A smaller share of the time is only the look at an empty queue. */
const QUIET_SHARE = 0.05;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

export function startReleasing(lookAgainMs = LOOK_AGAIN_MS): { stop(): void } {
  let before = process.cpuUsage();
  let hasWorked = false;

  function look(): void {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isQuiet = user + system < QUIET_SHARE * lookAgainMs * 1_000;
    if (isQuiet && hasWorked) collect()({ type: "major", execution: "sync", flavor: "last-resort" });
    hasWorked = !isQuiet;
  }

  const timer = setInterval(look, lookAgainMs).unref();
  return { stop: () => clearInterval(timer) };
}

let found: Collect | undefined;

/** The flag is unset again: compiled code is cached only under the flags of the start. */
function collect(): Collect {
  if (found === undefined) {
    setFlagsFromString("--expose-gc");
    found = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
  }
  return found;
}
