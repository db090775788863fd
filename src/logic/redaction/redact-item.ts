/**
 * An item without its secrets: every field of free text, and what follows from them.
 *
 * Lines keep their numbers where others refer to them, as in evidence and files.
 */
import type { Item } from "../../model/memory/item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { contentHash, hashAt } from "../text/content-hash.ts";
import { summaryOf } from "../text/summary.ts";
import { type Clean, cleanFields } from "./clean-fields.ts";

/** The same item if it holds no secret. */
export function redactedItem(item: Item, clean: Clean): Item {
  const cleaned = cleanFields(item, clean);
  const isSaidAnew = cleaned.content !== item.content;
  const summary = isSaidAnew ? summaryOf(cleaned.content) : clean(item.summary);
  if (summary === item.summary && JSON.stringify(cleaned) === JSON.stringify(item)) return item;
  const isOfFile = item.path !== null && item.hash === hashAt(item.path, item.content);
  const hash = isOfFile ? hashAt(cleaned.path ?? "", cleaned.content) : contentHash(cleaned.content);
  return { ...cleaned, summary, hash: isSaidAnew ? hash : item.hash, version: item.version + 1 };
}

type Cut = Omit<Passage, "tokens">;

/** Passages of a text whose lines stayed, cut where they were cut before. */
export function redactedPassages(passages: readonly Cut[], before: string, after: string, clean: Clean): Cut[] {
  const [was, is] = [before.split("\n"), after.split("\n")];
  return passages.map((passage) => {
    const { startLine, endLine, text, heading, turn } = passage;
    const lines = (of: readonly string[]) =>
      startLine === null || endLine === null ? null : of.slice(startLine - 1, endLine).join("\n");
    const isThere = was.length === is.length && lines(was)?.trim() === text.trim();
    return {
      ...passage,
      text: isThere ? clean(lines(is)!.trim()) : clean(text),
      heading: heading === null ? null : clean(heading),
      ...(turn && { turn: { ...turn, speaker: turn.speaker === null ? null : clean(turn.speaker) } }),
    };
  });
}
