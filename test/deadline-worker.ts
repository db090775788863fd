/** The thread that looks at the clock for `deadline.ts`. */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { NOTES, noteAt } from "./deadline-notes.ts";

const { limitMs, memory } = workerData as { limitMs: number; memory: SharedArrayBuffer };
const notes = Array.from({ length: NOTES }, (_note, index) => noteAt(memory, index));

setInterval(() => {
  const running = notes.filter(({ length }) => Atomics.load(length, 0) > 0);
  const isLate = running.some(({ since }) => Date.now() - since[0]! >= limitMs);
  if (!isLate) return;
  // When the thread is stuck all of them wait; which one holds it up cannot be told from here.
  const lines = running.map(({ length, doing }) => `\n  ${Buffer.from(doing.slice(0, length[0])).toString()}`);
  writeSync(2, `\nno answer within ${limitMs} ms; begun were:${lines.join("")}\n`);
  process.kill(process.pid, "SIGKILL");
}, 500);
