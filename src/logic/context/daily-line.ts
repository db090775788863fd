/** The line of the daily log about an item that was written: what became of it, its handle, and how it begins. */
import type { Item } from "../../model/memory/item.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Shelf } from "../../model/memory/shelves.ts";
import type { Change, Origin } from "../../model/journal/change.ts";
import { titled } from "../../model/text/titled.ts";
import { redact } from "../redaction/redaction.ts";
import { oneLine } from "../text/one-line.ts";

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
