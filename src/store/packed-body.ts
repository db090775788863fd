/**
 * Archived evidence: text and passages of an item compressed into one blob.
 *
 * Unpacking returns exactly the original bytes or fails: a blob that does not match its digest is never unpacked into
 * something nobody said. Wordpieces are not kept, because they can be computed from the text.
 */
import { hash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { Failure } from "../errors.ts";
import type { Item } from "../memory/item.ts";
import type { Passage, Shelf, Turn } from "../memory/shelves.ts";
import { turnOf } from "../text/turns.ts";
import type { WholeItem } from "./store.ts";

/** The text of an item and its passages. */
export type Body = Pick<WholeItem, "passages" | "embed"> & Pick<Item, "content">;
export type PackInput = Pick<Body, "content" | "embed"> & { passages: readonly Passage[] };

export interface PackedRow {
  digest: Buffer;
  packed: Buffer;
}

/** Only archived evidence is packed: it is long, and rarely asked for. */
export const isPacked = (shelf: Shelf, { status }: Pick<Item, "status">): boolean =>
  shelf === "evidence" && status === "archived";

/** Halves the size in a tenth of the time the best quality takes. */
const QUALITY = 5;
/** More than the longest item with all its passages; anything longer was not written by us. */
const LONGEST_BYTES = 64_000_000;

const digestOf = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

/** Most evidence is short, and field names would add a fifth to it. The ordinal is the position in the list. */
type PackedPassage = [
  ...[text: string, heading: string | null, startLine: number | null, endLine: number | null],
  ...[speaker?: string | null, role?: Turn["role"], at?: number | null],
];

export function pack({ content, passages, embed }: PackInput): PackedRow {
  const cut = passages.map(({ text, heading, startLine, endLine, turn }) => [
    ...[text, heading, startLine, endLine],
    ...(turn ? [turn.speaker, turn.role, turn.at] : []),
  ]);
  const bytes = Buffer.from(JSON.stringify([content, embed, cut]));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { digest: digestOf(bytes), packed: brotliCompressSync(bytes, { params }) };
}

/** Null when damaged. */
export function unpack({ digest, packed }: PackedRow): Body | null {
  const bytes = decompressed(packed);
  if (!bytes || !digestOf(bytes).equals(digest)) return null;
  const [content, embed, cut] = JSON.parse(bytes.toString()) as [string, boolean, PackedPassage[]];
  return { content, embed, passages: cut.map(toPassage) };
}

function toPassage(packed: PackedPassage, ordinal: number): Passage {
  const [text, heading, startLine, endLine, speaker, role, at] = packed;
  const turn = turnOf({ speaker: speaker ?? null, role: role ?? null, at: at ?? null });
  return { ordinal, heading, startLine, endLine, text, tokens: null, ...(turn && { turn }) };
}

function decompressed(packed: Buffer): Buffer | null {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: LONGEST_BYTES });
  } catch {
    return null;
  }
}

const damaged = new WeakSet<Failure>();

/** Whether it says that one text is damaged; another one can still be read. */
export const saysDamaged = (thrown: unknown): boolean => thrown instanceof Failure && damaged.has(thrown);

export function damagedArchive(id: string): Failure {
  const failure = new Failure(
    "unavailable",
    `The archived text of evidence ${id} is damaged.`,
    "Restore a backup in which it is intact; `stele restore` lists them.",
  );
  damaged.add(failure);
  return failure;
}
