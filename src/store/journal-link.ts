/**
 * Makes entries of the journal: what was changed, by whom, and the state before.
 *
 * Working memories, documents and code are not journaled; of evidence only id, hash and state, until it is removed.
 */
import { hash, randomBytes } from "node:crypto";
import type { Edge } from "../graph/edges.ts";
import { type Digest, entryHash, payloadHash } from "../journal/chain.ts";
import type { Origin } from "../journal/change.ts";
import type { ChainEntry, EDGE_KINDS, JournaledKind } from "../journal/journal.ts";
import { stateChange } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { cutItem } from "../memory/passages.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import { cleanDeep } from "../redaction/redact.ts";
import { redact } from "../redaction/rules/redaction.ts";
import { sha256 } from "../text/sha256.ts";

const JOURNALED: Record<Shelf, "whole" | "hash" | "never"> = {
  memory: "whole",
  decision: "whole",
  proposal: "whole",
  evidence: "hash",
  document: "never",
  code: "never",
};

export const isJournaled = (shelf: Shelf): boolean => JOURNALED[shelf] !== "never";

/** Evidence is split where its speakers change; no rule could split it again. */
export const keepsPassages = (shelf: Shelf): boolean => JOURNALED[shelf] === "hash";

export interface ItemChange {
  kind: JournaledKind;
  shelf: Shelf;
  before: Item | null;
  after: Item | null;
  /** For a removed item whose passages no rule could split again. */
  passages?: readonly Passage[] | undefined;
}

/** The origin of a transaction, and its time. */
export interface TransactionOrigin {
  at: number;
  origin: Origin;
}

const SALT_BYTES = 16;
/** Two for each entry. */
const PLAIN_DIGESTS = 8;
const PLAIN_CHARACTERS = 4_000;

/** As many random bytes as asked for. */
export type Random = (size: number) => Uint8Array;

/** A command writes few entries: loading `node:crypto` would take longer than hashing them in plain code. */
function digestInTurn(): Digest {
  let count = 0;
  return (text) =>
    (count += 1) <= PLAIN_DIGESTS && text.length <= PLAIN_CHARACTERS ? sha256(text) : hash("sha256", text);
}

/** The end of a chain. */
export type Tip = Pick<ChainEntry, "hash"> & { length: number };
/** What an entry says was done, and to what. */
export type Linked = Pick<ChainEntry, "kind" | "shelf" | "itemId">;

/** Makes the entry that follows the end of a chain; `first` is the first one of its transaction. */
type LinkTo = (
  last: Tip,
  linked: Linked & { text: string | null; first: number | null },
  transaction: TransactionOrigin,
) => ChainEntry;

export function linker(random: Random = randomBytes): LinkTo {
  const digest = digestInTurn();
  return (last, { kind, shelf, itemId, text, first }, { at, origin }) => {
    const seq = last.length + 1;
    const payload = text === null ? null : { salt: Buffer.from(random(SALT_BYTES)).toString("hex"), text };
    const { verb, host, session, call, space } = origin;
    const entry: ChainEntry = {
      seq,
      transaction: first ?? seq,
      at,
      verb,
      host,
      session,
      call,
      space,
      kind,
      shelf,
      itemId,
      payloadHash: payload && payloadHash(payload, digest),
      hash: "",
      payload,
    };
    entry.hash = entryHash(last.hash, entry, digest);
    return entry;
  };
}

/** Whether a change is journaled, and with which text; null if it is not. */
export function journaled(change: ItemChange): (Linked & { text: string | null }) | null {
  const { kind, shelf, before, after } = change;
  const [item, isWorking] = [after ?? before, [before, after].every((one) => !one || one.scope === "working")];
  if (!item || !isJournaled(shelf) || isWorking) return null;
  return { kind, shelf, itemId: item.id, text: payloadOf(change) };
}

/** The state before, or null. The state after is in the row itself, or in the item's next entry. */
function payloadOf({ shelf, before, after, passages }: ItemChange): string | null {
  if (passages) return JSON.stringify({ before, passages: passages.map(({ tokens: _, ...passage }) => passage) });
  if (JOURNALED[shelf] === "hash") {
    const change = before && after && stateChange(shelf, before, after);
    return JSON.stringify({ before: before?.hash ?? null, after: after?.hash ?? null, ...change });
  }
  return before && JSON.stringify({ before });
}

/** What writers of edges and of whole items note in the journal. */
export interface EdgeLog {
  writeEdge(kind: (typeof EDGE_KINDS)[number], edge: Edge, transaction: TransactionOrigin): void;
  /** Records that an item or an edge was erased, or secrets taken out of it and its previous states; without its content. */
  writeErasure(
    shelf: Shelf,
    itemId: string,
    transaction: TransactionOrigin,
    kind?: "purge_items" | "redact_items",
  ): void;
}

/** The texts that previous states in the journal hold. Tampered ones are erased too, but hold nothing that can be found. */
export const withTitle = ({ title }: Pick<Item, "title">, text: string) => (title ? `${title}\n${text}` : text);

export const textsIn = (payload: string): string[] =>
  unlessTampered(payload, (before, passages) =>
    (passages ?? cutItem(before)).map(({ text }) => withTitle(before, text)),
  );

export const contentIn = (payload: string): string[] => unlessTampered(payload, ({ content }) => [content]);

export const detailsIn = (payload: string): unknown[] => unlessTampered(payload, ({ details }) => [details]);

/** Tampered payloads are erased too; only the traces of their texts cannot be identified. */
function unlessTampered<T>(payload: string, read: (before: Item, passages?: { text: string }[]) => T[]): T[] {
  try {
    const { before, passages } = JSON.parse(payload) as { before: Item | string | null; passages?: { text: string }[] };
    return before === null || typeof before === "string" ? [] : read(before, passages);
  } catch {
    return [];
  }
}

/** A state that cannot be read is searched as it is written. */
export function holdsSecret(payload: string): boolean {
  let isFound = false;
  cleanDeep(parsed(payload), (text) => {
    isFound ||= redact(text).redactions.length > 0;
    return text;
  });
  return isFound;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
