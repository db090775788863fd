/**
 * A deadline that also holds when this thread is stuck: another thread looks at the clock.
 *
 * Whoever is late is told with what it was doing, and the process ends, because there is no way back
 * from a loop that never ends. What is being done is noted in memory that both threads see: a message for each of
 * thousands of tests would wake the other thread as often.
 */
import { Worker } from "node:worker_threads";
import { DOING_BYTES, NOTES, noteAt, notesIn } from "./deadline-notes.ts";

export interface Deadline {
  begin(who: string, doing: string): void;
  end(who: string): void;
  stop(): Promise<void>;
}

export function startDeadline(limitMs: number): Deadline {
  const memory = notesIn();
  const worker = new Worker(new URL("deadline-worker.ts", import.meta.url), { workerData: { limitMs, memory } });
  worker.unref();
  const free = Array.from({ length: NOTES }, (_note, index) => noteAt(memory, index));
  const running = new Map<string, (typeof free)[number]>();
  const encoder = new TextEncoder();
  return {
    begin(who, doing) {
      const note = running.get(who) ?? free.pop();
      if (note === undefined) throw new Error(`more than ${NOTES} things are begun and not ended`);
      running.set(who, note);
      const { written } = encoder.encodeInto(doing.slice(0, DOING_BYTES / 3), note.doing);
      note.since[0] = Date.now();
      Atomics.store(note.length, 0, written);
    },
    end(who) {
      const note = running.get(who);
      if (note === undefined) return;
      Atomics.store(note.length, 0, 0);
      running.delete(who);
      free.push(note);
    },
    stop: async () => void (await worker.terminate()),
  };
}
