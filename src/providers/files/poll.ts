/** Polling, where the system reports no changes: all files are checked at intervals. */
import { createHash } from "node:crypto";
import type { Log } from "../../ports/world.ts";
import type { RuledWalk } from "./walk-project.ts";

export interface Pace {
  /** A burst of changes is over after this pause. */
  quietMs: number;
  /** Under constant change, the longest wait for a pause. */
  longestMs: number;
  pollMs: number;
}

export interface Lookout {
  /** False if a change may be noticed only after a while. */
  isPrompt: boolean;
  close(): Promise<void>;
}

export interface PollOptions {
  walk: () => Promise<RuledWalk>;
  pace: Pace;
  log: Log;
}

/** Polling may take at most one part in this many of the time. */
const INTERVAL_PER_RUN = 20;

/** Compares the files with their previous state, at an unhurried pace. */
export async function poll({ walk, pace, log }: PollOptions, onChange: () => void): Promise<Lookout> {
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let before = await look();

  async function look(): Promise<string | null> {
    const { found, unread } = await walk();
    // A project that is temporarily unavailable has not changed.
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
      Math.max(pace.pollMs, INTERVAL_PER_RUN * tookMs),
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
