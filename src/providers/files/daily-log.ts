/**
 * The daily log: one Markdown file a day, for people to read. Nothing is read from it again.
 *
 * A decorator of a store: lines are appended after the answer, and a log that cannot be written fails nothing. It is
 * never kept in the project or the notes folder, where it would come back as a document or a memory.
 */
import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { dailyLines } from "../../logic/context/daily-line.ts";
import { decorated } from "../../ports/store/decorated.ts";
import type { Store } from "../../ports/store/store.ts";
import { timeIn } from "../../model/time/day-shown.ts";
import type { World } from "../../ports/world.ts";
import { isInside } from "./project-files.ts";

export interface DailyLogOptions extends Pick<World, "clock" | "zone" | "afterwards"> {
  folder: string;
}

/** The same store, which also notes in the log what is added to it. */
export function withDailyLog(store: Store, { folder, clock, zone, afterwards }: DailyLogOptions): Store {
  return decorated(store, (written) => ({
    async apply(changes, origin, options) {
      const outcome = await written.apply(changes, origin, options);
      if (outcome.status !== "applied" || options?.dryRun) return outcome;
      const at = clock.now();
      if (changes.some(({ kind }) => kind === "insert_item"))
        afterwards.add("write the daily log", async () => {
          // As the person's clock shows it. A zone that does not exist is found out here, and fails no write.
          const [day, time] = timeIn(at, zone).split(" ") as [string, string];
          const lines = dailyLines(changes, origin, time);
          if (lines.length > 0) append(folder, day, lines);
        });
      return outcome;
    },
  }));
}

/** A folder that is indexed must not contain the log, nor the log a folder of notes. All of them are real paths. */
export const isUnsafe = (folder: string, indexed: readonly string[]): boolean =>
  indexed.some((other) => isInside(other, folder) || isInside(folder, other));

function append(folder: string, day: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(join(folder, `${day}.md`), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    fchmodSync(file, 0o600);
    const heading = fstatSync(file).size === 0 ? [`# ${day}`, ""] : [];
    writeSync(file, [...heading, ...lines].map((line) => `${line}\n`).join(""));
  } finally {
    closeSync(file);
  }
}
