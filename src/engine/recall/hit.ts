/** Builds a hit: a stored item as shown in an answer. */
import type { Departures } from "../../logic/recall/blend.ts";
import { authorOf, isByAgent } from "../../logic/memory/authorship.ts";
import { sharesOf } from "../../logic/recall/fuse.ts";
import type { Scores } from "../../model/recall/candidate.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage, Shelf, StoredPassage } from "../../model/memory/shelf.ts";
import { DOCUMENT_TYPES } from "../../model/corpus/corpus.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { isoTime, isoTimeOrNull } from "../memory/view.ts";

/** Of longer contents only the best passage is shown; `get` shows all. */
const SHOWN_CHARACTERS = 2_000;

/** The whole content, or `instead` if it is too long. */
export const shownContent = ({ content }: Pick<Item, "content">, instead: string): string =>
  content.length <= SHOWN_CHARACTERS ? content : instead;

export interface HitParts {
  shelf: Shelf;
  score: number;
  relevance: number;
  why: Scores;
  departures?: Departures;
  content: string;
  excerpt?: string | undefined;
  /** The passage that was found. */
  found?: StoredPassage | undefined;
  /** Whether the hit names its passage. */
  showsPassage?: boolean;
  otherSession?: string;
}

export function hitOf(item: Item, parts: HitParts): Hit {
  const { shelf, score, relevance, why, departures = {}, content, excerpt, found, showsPassage, otherSession } = parts;
  return {
    ...identityOf(item.id),
    shelf,
    scope: item.scope,
    type: item.type,
    title: item.title,
    summary: item.summary,
    content,
    ...(excerpt !== undefined && { excerpt }),
    tags: item.tags,
    status: item.status,
    source: item.source,
    byAgent: isByAgent(authorOf(item)),
    score: rounded(Math.min(1, score)),
    relevance: rounded(relevance),
    why: { ...sharesOf(why), ...roundedEach(departures) },
    createdAt: isoTime(item.createdAt),
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    history: [],
    ...{ related: [], contradicts: [] },
    stale: null,
    unratified: shelf === "proposal",
    ...(otherSession !== undefined && { otherSession }),
    ...(shelf === "evidence" && { session: item.session }),
    ...(showsPassage && found && { passage: passageOf(found) }),
    ...((shelf === "document" || shelf === "code") && fileOf(shelf, item, found)),
  };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

const roundedEach = (values: Departures): Departures =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value * 1_000) / 1_000]));

/** Archived evidence is not indexed, so its passages have no numbers. */
export function archivedHit(item: Item, passage: Passage, relevance: number): Hit {
  return hitOf(item, {
    ...{ shelf: "evidence", score: 0, relevance, why: { keyword: 1 }, content: passage.text },
    found: { ...passage, passage: -1, itemId: item.id },
    showsPassage: true,
  });
}

/** The file and lines in which it was found, and the heading or definition around them. */
function fileOf(
  shelf: "document" | "code",
  { path, label, type }: Item,
  found: StoredPassage | undefined,
): Partial<Hit> {
  const { startLine, endLine, heading } = found ?? {};
  return {
    ...(path !== null && { path }),
    ...(shelf === "document" && label !== null && { label }),
    ...(shelf === "document" && { docType: DOCUMENT_TYPES.find((one) => one === type) }),
    ...(startLine && { startLine }),
    ...(endLine && { endLine }),
    ...(heading && (shelf === "code" ? { symbol: heading } : { heading })),
  };
}

function passageOf({ ordinal, turn }: StoredPassage): NonNullable<Hit["passage"]> {
  return { ordinal, speaker: turn?.speaker ?? null, role: turn?.role ?? null, at: isoTimeOrNull(turn?.at ?? null) };
}
