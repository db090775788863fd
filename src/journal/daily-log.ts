/**
 * The daily log: one Markdown file a day, for people to read. Nothing is read from it again.
 *
 * A decorator of a store: lines are appended after the answer, and a log that cannot be written fails nothing. It is
 * never kept in the project or the notes folder, where it would come back as a document or a memory.
 */
import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../files/disk/project-files.ts";
import { handleOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import type { Shelf } from "../memory/shelves.ts";
import { redact } from "../redaction/rules/redaction.ts";
import { decorated, type Store } from "../store/store.ts";
import { oneLine, titled } from "../text/short-text.ts";
import { timeIn } from "../time/shown.ts";
import type { World } from "../world.ts";
import type { Change, Origin } from "./change.ts";

/** The line of the daily log about an item that was written: what became of it, its handle, and how it begins. */
const LINE_CHARACTERS = 200;
/** These bring back or move what the log had before. */
const REPEATING_VERBS = ["import", "restore", "rollback", "promote"];
/** Files tell of themselves; the log is one of them. */
const OF_FILES: readonly Item["source"][] = ["file-index", "code_index"];

/** Lines for what these changes added, in their order. `time` is of the day, as people write it. */
export function dailyLines(changes: readonly Change[], { verb }: Pick<Origin, "verb">, time: string): string[] {
  if (REPEATING_VERBS.includes(verb)) return [];
  return changes.flatMap((change) => {
    const line = change.kind === "insert_item" ? lineOf(change.shelf, change.item, time) : null;
    return line ?? [];
  });
}

function lineOf(shelf: Shelf, item: Item, time: string): string | null {
  const what = wordFor(shelf, item);
  if (what === null || item.scope === "working" || OF_FILES.includes(item.source)) return null;
  const { title, content, type } = item;
  const words = title !== null && content.includes(title) ? content : titled(title, content);
  const kind = shelf === "memory" ? ` ${type}` : "";
  return oneLine(
    `- ${time} ${what}${kind} [${handleOf(item.id)}]: ${words}`,
    LINE_CHARACTERS,
    (text) => redact(text).text,
  );
}

function wordFor(shelf: Shelf, { source }: Item): string | null {
  if (shelf === "decision") return "decided";
  if (shelf === "proposal") return "proposed";
  if (shelf !== "memory") return null;
  return source === "extraction" ? "captured" : "remembered";
}

interface DailyLogOptions extends Pick<World, "clock" | "zone" | "afterwards"> {
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
