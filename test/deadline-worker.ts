/** The thread that looks at the clock for `deadline.ts`. */
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { limitMs } = workerData as { limitMs: number };
const running = new Map<string, { doing: string; since: number }>();

parentPort!.on("message", ({ who, doing }: { who: string; doing: string | null }) => {
  if (doing === null) running.delete(who);
  else running.set(who, { doing, since: Date.now() });
});

setInterval(() => {
  const isLate = [...running.values()].some(({ since }) => Date.now() - since >= limitMs);
  if (!isLate) return;
  // When the thread is stuck all of them wait; which one holds it up cannot be told from here.
  const lines = [...running.values()].map(({ doing }) => `\n  ${doing}`);
  writeSync(2, `\nno answer within ${limitMs} ms; begun were:${lines.join("")}\n`);
  process.kill(process.pid, "SIGKILL");
}, 500);
