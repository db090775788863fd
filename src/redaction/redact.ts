/** Removes secrets from everything that will be stored, and counts them by rule. */
import { FIELDS } from "../memory/item-fields.ts";
import type { Item } from "../memory/item.ts";
import type { Passage } from "../memory/shelves.ts";
import { cleanedTurn } from "../sessions/turns.ts";
import { contentHash, hashAt } from "../text/content-hash.ts";
import { cut, summaryOf } from "../text/short-text.ts";
import { REACH_CHARACTERS } from "./grown-text.ts";
import { redact, type Redaction } from "./rules/redaction.ts";

export type { Redaction };

/** Pass each text through `clean`, then read `redactions`. */
export function redactor(options?: { keepsLines: boolean }): {
  clean(text: string): string;
  redactions(): Redaction[];
} {
  const counts = new Map<string, number>();
  return {
    clean(text) {
      const result = redact(text, options);
      for (const { rule, count } of result.redactions) counts.set(rule, (counts.get(rule) ?? 0) + count);
      return result.text;
    },
    redactions: () => [...counts].map(([rule, count]) => ({ rule, count })).sort((a, b) => (a.rule < b.rule ? -1 : 1)),
  };
}

/** Redacts secrets in the free text of an item or of some of its fields. Absent fields stay absent. */
export type Clean = (text: string) => string;

const FREE = FIELDS.filter(([, { free }]) => free);

export function cleanFields<Part extends Partial<Item>>(part: Part, clean: Clean): Part {
  // A packed turn is no text; its parts are.
  const { turn, ...details } = part.details ?? {};
  const cleaned: Record<string, unknown> = { ...part, ...(turn !== undefined && { details }) };
  for (const [name, { kind }] of FREE) {
    const value = cleaned[name];
    // The keys of a group are ours, and searching them for secrets would cost more than everything else here.
    if (value !== undefined) cleaned[name] = cleanDeep(value, clean, kind === "group" ? asItIs : clean);
  }
  if (turn === undefined) return cleaned as Part;
  return {
    ...cleaned,
    details: { ...(cleaned["details"] as Item["details"]), ...cleanedTurn({ turn }, clean) },
  } as Part;
}

const asItIs: Clean = (text) => text;

/** Every string in a value. */
export function cleanDeep(value: unknown, clean: Clean, cleanKey: Clean = clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((part) => cleanDeep(part, clean, cleanKey));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [cleanKey(key), cleanDeep(part, clean, cleanKey)]);
  return Object.fromEntries(entries);
}

// An item without its secrets: every field of free text, and what follows from them.
//
// Lines keep their numbers where others refer to them, as in evidence and files.

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

/**
 * Redacts a text and cuts it, in this order, because half a secret might not be recognised.
 *
 * Of a very long text only the parts around what is kept are redacted, with so much more that no secret can span the
 * rest.
 */
const GAP = "\n[…]\n";

export function beginning(text: string, limit: number): string {
  const seen = limit + 2 * REACH_CHARACTERS;
  const redacted = redact(text.slice(0, seen), { above: text.slice(seen) }).text;
  // A secret that was divided is at the end, and not longer than this.
  const sound = text.length > seen ? redacted.slice(0, -REACH_CHARACTERS) : redacted;
  return cut(sound, limit);
}

/** What a command printed: how it began, and how it ended. */
export function bothEnds(text: string, limit: number): string {
  const half = Math.floor((limit - GAP.length) / 2);
  const seen = limit + 2 * REACH_CHARACTERS;
  if (text.length <= 2 * seen) {
    const redacted = redact(text).text;
    return redacted.length <= limit ? redacted : cut(redacted, half) + GAP + ending(redacted, half);
  }
  const redacted = redact(text.slice(-seen), { above: text.slice(0, -seen) }).text;
  return beginning(text, half) + GAP + ending(redacted.slice(REACH_CHARACTERS), half);
}

const ending = (text: string, limit: number): string => text.slice(-limit).replace(/^[\udc00-\udfff]/, "");
