/** The passages of a salvaged item: as stored, or split again when some are lost. */
import { cutItem } from "../../../logic/memory/cut-item.ts";
import { isEmbedded } from "../../../logic/memory/shelving.ts";
import { momentOf } from "../../../logic/text/turns.ts";
import type { Item } from "../../../model/memory/item.ts";
import { type Passage, ROLES, type Shelf, type Turn } from "../../../model/memory/shelves.ts";
import type { WholeItem } from "../../../ports/store/items.ts";
import { isJournaled, keepsPassages } from "../journal/journal-writer.ts";
import type { Row } from "./salvage-pages.ts";
import { wordpiecesOf } from "../search/wordpieces.ts";

/** As stored if no rule could split them again and none is missing; else split again, with the matching wordpieces. */
export function passagesOf(shelf: Shelf, item: Item, rows: readonly Row[]): Pick<WholeItem, "passages" | "embed"> {
  const kept = rows.flatMap((row) => asPassage(row) ?? []).sort((a, b) => a.ordinal - b.ordinal);
  const embed = rows.length > 0 ? rows[0]!["embed"] === 1 : isEmbedded(item.type);
  const isSplitByRule = isJournaled(shelf) && !keepsPassages(shelf);
  if (!isSplitByRule && kept.length > 0 && kept.every(({ ordinal }, index) => ordinal === index)) {
    return { passages: kept, embed };
  }
  const tokens = new Map(kept.map((passage) => [passage.text, passage.tokens]));
  const passages = cutItem(item).map((passage) => ({ ...passage, tokens: tokens.get(passage.text) ?? null }));
  return { passages, embed };
}

function asPassage({ ordinal, heading, start_line, end_line, text, tokens, ...turn }: Row): Passage | null {
  if (typeof ordinal !== "number" || typeof text !== "string") return null;
  return {
    ordinal,
    text,
    heading: typeof heading === "string" ? heading : null,
    startLine: typeof start_line === "number" ? start_line : null,
    endLine: typeof end_line === "number" ? end_line : null,
    tokens: Buffer.isBuffer(tokens) && tokens.length % 2 === 0 ? wordpiecesOf(tokens) : null,
    ...asTurn(turn),
  };
}

function asTurn({ speaker, role, said_at }: Row): { turn?: Turn } {
  const turn = {
    speaker: typeof speaker === "string" ? speaker : null,
    role: ROLES.find((known) => known === role) ?? null,
    at: typeof said_at === "number" ? momentOf(said_at) : null,
  };
  return Object.values(turn).some((part) => part !== null) ? { turn } : {};
}
