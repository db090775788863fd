/**
 * Redacts imported data before any of it is stored.
 *
 * Text that was clean when written stays as it is, so that an export can be imported unchanged: a summary or passage
 * that is part of clean content is clean, even if it ends inside a placeholder. Refuses nothing: entries that cannot be
 * cleaned without breaking them are dropped.
 */
import { type Incoming, type ItemLine, JournalPayload, itemFault } from "../../model/transfer/export-line.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ChainEntry } from "../../model/journal/journal.ts";
import type { Passage, Shelf, Turn } from "../../model/memory/shelf.ts";
import { type Clean, cleanFields } from "../redaction/clean-fields.ts";
import { contentHash } from "../text/content-hash.ts";
import { edgeId } from "../graph/edge-id.ts";
import { parseJson } from "./export-decode.ts";
import { isEmbedded } from "../memory/shelving.ts";
import { SUMMARY_LIMIT_CHARACTERS, summaryOf } from "../text/summary.ts";

/**
 * Access records come in other lines; until then, the item counts as not accessed since it was written. `again` cleans
 * parts of text that `clean` has already seen, so that no secret is counted twice.
 */
export function cleanIncoming(line: ItemLine, clean: Clean, again: Clean = clean): Incoming {
  const { line: _, shelf, ...rest } = line;
  const { embed, passages, ...fields } =
    "passages" in rest ? rest : { ...rest, embed: isEmbedded(rest.type), passages: null };
  const raw: Item = { ...fields, accessedAt: fields.updatedAt, accessCount: 0 };
  const item = cleanItem(shelf, raw, clean);
  const contents = { raw: raw.content, content: item.content };
  return { shelf, item, passages: passages && cleanPassages(passages, contents, clean, again), embed };
}

export function cleanItem(shelf: Shelf, item: Item, clean: Clean): Item {
  const cleaned = cleanFields(item, clean);
  const { content, tags } = cleaned;
  return {
    ...cleaned,
    tags: [...new Set(tags)],
    summary: cleanSummary(shelf, item, content, clean),
    hash: content === item.content ? item.hash : contentHash(content),
  };
}

/**
 * A person reads the summary and an agent the content, so nobody may give one that says something else. Files describe
 * themselves, and are read again from where they are.
 */
function cleanSummary(shelf: Shelf, { summary }: Item, content: string, clean: Clean): string {
  if (shelf !== "document" && shelf !== "code") return summaryOf(content);
  const cleaned = clean(summary);
  return [...cleaned].length <= SUMMARY_LIMIT_CHARACTERS ? cleaned : summaryOf(cleaned);
}

/** Null if a secret was redacted from the content: its halves may be in two passages, so they must be split again. */
function cleanPassages<P extends Pick<Passage, "heading" | "text" | "turn">>(
  passages: readonly P[],
  { raw, content }: { raw: string; content: string },
  clean: Clean,
  again: Clean,
): P[] | null {
  let from = 0;
  const cleaned: P[] = [];
  for (const passage of passages) {
    const text = raw === content ? passage.text : again(passage.text);
    const at = content.indexOf(text, from);
    // Part of clean content is clean; in changed content, anything else may be half a secret.
    if (at === -1 && raw !== content) return null;
    if (at !== -1) from = at;
    cleaned.push({
      ...passage,
      heading: passage.heading === null ? null : clean(passage.heading),
      text: at === -1 ? clean(text) : text,
      ...(passage.turn && { turn: cleanTurn(passage.turn, clean) }),
    });
  }
  return cleaned;
}

const cleanTurn = (turn: Turn, clean: Clean): Turn => ({
  ...turn,
  speaker: turn.speaker === null ? null : clean(turn.speaker),
});

/** Whether the chain's own fields are clean; they cannot be changed without breaking it. */
export function isCleanEntry({ verb, host, session, call, space }: ChainEntry, clean: Clean): boolean {
  return [verb, host, session, call, space].every((text) => clean(text) === text);
}

/** The entry without its payload if that is invalid or holds a secret: the chain stays intact without it. */
export function cleanEntry(entry: ChainEntry, clean: Clean): ChainEntry {
  return entry.payload === null || isCleanPayload(entry, entry.payload.text, clean)
    ? entry
    : { ...entry, payload: null };
}

function isCleanPayload({ shelf, itemId }: ChainEntry, text: string, clean: Clean): boolean {
  const parsed = parseJson(text);
  const payload = "fault" in parsed ? null : JournalPayload.safeParse(parsed.line);
  if (!payload?.success) return false;
  const { before, passages = [] } = payload.data;
  if (before === null || typeof before === "string") return passages.length === 0;
  if ("relation" in before) {
    const isOwn = before.id === itemId && edgeId(before) === itemId && before.shelf === shelf;
    return isOwn && [before.source, before.target].every((end) => clean(end) === end);
  }
  if (before.id !== itemId || itemFault({ shelf, ...before }) !== null) return false;
  const item = cleanItem(shelf, before, clean);
  const pieces = cleanPassages(passages, { raw: before.content, content: item.content }, clean, clean);
  return JSON.stringify([item, pieces]) === JSON.stringify([before, passages]);
}
