/** Watching where nobody tells: everything is looked at from time to time. */
import { createHash } from "node:crypto";
import type { Log } from "../../ports/world.ts";
import type { RuledWalk } from "./walk-project.ts";

export interface Pace {
  /** A burst is over after so long. */
  quietMs: number;
  /** Under constant change nobody waits for quiet. */
  longestMs: number;
  pollMs: number;
}

export interface Lookout {
  /** False where a change may be noticed some time later. */
  isPrompt: boolean;
  close(): Promise<void>;
}

export interface PollOptions {
  walk: () => Promise<RuledWalk>;
  pace: Pace;
  log: Log;
}

/** Looking takes at most one part in so many of the time. */
const POLL_SPARING = 20;

/** Compares what is there with what was there, and takes its time. */
export async function poll({ walk, pace, log }: PollOptions, onChange: () => void): Promise<Lookout> {
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let before = await look();

  async function look(): Promise<string | null> {
    const { found, unread } = await walk();
    // A project that is away for a while has not changed.
    if (unread.includes("")) return null;
    const hash = createHash("sha256");
    for (const { path, bytes, modifiedAt } of found) hash.update(`${path}\0${bytes} ${modifiedAt}\0`);
    return hash.digest("hex");
  }
  async function compare(): Promise<void> {
    const startedAt = performance.now();
    try {
      const now = await look();
      if (now !== null && now !== before) onChange();
      before = now ?? before;
    } finally {
      schedule(performance.now() - startedAt);
    }
  }
  function schedule(tookMs: number): void {
    if (isClosed) return;
    timer = setTimeout(
      () => {
        running = compare().catch((thrown: unknown) => log.warn(`Looking for changes failed: ${thrown}`));
      },
      Math.max(pace.pollMs, POLL_SPARING * tookMs),
    ).unref();
  }
  schedule(0);
  return {
    isPrompt: false,
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
