/**
 * The remaining reads of a shared project.
 *
 * The journal, decisions and what was captured are the team's. What a session was handed, the surface, which shows a
 * person's own memories too, and the index of files are this machine's.
 */
import type { Edge } from "../../graph/edges.ts";
import type { Item } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter, Ranked } from "../../recall/search.ts";
import { rankOf } from "../queue.ts";
import type {
  CaptureReads,
  CareReads,
  ContextReads,
  CorpusReads,
  DecisionReads,
  EdgeReads,
  ItemReads,
  JournalReads,
  LeaseReads,
  LedgerReads,
  QueueReads,
  SearchReads,
  SessionReads,
  SpaceReads,
  Store,
  StoreReport,
} from "../store.ts";
import { byIds, fromAll, isOfFiles, ownAmong, type Parts, storeOf, unlessAway, wantsShared } from "./parts.ts";

/**
 * Numbers of passages and records in two stores at once.
 *
 * Each store counts on its own. Numbers of the own store are raised far above any that a store reaches, so that one number
 * says in which store it is, and an order by number stays one.
 */
const OWN_FROM = 2 ** 50;

export const isOwnNumber = (number: number): boolean => number >= OWN_FROM;
const raised = (number: number): number => number + OWN_FROM;
export const lowered = (number: number): number => number - OWN_FROM;

interface DividedNumbers {
  own: number[];
  shared: number[];
}

export const dividedNumbers = (numbers: readonly number[]): DividedNumbers => ({
  own: numbers.filter(isOwnNumber).map(lowered),
  shared: numbers.filter((number) => !isOwnNumber(number)),
});

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
  noteVerdicts: (notes) => unlessAway(() => shared.noteVerdicts(notes), []),
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

/** Items and edges of a shared project, wherever each is kept. */
const newestFirst = (one: Item, two: Item): number =>
  two.createdAt - one.createdAt || (one.id < two.id ? 1 : one.id > two.id ? -1 : 0);
const byId = (one: { id: string }, two: { id: string }): number => (one.id < two.id ? -1 : one.id > two.id ? 1 : 0);

export function itemReads(parts: Parts): ItemReads {
  const { own, shared } = parts;
  const storeOfWorking = (shelf: Shelf) => (shelf === "memory" ? own : storeOf(shelf, parts));
  return {
    items: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.items(shelf, some)),
    outlines: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.outlines(shelf, some)),
    whole: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.whole(shelf, some)),
    ...chainReads(parts),
    async sameContent(shelf, scope, hash) {
      if (shelf !== "memory") return storeOf(shelf, parts).sameContent(shelf, scope, hash);
      const here = await own.sameContent(shelf, scope, hash);
      return here ?? (scope === "working" ? null : shared.sameContent(shelf, scope, hash));
    },
    fileAt: async (shelf, path) =>
      (await fromAll(shelf, parts, async (store) => [await store.fileAt(shelf, path)])).find((item) => item !== null) ??
      null,
    async list(shelf, filter, page) {
      if (shelf !== "memory") return storeOf(shelf, parts).list(shelf, filter, page);
      if (!wantsShared(shelf, filter)) return own.list(shelf, filter, page);
      const upTo = { limit: page.offset + page.limit, offset: 0 };
      const here = await own.list(shelf, filter, upTo);
      if (here.total === 0) return shared.list(shelf, filter, page);
      const there = await shared.list(shelf, filter, upTo);
      const items = [...here.items, ...there.items].sort(newestFirst).slice(page.offset, upTo.limit);
      return { items, total: here.total + there.total };
    },
    newest: async (shelf, filter, page) =>
      (await fromAll(shelf, parts, (store) => store.newest(shelf, filter, page), wantsShared(shelf, filter)))
        .sort(newestFirst)
        .slice(0, page.limit),
    leaving: (shelf, room) => storeOfWorking(shelf).leaving(shelf, room),
    expired: (shelf, now) => storeOfWorking(shelf).expired(shelf, now),
    walk: async (shelf, page) =>
      (await fromAll(shelf, parts, (store) => store.walk(shelf, page)))
        .sort((one, two) => byId(one.item, two.item))
        .slice(0, page.limit),
    // A memory may be in both, if it was changed here while it moved.
    idsWithPrefix: async (shelf, text, query) =>
      [...new Set(await fromAll(shelf, parts, (store) => store.idsWithPrefix(shelf, text, query)))].slice(
        0,
        query.limit,
      ),
    async newestIds(shelf, limit) {
      if (shelf !== "memory") return storeOf(shelf, parts).newestIds(shelf, limit);
      const [here, there] = [await own.newestIds(shelf, limit), await shared.newestIds(shelf, limit)];
      if (here.length === 0 || there.length === 0) return [...here, ...there];
      // An id begins with its time.
      return [...here, ...there].sort((one, two) => (one < two ? 1 : -1)).slice(0, limit);
    },
    queriesFor: async (ids) => [
      ...new Set((await Promise.all([own, shared].map((one) => one.queriesFor(ids)))).flat()),
    ],
  };
}

/** A chain of successors may begin here and go on there, but not the other way round. */
function chainReads(parts: Parts): Pick<ItemReads, "replacedBy" | "heads"> {
  const { own, shared } = parts;
  return {
    async replacedBy(shelf, ids) {
      if (shelf !== "memory") return storeOf(shelf, parts).replacedBy(shelf, ids);
      const here = await ownAmong(ids, parts);
      const asked = ids.filter((id) => !here.has(id));
      const there = asked.length > 0 ? await shared.replacedBy(shelf, asked) : [];
      return [...there, ...(await own.replacedBy(shelf, [...ids, ...there.map(({ id }) => id)]))];
    },
    async heads(shelf, ids) {
      const heads = new Map(
        await byIds(shelf, ids, parts, async (store, some) => [...(await store.heads(shelf, some))]),
      );
      if (shelf !== "memory") return heads;
      const closed = [...heads.values()].filter(({ status }) => status === "superseded").map(({ id }) => id);
      const here = closed.length > 0 ? await own.items(shelf, closed) : [];
      const next = new Map(here.map(({ id, supersededBy }) => [id, supersededBy ?? id]));
      const there = next.size > 0 ? await shared.heads(shelf, [...new Set(next.values())]) : new Map();
      return new Map([...heads].map(([id, head]) => [id, there.get(next.get(head.id) ?? "") ?? head]));
    },
  };
}

const strongestFirst = (one: Edge, two: Edge): number => two.strength - one.strength || byId(one, two);

/** The ends of an edge are in one store. What is made by itself is made between shared memories only. */
export function edgeReads(parts: Parts): EdgeReads {
  const { own, shared } = parts;
  return {
    edgesOf: async (shelf, ids, query) =>
      (await byIds(shelf, ids, parts, (store, some) => store.edgesOf(shelf, some, query))).sort(strongestFirst),
    async edges(shelf, ids) {
      const here = shelf === "memory" ? await own.edges(shelf, ids) : [];
      return here.length === ids.length ? here : [...here, ...(await shared.edges(shelf, ids))];
    },
    nearPairs: (ids) => unlessAway(() => shared.nearPairs(ids), []),
    newestEdges: (...query) => shared.newestEdges(...query),
    walkEdges: async (shelf, page) =>
      (await fromAll(shelf, parts, (store) => store.walkEdges(shelf, page))).sort(byId).slice(0, page.limit),
    async inDegrees(ids) {
      const there = await byIds("memory", ids, parts, async (store, some) =>
        store === shared && some.length > 0 ? [await shared.inDegrees(some)] : [],
      );
      return there[0] ?? { of: new Map(), most: 0 };
    },
    unlinked: (...query) => shared.unlinked(...query),
    unlinkedAmong: (...query) => shared.unlinkedAmong(...query),
  };
}

// Searches of a shared project, and the queue of passages: memories in both stores, files here, the rest on the server.
//
// A search answers from what is here while the server is away; the world's notices say so.

/** Only memories are in both stores, so only their numbers must tell which. */
const numberIn = (shelf: Shelf, isOwn: boolean) => (number: number) =>
  isOwn && shelf === "memory" ? raised(number) : number;

export function searchReads(parts: Parts): SearchReads {
  const { own, shared } = parts;
  type Search = (store: Store) => Promise<Ranked[]>;
  const search = async (shelf: Shelf, filter: Filter, limit: number, ask: Search): Promise<Ranked[]> => {
    const numbered = async (store: Store) => {
      const number = numberIn(shelf, store === own);
      const found = store === own ? await ask(store) : await unlessAway(() => ask(store), []);
      return found.map((one) => ({ ...one, passage: number(one.passage) }));
    };
    const found = await fromAll(shelf, parts, numbered, wantsShared(shelf, filter));
    return found.sort((one, two) => two.score - one.score).slice(0, limit);
  };
  const inOrder = inOrderOf(parts);
  return {
    filledShelves: async () => [
      ...new Set([...(await own.filledShelves()), ...(await unlessAway(() => shared.filledShelves(), []))]),
    ],
    keyword: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.keyword(shelf, query, filter, limit)),
    substring: (shelf, text, filter, limit) =>
      search(shelf, filter, limit, (store) => store.substring(shelf, text, filter, limit)),
    nearest: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.nearest(shelf, query, filter, limit)),
    nearestByWordpieces: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.nearestByWordpieces(shelf, query, filter, limit)),
    cosines: (shelf, query, passages) => inOrder(shelf, passages, (store, some) => store.cosines(shelf, query, some)),
    wordpieceScores: (shelf, query, passages) =>
      inOrder(shelf, passages, (store, some) => store.wordpieceScores(shelf, query, some)),
    passageVectors: (shelf, embedder, passages) =>
      inOrder(shelf, passages, (store, some) => store.passageVectors(shelf, embedder, some)),
    wordpieceOverlap: (...texts) => own.wordpieceOverlap(...texts),
    ...passageReads(parts),
    speakers: async (shelf, names) => [
      ...new Set(await fromAll(shelf, parts, (store) => unlessAway(() => store.speakers(shelf, names), []))),
    ],
    async wordStatistics(shelf, stems) {
      const frequency = new Map<string, number>();
      const read = (store: Store) => unlessAway(async () => [await store.wordStatistics(shelf, stems)], []);
      const known = await fromAll(shelf, parts, read);
      for (const one of known)
        for (const [stem, count] of one.frequency) frequency.set(stem, (frequency.get(stem) ?? 0) + count);
      return { total: known.reduce((sum, { total }) => sum + total, 0), frequency };
    },
  };
}

/** One answer for each passage, in their order, each from the store that has it. */
const inOrderOf =
  ({ own, shared }: Parts) =>
  async <T>(
    shelf: Shelf,
    passages: readonly number[],
    read: (store: Store, passages: readonly number[]) => Promise<T[]>,
  ): Promise<T[]> => {
    if (isOfFiles(shelf)) return read(own, passages);
    const divided = dividedNumbers(passages);
    const here = divided.own.length > 0 ? await read(own, divided.own) : [];
    const there = divided.shared.length > 0 ? await read(shared, divided.shared) : [];
    const [nextHere, nextThere] = [here.values(), there.values()];
    return passages.map((number) => (isOwnNumber(number) ? nextHere : nextThere).next().value!);
  };

function passageReads(parts: Parts): Pick<SearchReads, "passages" | "neighbours" | "newestPassages" | "firstPassages"> {
  const { own, shared } = parts;
  return {
    async passages(shelf, passages) {
      if (isOfFiles(shelf)) return own.passages(shelf, passages);
      const divided = dividedNumbers(passages);
      const here = divided.own.length > 0 ? await own.passages(shelf, divided.own) : [];
      const there = divided.shared.length > 0 ? await shared.passages(shelf, divided.shared) : [];
      return [...there, ...here.map((one) => ({ ...one, passage: raised(one.passage) }))];
    },
    async neighbours(shelf, passages) {
      if (isOfFiles(shelf)) return own.neighbours(shelf, passages);
      const divided = dividedNumbers(passages);
      const up = (number: number | null) => (number === null ? null : raised(number));
      const here = divided.own.length > 0 ? await own.neighbours(shelf, divided.own) : [];
      const there = divided.shared.length > 0 ? await shared.neighbours(shelf, divided.shared) : [];
      const raisedHere = here.map(({ passage, previous, next }) => ({
        passage: raised(passage),
        previous: up(previous),
        next: up(next),
      }));
      return [...there, ...raisedHere];
    },
    /** Those of this machine come first: their numbers are the higher ones. */
    async newestPassages(shelf, filter, page) {
      if (isOfFiles(shelf)) return own.newestPassages(shelf, filter, page);
      const isBelow = page.before !== null && !isOwnNumber(page.before);
      const before = page.before === null ? null : lowered(page.before);
      const here =
        shelf !== "memory" || isBelow
          ? []
          : (await own.newestPassages(shelf, filter, { ...page, before })).map((one) => ({
              ...one,
              passage: raised(one.passage),
            }));
      if (here.length >= page.limit || !wantsShared(shelf, filter)) return here;
      const rest = { ...page, before: isBelow ? page.before : null, limit: page.limit - here.length };
      return [...here, ...(await shared.newestPassages(shelf, filter, rest))];
    },
    firstPassages: (shelf, ids) =>
      byIds(shelf, ids, parts, async (store, some) => {
        const number = numberIn(shelf, store === own);
        return (await store.firstPassages(shelf, some)).map((one) => ({ ...one, passage: number(one.passage) }));
      }),
  };
}

/** What the server said about leases of its passages. */
export interface SharedLeases {
  /** Until then it is not asked again; what is on this machine is embedded meanwhile. */
  refusedUntil: number;
}

/** A server that is away keeps nobody from searching what is here, so its queue waits. */
export function queueReads({ own, shared }: Parts, leases: SharedLeases): QueueReads {
  const count = async (...query: Parameters<Store["waitingCount"]>) =>
    (await own.waitingCount(...query)) + (await unlessAway(() => shared.waitingCount(...query), 0));
  return {
    async embedderUsedAt(embedder) {
      const here = await own.embedderUsedAt(embedder);
      const there = await unlessAway(() => shared.embedderUsedAt(embedder), here);
      return here === null || there === null ? null : Math.min(here, there);
    },
    async waiting(query) {
      const here = await own.waiting(query);
      const isRefused = query.now < leases.refusedUntil;
      const asked = isRefused ? [] : await unlessAway(() => shared.waiting(query), []);
      // The server has said by now whether it takes vectors.
      const there = shared.readOnly ? [] : asked;
      return [...here.map((one) => ({ ...one, passage: numberIn(one.shelf, true)(one.passage) })), ...there]
        .sort((one, two) => rankOf(one.shelf) - rankOf(two.shelf))
        .slice(0, query.limit);
    },
    waitingCount: count,
    cachedVectors: async (...query) =>
      new Map([
        ...(await unlessAway(() => shared.cachedVectors(...query), new Map<string, never>())),
        ...(await own.cachedVectors(...query)),
      ]),
  };
}
