/** Progress bar on standard error. Shown only on a terminal, and without escape codes, so it works on any. */
import type { Progress } from "../../ports/world.ts";
import { visible } from "../visible.ts";
import type { Io } from "./terminal.ts";

const WIDTH = 24;

export interface ProgressBar extends Progress {
  clear(): void;
}

/** Takes `io` rather than the stream, because creating the stream takes time and most commands report nothing. */
export function progressBar(io: Pick<Io, "stderr">): ProgressBar {
  let drawn = "";
  return {
    report(done, total, what) {
      if (!io.stderr.isTTY) return;
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * WIDTH);
      const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
      const line = `${visible(what)} [${bar}] ${Math.floor(share * 100)} %`;
      if (line === drawn) return;
      io.stderr.write(`\r${line.padEnd(drawn.length)}`);
      drawn = line;
    },
    clear() {
      if (drawn !== "") io.stderr.write(`\r${" ".repeat(drawn.length)}\r`);
      drawn = "";
    },
  };
}
