/** Progress of long work on standard error: one line that is rewritten, or an occasional new one. */
import type { Progress } from "../../src/world.ts";

export interface Shown extends Progress {
  /** Removes the line before other output. */
  clear(): void;
}

interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const REWRITE_MS = 100;
const NEW_LINE_MS = 5_000;
const ERASE = "\r\x1b[K";

export function createProgress(screen: Screen, now: () => number = Date.now): Shown {
  const every = screen.isTTY ? REWRITE_MS : NEW_LINE_MS;
  let lastAt = -Infinity;
  return {
    report(done, total, what) {
      if (now() - lastAt < every) return;
      lastAt = now();
      const line = `${what}: ${done} of ${total}`;
      screen.write(screen.isTTY ? ERASE + line.slice(0, (screen.columns || 80) - 1) : `${line}\n`);
    },
    clear() {
      if (screen.isTTY) screen.write(ERASE);
      lastAt = -Infinity;
    },
  };
}
