/**
 * The journal's hash chain: each entry's hash covers the one before it.
 *
 * A payload is covered only through its salted hash, so it can be erased without breaking the chain, and the remaining
 * hash does not reveal it.
 */
import { hash } from "node:crypto";
import { type ChainEntry, type ChainHead, droppedThrough, LIMITED_SHELVES } from "./journal.ts";

/** SHA-256 of a text, in hexadecimal digits. */
export type Digest = (text: string) => string;

const digestOf: Digest = (text) => hash("sha256", text);

/** The hash before the first entry. */
export const CHAIN_START = "0".repeat(64);

export function entryHash(
  previous: string,
  entry: Omit<ChainEntry, "hash" | "payload">,
  digest: Digest = digestOf,
): string {
  const { seq, transaction, at, verb, host, session, call, kind, shelf, itemId, payloadHash, space } = entry;
  // An entry without a call may have null or ""; both hash alike.
  const fields = [seq, transaction, at, verb, host, session, call || null, kind, shelf, itemId, payloadHash];
  // Entries written before spaces were recorded hash as they always did.
  return digest(previous + JSON.stringify(space ? [...fields, space] : fields));
}

export function payloadHash({ salt, text }: NonNullable<ChainEntry["payload"]>, digest: Digest = digestOf): string {
  return digest(salt + text);
}

/**
 * Verifies the journal: walks the chain and reports what is wrong and where.
 *
 * The walk continues with the hash stored in each entry, so one fault does not cast doubt on what follows. Rewriting
 * every later hash still leaves a mismatch with the head, which is kept outside the table; if the head is rewritten
 * too, the file alone cannot show it.
 */
export const CHAIN_PROBLEMS = [
  "edited",
  "missing",
  "moved",
  "cut_off",
  "beyond_head",
  "head",
  "payload_edited",
  "payload_missing",
] as const;

export interface ChainProblem {
  number: number;
  problem: (typeof CHAIN_PROBLEMS)[number];
  message: string;
}

export interface ChainVerdict {
  checked: number;
  /** Number of all problems; the list has only the first ones. */
  count: number;
  problems: ChainProblem[];
}

interface ChainWalk {
  /** Entries in order, up to the last one. */
  add(entries: readonly ChainEntry[]): void;
  /** `now` is the head, read after the last entry: entries appended meanwhile are not a fault. */
  finish(now: ChainHead): ChainVerdict;
}

export const PROBLEMS_LIMIT = 50;
/** Up to this many mismatched entries are checked for having swapped places; each is compared with each. */
const SUSPECTS_LIMIT = 100;

/** An entry that does not follow from the one before it, and the hash of its stored payload. */
interface Suspect {
  entry: ChainEntry;
  previous: string;
  kept: string | null;
}

interface Tip {
  seq: number;
  stored: string;
  computed: string;
}

interface Payloads {
  edited: number[];
  absent: Pick<ChainEntry, "seq" | "itemId" | "shelf">[];
  /** The sequence number of each item's last erasure. */
  erasedBefore: Map<string, number>;
  /** Up to this entry the states were dropped because of their age. */
  droppedThrough: number;
  /** Up to here an erasure may itself be missing. */
  unsureBefore: number;
}

interface Walked {
  checked: number;
  last: Tip;
  /** The entry that the head pointed to when the walk began. */
  atHead: Tip | null;
  outside: number[];
  gaps: { from: number; to: number }[];
  suspects: Suspect[];
  /** Further mismatched entries, beyond the limit. */
  broken: number[];
  payloads: Payloads;
}

export function chainWalk(head: ChainHead): ChainWalk {
  const start: Tip = { seq: 0, stored: CHAIN_START, computed: CHAIN_START };
  const walked: Walked = {
    checked: 0,
    last: start,
    atHead: head.length === 0 ? start : null,
    outside: [],
    gaps: [],
    suspects: [],
    broken: [],
    payloads: { edited: [], absent: [], erasedBefore: new Map(), droppedThrough: 0, unsureBefore: 0 },
  };
  return {
    add(entries) {
      for (const entry of entries) {
        follow(walked, entry);
        if (walked.last.seq === head.length) walked.atHead = walked.last;
      }
    },
    finish(now) {
      const problems = problemsOf(walked, head, now).sort((a, b) => a.number - b.number);
      return { checked: walked.checked, count: problems.length, problems: problems.slice(0, PROBLEMS_LIMIT) };
    },
  };
}

function follow(walked: Walked, full: ChainEntry): void {
  const { last, gaps, suspects, broken, payloads } = walked;
  const kept = full.payload && payloadHash(full.payload);
  const entry = { ...full, payload: null };
  const { seq } = entry;
  walked.checked += 1;
  if (seq <= last.seq) return void walked.outside.push(seq);
  if (seq > last.seq + 1) {
    // The next link cannot be checked, and a missing entry may have been an erasure.
    gaps.push({ from: last.seq + 1, to: seq - 1 });
    doubt(payloads, seq);
    walked.last = { seq, stored: entry.hash, computed: entry.hash };
    return comparePayload(payloads, entry, kept);
  }
  const computed = entryHash(last.stored, entry);
  walked.last = { seq, stored: entry.hash, computed };
  // If only the previous entry's hash was edited, its computed hash still leads here.
  const isSound = computed === entry.hash || entryHash(last.computed, entry) === entry.hash;
  if (isSound) return comparePayload(payloads, entry, kept);
  if (suspects.length < SUSPECTS_LIMIT) return void suspects.push({ entry, previous: last.stored, kept });
  broken.push(seq);
  doubt(payloads, seq);
}

/** Compares the stored payload of a sound entry with the hash in the entry. */
function comparePayload(
  payloads: Payloads,
  { seq, itemId, kind, shelf, payloadHash: expected }: ChainEntry,
  kept: string | null,
): void {
  if (kind === "purge_items" || kind === "redact_items") erased(payloads, itemId, seq);
  if (kind === "drop_payloads") dropped(payloads, Math.min(droppedThrough(itemId), seq));
  if (kept === expected) return;
  if (kept === null) payloads.absent.push({ seq, itemId, shelf });
  else payloads.edited.push(seq);
}

function erased({ erasedBefore }: Payloads, itemId: string, before: number): void {
  erasedBefore.set(itemId, Math.max(before, erasedBefore.get(itemId) ?? 0));
}

function dropped(payloads: Payloads, through: number): void {
  payloads.droppedThrough = Math.max(payloads.droppedThrough, through);
}

function doubt(payloads: Payloads, before: number): void {
  payloads.unsureBefore = Math.max(payloads.unsureBefore, before);
}

interface Settled {
  edited: number[];
  /** The current number of each entry, by the number it belongs to. */
  moved: Map<number, number>;
  /** The correct hashes, by number. */
  hashes: Map<number, string>;
}

/** Distinguishes edited entries from those that swapped places and those that merely follow such a one. */
function settle(suspects: readonly Suspect[], payloads: Payloads): Settled {
  const settled: Settled = { edited: [], moved: new Map(), hashes: new Map() };
  for (const { entry, previous: stored, kept } of suspects) {
    const { seq } = entry;
    const previous = settled.hashes.get(seq - 1) ?? stored;
    const fits = (other: ChainEntry) => entryHash(previous, { ...other, seq }) === other.hash;
    // An entry that only followed a moved one fits itself.
    const found = suspects.find((other) => fits(other.entry));
    if (found) {
      const rightful = { ...found.entry, seq };
      settled.moved.set(seq, found.entry.seq);
      settled.hashes.set(seq, rightful.hash);
      // The payload may have stayed with the number or moved with the entry.
      const either = [kept, found.kept];
      const own = either.includes(rightful.payloadHash) ? rightful.payloadHash : either.includes(null) ? null : kept;
      comparePayload(payloads, rightful, own);
    } else {
      settled.edited.push(seq);
      // Its original content is lost; it may have been an erasure.
      const mayHaveDropped = entry.kind === "drop_payloads" || droppedThrough(entry.itemId) > 0;
      if (entry.kind === "purge_items" || entry.kind === "redact_items" || mayHaveDropped) doubt(payloads, seq);
      else erased(payloads, entry.itemId, seq);
    }
  }
  return settled;
}

function problemsOf(walked: Walked, head: ChainHead, now: ChainHead): ChainProblem[] {
  const { last, atHead, outside, gaps, suspects, broken, payloads } = walked;
  const { edited, moved, hashes } = settle(suspects, payloads);
  const isVouched = atHead && [atHead.stored, atHead.computed, hashes.get(head.length)].includes(head.hash);
  const isMiscounted =
    (last.seq < head.length && last.stored === head.hash) ||
    (last.seq > now.length && last.stored === now.hash && isVouched === false);
  const end = isMiscounted ? last.seq : now.length;
  const isCutOff = last.seq < head.length && !isMiscounted;
  if (isCutOff) doubt(payloads, Infinity);
  const within = [
    ...gaps.map(({ from, to }) => problem(from, "missing", `${entriesAre(from, Math.min(to, end))} missing.`)),
    ...[...edited, ...broken].map((seq) => problem(seq, "edited", editedMessage(seq))),
    ...movedProblems(moved),
    ...payloadProblems(payloads),
  ].filter(({ number }) => number <= end);
  // If numbers are missing after the head, report the first existing entry there.
  const beyond = (gaps.find(({ from, to }) => from <= end + 1 && to > end)?.to ?? end) + 1;
  return [
    ...within,
    ...outside.map((seq) => problem(seq, "beyond_head", `Entry ${seq} is out of order in the chain.`)),
    ...(last.seq > end
      ? [problem(beyond, "beyond_head", `${entriesAre(beyond, last.seq)} not known to the head, which ends at ${end}.`)]
      : []),
    ...(isCutOff
      ? [problem(last.seq + 1, "cut_off", `${entriesAre(last.seq + 1, head.length)} cut off at the end of the chain.`)]
      : []),
    ...(isMiscounted
      ? [problem(head.length, "head", `The head was edited: it says ${head.length}, but has the hash of ${last.seq}.`)]
      : []),
    ...(isVouched === false && !isMiscounted ? [problem(head.length, "head", headMessage(head.length))] : []),
  ];
}

const problem = (number: number, kind: ChainProblem["problem"], message: string): ChainProblem => ({
  number,
  problem: kind,
  message,
});

const entriesAre = (from: number, to: number) => (from === to ? `Entry ${from} is` : `Entries ${from} to ${to} are`);

function editedMessage(seq: number): string {
  const alternative = seq > 1 ? `, or entry ${seq - 1} was replaced together with its hash` : "";
  return `Entry ${seq} does not agree with its hash: it was edited${alternative}.`;
}

function headMessage(length: number): string {
  if (length === 0) return "The head of an empty chain was edited.";
  return `Entry ${length} does not agree with the head: the head was edited, or entries up to this one were rewritten.`;
}

function movedProblems(moved: ReadonlyMap<number, number>): ChainProblem[] {
  return [...moved].flatMap(([seq, now]) => {
    if (moved.get(now) !== seq) return [problem(seq, "moved", `Entry ${seq} is now number ${now}.`)];
    return seq < now ? [problem(seq, "moved", `Entries ${seq} and ${now} have swapped places.`)] : [];
  });
}

function payloadProblems({ edited, absent, ...known }: Payloads): ChainProblem[] {
  const { erasedBefore, droppedThrough: through, unsureBefore } = known;
  const lost = absent.filter(({ seq, itemId, shelf }) => {
    const isDropped = seq <= through && LIMITED_SHELVES.includes(shelf);
    return !isDropped && seq >= Math.max(unsureBefore, erasedBefore.get(itemId) ?? 0);
  });
  return [
    ...edited.map((seq) =>
      problem(seq, "payload_edited", `The state before entry ${seq}, which is kept with it, was edited.`),
    ),
    ...lost.map(({ seq }) =>
      problem(seq, "payload_missing", `The state before entry ${seq} is no longer kept, and no erasure says why.`),
    ),
  ];
}
