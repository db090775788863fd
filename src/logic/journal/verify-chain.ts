/**
 * Verifies the journal: walks the chain and names what is wrong, and where.
 *
 * The walk goes on with the hash that stands in an entry, so a fault casts no doubt on what
 * follows it. Whoever writes every later hash anew still meets the head, which is kept
 * outside the table; whoever writes that anew too is beyond what a file can tell of itself.
 */
import type { ChainEntry, ChainHead } from "../../model/journal/journal.ts";
import { CHAIN_START, entryHash, payloadHash } from "./journal-chain.ts";

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
  /** Of all problems; the list has only the first. */
  count: number;
  problems: ChainProblem[];
}

export interface ChainWalk {
  /** Entries in their order, up to the last there is. */
  add(entries: readonly ChainEntry[]): void;
  /** `now` is the head read after the last entry: what was appended meanwhile is no fault. */
  finish(now: ChainHead): ChainVerdict;
}

export const PROBLEMS_LIMIT = 50;
/** Among so many that do not fit, those that changed places are looked for; each is tried against each. */
const SUSPECTS_LIMIT = 100;

/** An entry that does not follow from the one before it, and the hash of what is kept with it. */
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
  absent: { seq: number; itemId: string }[];
  /** The last erasure of each item. */
  erasedBefore: Map<string, number>;
  /** Up to here an erasure may itself have been lost. */
  unsureBefore: number;
}

interface Walked {
  checked: number;
  last: Tip;
  /** The entry at which the head stood when the walk began. */
  atHead: Tip | null;
  outside: number[];
  gaps: { from: number; to: number }[];
  suspects: Suspect[];
  /** More entries that do not follow. */
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
    payloads: { edited: [], absent: [], erasedBefore: new Map(), unsureBefore: 0 },
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

function follow(walked: Walked, whole: ChainEntry): void {
  const { last, gaps, suspects, broken, payloads } = walked;
  const kept = whole.payload && payloadHash(whole.payload);
  const entry = { ...whole, payload: null };
  const { seq } = entry;
  walked.checked += 1;
  if (seq <= last.seq) return void walked.outside.push(seq);
  if (seq > last.seq + 1) {
    // The next link cannot be checked, and what is gone may have been an erasure.
    gaps.push({ from: last.seq + 1, to: seq - 1 });
    doubt(payloads, seq);
    walked.last = { seq, stored: entry.hash, computed: entry.hash };
    return weigh(payloads, entry, kept);
  }
  const computed = entryHash(last.stored, entry);
  walked.last = { seq, stored: entry.hash, computed };
  // Where only the hash before was edited, the one that was computed for it still leads here.
  const isSound = computed === entry.hash || entryHash(last.computed, entry) === entry.hash;
  if (isSound) return weigh(payloads, entry, kept);
  if (suspects.length < SUSPECTS_LIMIT) return void suspects.push({ entry, previous: last.stored, kept });
  broken.push(seq);
  doubt(payloads, seq);
}

/** Compares what is kept with a sound entry to what the entry says. */
function weigh(
  payloads: Payloads,
  { seq, itemId, kind, payloadHash: expected }: ChainEntry,
  kept: string | null,
): void {
  if (kind === "purge_items") erased(payloads, itemId, seq);
  if (kept === expected) return;
  if (kept === null) payloads.absent.push({ seq, itemId });
  else payloads.edited.push(seq);
}

function erased({ erasedBefore }: Payloads, itemId: string, before: number): void {
  erasedBefore.set(itemId, Math.max(before, erasedBefore.get(itemId) ?? 0));
}

function doubt(payloads: Payloads, before: number): void {
  payloads.unsureBefore = Math.max(payloads.unsureBefore, before);
}

interface Settled {
  edited: number[];
  /** Where each entry stands now, by where it belongs. */
  moved: Map<number, number>;
  /** The hashes that belong to these numbers. */
  hashes: Map<number, string>;
}

/** Tells entries that were edited from those that changed places, and from those that only follow such a one. */
function settle(suspects: readonly Suspect[], payloads: Payloads): Settled {
  const settled: Settled = { edited: [], moved: new Map(), hashes: new Map() };
  for (const { entry, previous: stored, kept } of suspects) {
    const { seq } = entry;
    const previous = settled.hashes.get(seq - 1) ?? stored;
    const fits = (other: ChainEntry) => entryHash(previous, { ...other, seq }) === other.hash;
    // It fits itself when it only followed one that was moved.
    const found = suspects.find((other) => fits(other.entry));
    if (found) {
      const rightful = { ...found.entry, seq };
      settled.moved.set(seq, found.entry.seq);
      settled.hashes.set(seq, rightful.hash);
      // What is kept may have stayed with the number or gone with the entry.
      const either = [kept, found.kept];
      const own = either.includes(rightful.payloadHash) ? rightful.payloadHash : either.includes(null) ? null : kept;
      weigh(payloads, rightful, own);
    } else {
      settled.edited.push(seq);
      // What it said is lost; it may have been an erasure.
      if (entry.kind === "purge_items") doubt(payloads, seq);
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
    ...gaps.map(({ from, to }) => problem(from, "missing", `${those(from, Math.min(to, end))} missing.`)),
    ...[...edited, ...broken].map((seq) => problem(seq, "edited", editedMessage(seq))),
    ...movedProblems(moved),
    ...payloadProblems(payloads),
  ].filter(({ number }) => number <= end);
  // Where numbers are left out behind the head, the first entry there is meant.
  const beyond = (gaps.find(({ from, to }) => from <= end + 1 && to > end)?.to ?? end) + 1;
  return [
    ...within,
    ...outside.map((seq) => problem(seq, "beyond_head", `Entry ${seq} stands outside the order of the chain.`)),
    ...(last.seq > end
      ? [problem(beyond, "beyond_head", `${those(beyond, last.seq)} not known to the head, which ends at ${end}.`)]
      : []),
    ...(isCutOff
      ? [problem(last.seq + 1, "cut_off", `${those(last.seq + 1, head.length)} cut off at the end of the chain.`)]
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

const those = (from: number, to: number) => (from === to ? `Entry ${from} is` : `Entries ${from} to ${to} are`);

function editedMessage(seq: number): string {
  const otherwise = seq > 1 ? `, or entry ${seq - 1} was replaced together with its hash` : "";
  return `Entry ${seq} does not agree with its hash: it was edited${otherwise}.`;
}

function headMessage(length: number): string {
  if (length === 0) return "The head of an empty chain was edited.";
  return `Entry ${length} does not agree with the head: the head was edited, or entries up to this one were written anew.`;
}

function movedProblems(moved: ReadonlyMap<number, number>): ChainProblem[] {
  return [...moved].flatMap(([seq, now]) => {
    if (moved.get(now) !== seq) return [problem(seq, "moved", `Entry ${seq} now stands as number ${now}.`)];
    return seq < now ? [problem(seq, "moved", `Entries ${seq} and ${now} have changed places.`)] : [];
  });
}

function payloadProblems({ edited, absent, erasedBefore, unsureBefore }: Payloads): ChainProblem[] {
  const lost = absent.filter(({ seq, itemId }) => seq >= Math.max(unsureBefore, erasedBefore.get(itemId) ?? 0));
  return [
    ...edited.map((seq) =>
      problem(seq, "payload_edited", `The state before entry ${seq}, which is kept with it, was edited.`),
    ),
    ...lost.map(({ seq }) =>
      problem(seq, "payload_missing", `The state before entry ${seq} is no longer kept, and no erasure says why.`),
    ),
  ];
}
