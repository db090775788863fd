/**
 * Takes out of both stores, and of everything beside them, what today's rules call a secret.
 *
 * A person agrees to exactly what was found. Then the stores are swept and compacted, the backups cleaned, and reports
 * and files with a secret removed. That the rules have been applied is noted last, so that an interrupted run is offered
 * again.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { eraseSurfaceIf } from "../briefing/write-surface.ts";
import type { Consent } from "../catalog/question.ts";
import { fingerprint } from "../decisions/consent.ts";
import { Failure, isForbidden } from "../errors.ts";
import { type Edge, EDGE_SHELVES, type EdgeShelf } from "../graph/edges.ts";
import type { Change, RedactedItem } from "../journal/change.ts";
import { tracesAfter } from "../maintenance/compact.ts";
import { holdLease } from "../maintenance/lease.ts";
import type { Item } from "../memory/item.ts";
import { passagesOf, withTokens } from "../memory/passages.ts";
import { type Shelf, SHELVES } from "../memory/shelves.ts";
import { digest } from "../sessions/digest.ts";
import type { Store, WholeItem } from "../store/store.ts";
import type { Stores, World } from "../world.ts";
import { cleanDeep, redactedItem, redactedPassages, redactor } from "./redact.ts";
import { RULES_FINGERPRINT } from "./rules-fingerprint.ts";

// Goes over everything that a store keeps, with the rules of today, and takes secrets out.
//
// Works in small transactions, so that others get their turn and a run that is interrupted has done what it has done:
// the next one finds only the rest. Reports where each rule found something, never what.

/** Where a secret may be kept. */
export const SECRET_PLACES = [
  ...SHELVES,
  ...(["journal", "question", "event", "checkpoint", "surface", "report", "file"] as const),
] as const;
type SecretPlace = (typeof SECRET_PLACES)[number];

interface SecretFinding {
  shelf: SecretPlace;
  /** Of the item, event or report; of a question its number in the access log. */
  id: string;
  rule: string;
  count: number;
}

interface Sweep {
  store: Store;
  /** Only looks if false. */
  write: boolean;
  found(finding: SecretFinding): void;
  /** Told of what stays as it is, because the person's role in a shared project does not allow changing it. */
  left?(place: SecretPlace, id: string): void;
  /** Called between two batches. */
  pulse?(): Promise<unknown>;
}

type SweepWorld = Pick<World, "tokenizer" | "log" | "origin">;

const PAGE_ITEMS = 20;
const PAGE_ROWS = 200;
const ATTEMPTS = 5;

/** Returns whether anything was found. */
export async function sweepStore(sweep: Sweep, world: SweepWorld): Promise<boolean> {
  let isFound = false;
  const own: Sweep = {
    ...sweep,
    found(finding) {
      isFound = true;
      sweep.found(finding);
    },
  };
  for (const shelf of SHELVES) await sweepShelf(shelf, own, world);
  // Before the journal, which then has the conditions as they were.
  for (const shelf of EDGE_SHELVES) await sweepConditions(shelf, own, world);
  await sweepStates(own, world);
  await sweepQuestions(own, world);
  await sweepEvents(own, world);
  await sweepCheckpoints(own, world);
  await sweepSurfaces(own, world);
  return isFound;
}

const pause = async ({ pulse }: Sweep): Promise<void> => {
  await pulse?.();
  // The store answers synchronously, so other work of this process gets its turn here.
  await immediate();
};

async function sweepShelf(shelf: Shelf, sweep: Sweep, world: SweepWorld): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: WholeItem[] = await sweep.store.walk(shelf, { after, limit: PAGE_ITEMS });
    const held = page.filter((whole) => tellsOf(shelf, whole, sweep));
    const ids = held.map(({ item }) => item.id);
    if (ids.length > 0 && sweep.write)
      await allowed(ids, shelf, sweep, world, async (some) => [await redactingItems(shelf, some, sweep, world)]);
    if (page.length < PAGE_ITEMS) return;
    after = page.at(-1)!.item.id;
    await pause(sweep);
  }
}

/** Files and evidence keep their lines, because others refer to them. */
const keepsLines = (shelf: Shelf): boolean => shelf === "evidence" || isOfFiles(shelf);
const isOfFiles = (shelf: Shelf): boolean => shelf === "document" || shelf === "code";

/**
 * Evidence and notes are cut where somebody else saw fit. Passages of everything else follow from the content, and a rule
 * that takes a piece of it for what the whole is not would find the same again after every redaction.
 */
const isCutElsewhere = (shelf: Shelf, { path }: Item): boolean =>
  shelf === "evidence" || (path !== null && !isOfFiles(shelf));

function tellsOf(shelf: Shelf, { item, passages }: WholeItem, { found }: Sweep): boolean {
  const own = redactor({ keepsLines: keepsLines(shelf) });
  const isHeld = redactedItem(item, own.clean) !== item;
  const beside = redactor();
  const apart = isHeld || !isCutElsewhere(shelf, item) ? [] : passages;
  for (const { text, heading } of apart) cleanDeep([text, heading], beside.clean);
  const redactions = isHeld ? own.redactions() : beside.redactions();
  for (const { rule, count } of redactions) found({ shelf, id: item.id, rule, count });
  return redactions.length > 0;
}

/** As the items are now; those that are gone need nothing. */
async function redactingItems(
  shelf: Shelf,
  ids: readonly string[],
  { store }: Sweep,
  world: SweepWorld,
): Promise<Change> {
  const items: RedactedItem[] = [];
  for (const { item, passages, embed } of await store.whole(shelf, ids)) {
    const { id, version: expectedVersion } = item;
    if (isOfFiles(shelf)) {
      items.push({ id, expectedVersion, after: null });
      continue;
    }
    const { clean } = redactor({ keepsLines: keepsLines(shelf) });
    const after = redactedItem(item, clean);
    const cut = await passagesAfter(shelf, { item, passages, embed }, after, world);
    items.push({ id, expectedVersion, after: { item: after, passages: cut, embed } });
  }
  return { kind: "redact_items", shelf, items };
}

async function passagesAfter(
  shelf: Shelf,
  { item, passages }: WholeItem,
  after: Item,
  world: SweepWorld,
): Promise<WholeItem["passages"]> {
  if (!isCutElsewhere(shelf, item)) return passagesOf(after, world);
  const { clean } = redactor({ keepsLines: true });
  return withTokens(redactedPassages(passages, item.content, after.content, clean), world, passages);
}

/** Under which conditions two items both hold. Found at the first of the two. */
async function sweepConditions(shelf: EdgeShelf, sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  for (let after: string | null = null; ; ) {
    const page: Edge[] = await store.walkEdges(shelf, { after, limit: PAGE_ROWS });
    for (const edge of page) {
      const { clean, redactions } = redactor();
      const verdict = cleanDeep(edge.verdict, clean) as Edge["verdict"];
      for (const { rule, count } of redactions()) found({ shelf, id: edge.source, rule, count });
      if (redactions().length > 0 && write)
        await allowed([edge.source], shelf, sweep, world, async () => {
          const isThere = (await store.edges(shelf, [edge.id])).length > 0;
          const cleaned: Change = { kind: "insert_edge", edge: { ...edge, verdict } };
          return isThere ? [{ kind: "remove_edge", shelf, id: edge.id }, cleaned] : [];
        });
    }
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.id;
    await pause(sweep);
  }
}

async function sweepStates(sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  for (let after = 0; ; ) {
    const page = await store.keptStates({ after, limit: PAGE_ROWS });
    const held = new Map<string, Shelf>();
    for (const { shelf, itemId, payload } of page) {
      const { clean, redactions } = redactor();
      cleanDeep(stateIn(payload), clean);
      for (const { rule, count } of redactions()) found({ shelf: "journal", id: itemId, rule, count });
      // In a shared store anybody may have written what the entry calls its shelf.
      if (redactions().length > 0 && SHELVES.includes(shelf)) held.set(itemId, shelf);
    }
    for (const [id, shelf] of write ? held : [])
      await allowed([id], "journal", sweep, world, () => redactingStates(shelf, id, sweep));
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.seq;
    await pause(sweep);
  }
}

function stateIn(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    // Searched as it is written.
    return payload;
  }
}

async function redactingStates(shelf: Shelf, id: string, { store }: Sweep): Promise<Change[]> {
  const [item] = await store.items(shelf, [id]);
  return [{ kind: "redact_items", shelf, items: [{ id, expectedVersion: item?.version ?? null }] }];
}

async function sweepQuestions(sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  for (let after = 0; ; ) {
    const page = await store.keptQuestions({ after, limit: PAGE_ROWS });
    const held = page.filter(({ seq, query }) => {
      const { clean, redactions } = redactor();
      clean(query);
      for (const { rule, count } of redactions()) found({ shelf: "question", id: String(seq), rule, count });
      return redactions().length > 0;
    });
    const queries = [...new Set(held.map(({ query }) => query))];
    if (queries.length > 0 && write)
      await applied(sweep, world, async () => [{ kind: "purge_items", ids: [], queries }]);
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.seq;
    await pause(sweep);
  }
}

async function sweepEvents(sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  for (let after = ""; ; ) {
    const page = await store.walkEvents({ after, limit: PAGE_ROWS });
    const events = page.flatMap(({ id, payload }) => {
      const { clean, redactions } = redactor();
      const cleaned = cleanDeep(payload, clean) as typeof payload;
      for (const { rule, count } of redactions()) found({ shelf: "event", id, rule, count });
      return redactions().length > 0 ? [{ id, payload: cleaned }] : [];
    });
    if (events.length > 0 && write) await applied(sweep, world, async () => [{ kind: "redact_events", events }]);
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.id;
    await pause(sweep);
  }
}

async function sweepCheckpoints(sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  for (let after = ""; ; ) {
    const page = await store.walkCheckpoints({ after, limit: PAGE_ROWS });
    for (const { transcript, state } of page) {
      const { clean, redactions } = redactor();
      cleanDeep(state, clean);
      for (const { rule, count } of redactions()) found({ shelf: "checkpoint", id: transcript, rule, count });
      if (redactions().length > 0 && write) await applied(sweep, world, () => redactingCheckpoint(transcript, store));
    }
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.transcript;
    await pause(sweep);
  }
}

/** Whoever reads the transcript now must notice: its time changes. */
async function redactingCheckpoint(transcript: string, store: Store): Promise<Change[]> {
  const checkpoint = await store.checkpoint(transcript);
  if (!checkpoint) return [];
  const { offset, updatedAt, state } = checkpoint;
  const cleaned = { ...checkpoint, state: cleanDeep(state, redactor().clean), updatedAt: updatedAt + 1 };
  return [{ kind: "save_checkpoint", checkpoint: cleaned, expectedOffset: offset, expectedUpdatedAt: updatedAt }];
}

const RUNS_MOST = 1_000;

const HANDOVERS_MOST = 10_000;

/** Surfaces can be made again, so all of them go; and what sessions were handed, which may quote what another store had. */
async function sweepSurfaces(sweep: Sweep, world: SweepWorld): Promise<void> {
  const { store, write, found } = sweep;
  const kept = await store.keptSurfaces();
  const runs = (await store.surfaceRuns(RUNS_MOST)).map(({ branch }) => ({ branch, text: "" }));
  const branches = new Set<string>();
  for (const { branch, text } of [...kept, ...runs]) {
    const { clean, redactions } = redactor();
    cleanDeep([branch, text], clean);
    if (redactions().length > 0 && !branches.has(branch))
      for (const { rule, count } of redactions()) found({ shelf: "surface", id: clean(branch), rule, count });
    if (redactions().length > 0) branches.add(branch);
  }
  const handovers: string[] = [];
  for (const { id, session, text, files } of await store.handovers({ limit: HANDOVERS_MOST })) {
    const { clean, redactions } = redactor();
    cleanDeep([session, text, files], clean);
    for (const { rule, count } of redactions()) found({ shelf: "surface", id, rule, count });
    if (redactions().length > 0) handovers.push(id);
  }
  if (branches.size + handovers.length > 0 && write)
    await applied(sweep, world, async () => [{ kind: "drop_surfaces", branches: [...branches], handovers }]);
}

/** One by one where not all are allowed: a writer changes proposals, but not those that a ratifier has ratified. */
async function allowed(
  ids: readonly string[],
  place: SecretPlace,
  sweep: Sweep,
  world: SweepWorld,
  plan: (ids: readonly string[]) => Promise<Change[]>,
): Promise<void> {
  try {
    await applied(sweep, world, () => plan(ids));
  } catch (thrown) {
    if (!isForbidden(thrown)) throw thrown;
    if (ids.length === 1) sweep.left?.(place, ids[0]!);
    else for (const id of ids) await allowed([id], place, sweep, world, plan);
  }
}

/** Plans again when something was changed in the meantime. */
async function applied({ store }: Sweep, { origin }: SweepWorld, plan: () => Promise<Change[]>): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if ((await store.apply(await plan(), origin)).status === "applied") return;
  }
  throw new Failure("conflict", "Something keeps changing what holds a secret.", "Run `stele redact` again.");
}

interface StoredSecrets {
  /** In the order in which the stores keep them. */
  findings: SecretFinding[];
  /** Copies in backups that were not gone over by today's rules. What they hold is not known yet. */
  copies: number;
  /** A fingerprint of all this; null if there is nothing to do. */
  about: string | null;
}

interface RedactedStored extends Pick<StoredSecrets, "findings"> {
  /** What stays as it is until somebody redacts whose role in the shared project allows it. */
  left: SecretFinding[];
  /** Backup copies in which something was found. */
  backups: number;
  /** Files that may still hold a secret. */
  traces: string[];
}

const LEASE = "redact";
const PATIENCE_MS = 5_000;
const REPORTS_MOST = 100_000;

type LookWorld = Stores & Pick<World, "tokenizer" | "log" | "origin" | "progress" | "backups">;

/** What both stores hold, and whether there are backups to go over. Only reads. */
export async function storedSecrets(world: LookWorld): Promise<StoredSecrets> {
  const findings: SecretFinding[] = [];
  for (const store of [world.project, world.global])
    await sweepStore({ store, write: false, found: (finding) => findings.push(finding) }, world);
  const copies = await world.backups.countUnredacted(RULES_FINGERPRINT);
  return { findings, copies, about: findings.length + copies > 0 ? fingerprint([findings, copies]) : null };
}

/** Null if another process is doing it. */
export async function redactStored(consent: Consent | null, world: World): Promise<RedactedStored | null> {
  // Access is recorded after an answer, and what hooks reported is redacted as it is taken in.
  await world.afterwards.settle();
  await digest(world, { patienceMs: PATIENCE_MS });
  return holdLease(LEASE, { patienceMs: PATIENCE_MS }, { ...world, store: world.project }, async (lease) => {
    const { findings, about } = await storedSecrets(world);
    needAgreement(about, consent);
    const total = findings.length;
    let done = 0;
    const found = () => world.progress.report((done += 1), Math.max(done, total), "Redacting");
    const stores = [world.project, world.global];
    const kept = new Set<string>();
    const left = (place: string, id: string) => void kept.add(`${place} ${id}`);
    for (const store of stores)
      await sweepStore({ store, write: true, found, left, pulse: () => lease.renew() }, world);
    // Otherwise they are redacted when they are taken in.
    const reports = consent === null ? [] : await dropReports(world);
    const unclean = await world.project.goFirst(() => world.global.goFirst(() => tracesAfter(stores)));
    const surfaces = await eraseSurfaceIf(holdsSecret, world);
    const backups = await cleanBackups(world);
    // What is left in a file, or to somebody else, is erased by the next run, so that is offered.
    const noting: Change[] = unclean.length > 0 ? [] : [{ kind: "note_redaction", rules: RULES_FINGERPRINT }];
    for (const store of kept.size > 0 ? [world.global] : stores) await store.apply(noting, world.origin);
    const traces = [...unclean, ...surfaces, ...backups.traces];
    const isLeft = ({ shelf, id }: SecretFinding) => kept.has(`${shelf} ${id}`);
    const taken = [...findings.filter((one) => !isLeft(one)), ...reports];
    return { findings: taken, left: findings.filter(isLeft), backups: backups.copies, traces };
  });
}

function needAgreement(about: string | null, consent: Consent | null): void {
  if (about === null || consent?.about === about) return;
  throw new Failure(
    "conflict",
    "What would be redacted changed in the meantime; nothing was changed.",
    "Run `stele redact --dry-run` to see it, then try again.",
  );
}

function holdsSecret(text: string): boolean {
  const { clean, redactions } = redactor();
  clean(text);
  return redactions().length > 0;
}

/** Reports that could not be taken in, for example while recording is paused. */
async function dropReports({ spool }: Pick<World, "spool">): Promise<SecretFinding[]> {
  const findings: SecretFinding[] = [];
  for (const name of await spool.list(REPORTS_MOST)) {
    const report = await spool.read(name);
    const { clean, redactions } = redactor();
    cleanDeep(report, clean);
    if (redactions().length === 0) continue;
    findings.push(...redactions().map(({ rule, count }) => ({ shelf: "report" as const, id: name, rule, count })));
    await spool.remove(name);
  }
  return findings;
}

async function cleanBackups(world: World): Promise<{ copies: number; traces: string[] }> {
  let copies = 0;
  const traces = await world.backups
    .rewrite(async (store) => {
      const isFound = await sweepStore({ store, write: true, found: () => undefined }, world);
      const isNoted = (await store.redactedBy()) === RULES_FINGERPRINT;
      await store.apply([{ kind: "note_redaction", rules: RULES_FINGERPRINT }], world.origin);
      if (isFound) copies += 1;
      return isFound || !isNoted;
    })
    .catch(() => [world.backups.pathOf("")]);
  return { copies, traces };
}

// Suggests `redact` when the rules have changed since the stores were last redacted. Reads no text.

/** One line, or none. */
export async function suggestRedaction({ project, global }: Stores): Promise<string[]> {
  const known = await Promise.all([project.redactedBy(), global.redactedBy()]);
  if (known.every((rules) => rules === RULES_FINGERPRINT)) return [];
  return ["The rules for secrets have changed: `stele redact --dry-run` looks for those that older rules missed."];
}
