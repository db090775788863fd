/**
 * The remaining reads of a shared project.
 *
 * The journal, decisions and what was captured are the team's. What a session was handed, the surface, which shows a
 * person's own memories too, and the index of files are this machine's.
 */
import type { CaptureReads } from "../../ports/store/capture.ts";
import type { CareReads } from "../../ports/store/care.ts";
import type { ContextReads } from "../../ports/store/context.ts";
import type { CorpusReads } from "../../ports/store/corpus.ts";
import type { DecisionReads } from "../../ports/store/decisions.ts";
import type { JournalReads } from "../../ports/store/journal.ts";
import type { LeaseReads } from "../../ports/store/leases.ts";
import type { LedgerReads } from "../../ports/store/ledger.ts";
import type { SessionReads } from "../../ports/store/sessions.ts";
import type { SpaceReads } from "../../ports/store/spaces.ts";
import type { Store, StoreReport } from "../../ports/store/store.ts";
import { isOwnNumber, lowered, raised } from "./numbers.ts";
import { type Parts, byIds, unlessAway } from "./parts.ts";

/** Work on this machine, which another person's process does not get in the way of. */
const OWN_LEASES: readonly string[] = ["index", "watch", "watch notes", "digest", "backup", "surface file"];
export const isOwnLease = (name: string): boolean => OWN_LEASES.includes(name);

/** Whoever names no space means what was done here: the last call of somebody else is not theirs to undo in passing. */
export const journalReads = ({ own, shared, space: here }: Parts): JournalReads => ({
  /**
   * Everybody's changes are the server's. Whoever asks for calls or items also means what these did on this machine, as to
   * a working memory that became global; numbers of here are the higher ones, so they come first.
   */
  async journal(query, page) {
    if (!query.calls && !query.itemIds) return shared.journal(query, page);
    const { through } = query;
    const isBelow = through !== undefined && !isOwnNumber(through);
    const mine = { ...query, ...(through !== undefined && { through: lowered(through) }) };
    const found = isBelow ? { records: [], total: 0 } : await own.journal(mine, page);
    const rest = { limit: page.limit - found.records.length, offset: Math.max(0, page.offset - found.total) };
    const there = await shared.journal(query, rest);
    const records = found.records.map((one) => ({
      ...one,
      seq: raised(one.seq),
      transaction: raised(one.transaction),
    }));
    return { records: [...records, ...there.records], total: found.total + there.total };
  },
  latestCalls: (limit, space = here) => shared.latestCalls(limit, space),
  callsSince: (...query) => shared.callsSince(...query),
  chain: (...query) => shared.chain(...query),
  chainHead: () => shared.chainHead(),
  callsWithPrefix: async (text, query) =>
    [...new Set((await Promise.all([shared, own].map((one) => one.callsWithPrefix(text, query)))).flat())].slice(
      0,
      query.limit,
    ),
  journaledIds: (...query) => shared.journaledIds(...query),
});

/** What holds is looked up by every search, which goes on without the server. */
export const decisionReads = ({ shared }: Parts): DecisionReads => ({
  decisionOutlines: (now) => unlessAway(() => shared.decisionOutlines(now), []),
  decisionsRelatingTo: (id) => shared.decisionsRelatingTo(id),
  subjectsOfEvidence: () => shared.subjectsOfEvidence(),
  evidenceAbout: (...query) => shared.evidenceAbout(...query),
  agedEvidence: (...query) => shared.agedEvidence(...query),
  archivedEvidence: (...query) => shared.archivedEvidence(...query),
  archivedBytes: (ids) => shared.archivedBytes(ids),
});

export const corpusReads = ({ own }: Parts): CorpusReads => ({
  fileStates: (which) => own.fileStates(which),
  lastLook: () => own.lastLook(),
  symbols: (...query) => own.symbols(...query),
  symbolsOf: (ids) => own.symbolsOf(ids),
  conventionCounts: (files) => own.conventionCounts(files),
  filesWrittenAfter: (...query) => own.filesWrittenAfter(...query),
  references: () => own.references(),
  unranked: () => own.unranked(),
  linkedTo: (path) => own.linkedTo(path),
  linksFrom: (id) => own.linksFrom(id),
  foundTogetherWith: (...query) => own.foundTogetherWith(...query),
});

/** More than one machine leaves open. */
const MOST_OPEN = 1_000;

/** Those of this machine that the server knows as open. Others' sessions are not ours to end, nor their paths to read. */
async function openHere(before: number, limit: number, { own, shared }: Parts): Promise<string[]> {
  const open: string[] = [];
  for (const transcript of await own.openCheckpoints(before, MOST_OPEN)) {
    if (open.length >= limit) break;
    if ((await shared.checkpoint(transcript))?.isOpen) open.push(transcript);
  }
  return open;
}

/** Whoever reads sessions joins what several stores know of one. */
export const captureReads = (parts: Parts): CaptureReads => {
  const { own, shared } = parts;
  return {
    sessionTraces: async () => [...(await own.sessionTraces()), ...(await shared.sessionTraces())],
    sessionOutlines: async (page) => [...(await own.sessionOutlines(page)), ...(await shared.sessionOutlines(page))],
    knownEvents: (ids) => shared.knownEvents(ids),
    events: (query) => shared.events(query),
    walkEvents: (page) => shared.walkEvents(page),
    walkCheckpoints: (page) => shared.walkCheckpoints(page),
    eventCount: (query) => shared.eventCount(query),
    checkpoint: (transcript) => shared.checkpoint(transcript),
    openCheckpoints: (before, limit) => openHere(before, limit, parts),
    captureCounts: () => shared.captureCounts(),
    evidenceSize: (since) => shared.evidenceSize(since),
    isEvidenceBelow: (bytes) => shared.isEvidenceBelow(bytes),
    sessionsOf: async (ids) => [...new Set(await byIds("memory", ids, parts, (store, some) => store.sessionsOf(some)))],
  };
};

export const contextReads = ({ own, shared }: Parts): ContextReads => ({
  async surfaceCandidates(query) {
    const [here, there] = [await own.surfaceCandidates(query), await shared.surfaceCandidates(query)];
    return {
      ids: [...there.ids, ...here.ids],
      newest: [...here.newest, ...there.newest].slice(0, query.newest),
      mostAccesses: Math.max(here.mostAccesses, there.mostAccesses),
    };
  },
  keptSurface: (branch) => own.keptSurface(branch),
  keptSurfaces: () => own.keptSurfaces(),
  surfaceRuns: (limit) => own.surfaceRuns(limit),
  injectedIn: (session) => own.injectedIn(session),
  injections: (session) => own.injections(session),
});

/** Cards are made of evidence, and are where it is. What a session was handed is this machine's. */
export const sessionReads = ({ own, shared }: Parts): SessionReads => ({
  evidenceOf: (session) => shared.evidenceOf(session),
  sessionCards: (query) => unlessAway(() => shared.sessionCards(query), []),
  staleSessions: (...query) => shared.staleSessions(...query),
  errorsMet: (...query) => unlessAway(() => shared.errorsMet(...query), []),
  recurringErrors: (...query) => shared.recurringErrors(...query),
  unusedCaptured: (limit) => shared.unusedCaptured(limit),
  noteVerdicts: (notes) => shared.noteVerdicts(notes),
  handovers: (query) => own.handovers(query),
});

type NumberPage = { after: number; limit: number };

export function careReads({ own, shared }: Parts): CareReads {
  /** Ascending numbers: first those of the server, then those of this machine. */
  async function inTurn<T>(
    page: NumberPage,
    read: (store: Store, page: NumberPage) => Promise<T[]>,
    raise: (one: T) => T,
  ): Promise<T[]> {
    const there = isOwnNumber(page.after) ? [] : await read(shared, page);
    if (there.length >= page.limit) return there;
    const after = isOwnNumber(page.after) ? lowered(page.after) : 0;
    return [...there, ...(await read(own, { after, limit: page.limit - there.length })).map(raise)];
  }
  const numbered = <T extends { seq: number }>(one: T): T => ({ ...one, seq: raised(one.seq) });
  return {
    aging: (...query) => shared.aging(...query),
    agedAccesses: (before, page) => inTurn(page, (store, some) => store.agedAccesses(before, some), raised),
    agedPayloads: (before, page) => inTurn(page, (store, some) => store.agedPayloads(before, some), raised),
    async statistics(...query) {
      const [here, there] = [await own.statistics(...query), await shared.statistics(...query)];
      return { ...there, cachedVectors: here.cachedVectors + there.cachedVectors };
    },
    async redactedBy() {
      const [here, there] = [await own.redactedBy(), await shared.redactedBy()];
      return here === there ? here : null;
    },
    keptStates: (page) => inTurn(page, (store, some) => store.keptStates(some), numbered),
    keptQuestions: (page) => inTurn(page, (store, some) => store.keptQuestions(some), numbered),
    clockMarks: () => shared.clockMarks(),
    /** Only the file of this machine can be rewritten from here. */
    size: () => own.size(),
  };
}

export const otherReads = ({ own, shared }: Parts): LeaseReads & SpaceReads & LedgerReads => ({
  leaseHolder: (name, ...when) => (isOwnLease(name) ? own : shared).leaseHolder(name, ...when),
  spaces: () => own.spaces(),
  usedTokens: (of) => own.usedTokens(of),
  usage: (since) => own.usage(since),
});

export async function reportOf({ own, shared }: Parts): Promise<StoreReport> {
  const [here, there] = [await own.report(), await shared.report()];
  const waiting = new Map<string, number>();
  for (const one of [...here.embedders, ...there.embedders])
    waiting.set(one.identity, (waiting.get(one.identity) ?? 0) + one.waiting);
  return {
    ...there,
    counts: [...there.counts, ...here.counts],
    embeddable: here.embeddable + there.embeddable,
    embedders: [...waiting].map(([identity, count]) => ({ identity, waiting: count })),
    accesses: {
      get: here.accesses.get + there.accesses.get,
      search: here.accesses.search + there.accesses.search,
      shown: here.accesses.shown + there.accesses.shown,
    },
  };
}
