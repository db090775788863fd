/**
 * Watches files, so that a long-lived process keeps the index current.
 *
 * One process per project watches, under a lease; the others check from time to time whether it is free. The lease
 * alone proves nothing: only the watching process knows whether changes are pending. Watching never keeps the process
 * alive, and if it fails, searches check the files themselves.
 */
import { setImmediate as eventsFirst } from "node:timers/promises";
import type { IndexKeeper, Watching } from "../ports.ts";
import type { World } from "../world.ts";
import type { OnlyNotes } from "./corpus.ts";
import { type IndexRequest, refresh } from "./index-project.ts";

const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** Waits for a current run of another process, which may have checked a file before it changed. */
const PATIENCE_MS = 60_000;

interface Watched {
  lease: string;
  /** What is indexed after a change. */
  only: OnlyNotes;
  isWanted(): Promise<boolean>;
  watch(onChange: () => void): Promise<Watching>;
}

/** Whether this process watches the files and has indexed all changes. */
export async function isKeptCurrent(only: OnlyNotes, { indexing }: Pick<World, "indexing">): Promise<boolean> {
  const watching = [...indexing.keepers].filter((keeper) => keeper.only === only && keeper.isWatching());
  if (watching.length === 0) return false;
  // File events are delivered between turns of the event loop, and the current turn may have begun before the change.
  await eventsFirst();
  await eventsFirst();
  for (const keeper of watching) if (await keeper.isCurrent()) return true;
  return false;
}

export function startWatching(world: World): { stop(): void } {
  const { project, projectFiles, notes, settings, indexing } = world;
  if (settings.index.watch === "off" || project.readOnly) return { stop: () => undefined };
  const files: Watched = {
    lease: "watch",
    only: undefined,
    // A project that was never indexed is not watched, unless that is wanted.
    isWanted: async () => indexing.isWanted || (await project.lastLook()) !== null,
    watch: (onChange) => projectFiles.watch(settings.index, onChange),
  };
  const works = [keepCurrent(files, world)];
  if (notes) {
    const watched = { lease: "watch notes", only: "notes", isWanted: async () => true } as const;
    works.push(keepCurrent({ ...watched, watch: notes.watch }, world));
  }
  for (const work of works) indexing.keepers.add(work);
  return {
    stop() {
      for (const work of works) {
        indexing.keepers.delete(work);
        work.stop();
      }
    },
  };
}

function keepCurrent({ lease, only, isWanted, watch }: Watched, world: World): IndexKeeper {
  const { project, log, origin } = world;
  const owner = world.ids.next();
  const behind = createBacklog({ only }, world);
  let watcher: Watching | null = null;
  let stopped = false;
  let turning: Promise<void> | null = null;

  async function hold(): Promise<void> {
    if (!(await isWanted()) || stopped) return;
    const at = world.clock.now();
    const taking = { kind: "take_lease", name: lease, owner, at, until: at + LEASE_MS } as const;
    const isOurs = (await project.apply([taking], origin, { impatient: true })).status === "applied";
    if (!isOurs || stopped) return end();
    if (watcher) return behind.retry();
    try {
      watcher = await watch(behind.note);
    } catch (thrown) {
      await release();
      throw thrown;
    }
    // Changes made before the watcher was ready were not reported.
    if (!stopped) behind.note();
  }
  async function end(): Promise<void> {
    const closing = watcher;
    watcher = null;
    await closing?.close();
  }
  const release = () => project.apply([{ kind: "release_lease", name: lease, owner }], origin);
  const logFailure = (thrown: Error) => log.debug(`watching failed: ${thrown.message}`);
  function turn(): void {
    turning ??= hold()
      .catch(logFailure)
      .finally(() => (turning = null));
  }

  const timer = setInterval(turn, RENEW_MS).unref();
  turn();
  return {
    only,
    isWatching: () => watcher !== null,
    isCurrent: async () => (await behind.isEmpty()) && !stopped && watcher !== null && watcher.isQuiet(),
    stop() {
      stopped = true;
      behind.close();
      clearInterval(timer);
      // A turn under way may be about to take the lease or to start watching.
      const stopping = Promise.resolve(turning).then(end).then(release).catch(logFailure);
      world.afterwards.add("stop watching", () => stopping);
    },
  };
}

interface Backlog {
  /** Reports a change: it is indexed, and stays in the backlog until that succeeds. */
  note(): void;
  /** Tries again after a failure. */
  retry(): void;
  isEmpty(): Promise<boolean>;
  close(): void;
}

function createBacklog(what: Pick<IndexRequest, "only">, world: World): Backlog {
  const { project, log, place } = world;
  const lastLook = async () => {
    const look = await project.lastLook();
    const isOurs = what.only === "notes" || look === null || look.checkout === place.checkout;
    return isOurs ? (look?.at ?? 0) : -Infinity;
  };
  let [seen, indexed, lookedAt] = [0, 0, 0];
  let running = 0;
  let closed = false;

  async function indexChanges(): Promise<void> {
    const upTo = seen;
    const done = await refresh({ ...what, patienceMs: PATIENCE_MS }, world);
    // Files that could not be read stay in the backlog, so that every search checks and reports them.
    if (!done?.isComplete || done.hidden > 0) return;
    lookedAt = await lastLook();
    indexed = Math.max(indexed, upTo);
  }
  function begin(): void {
    if (closed) return;
    running += 1;
    indexChanges()
      .catch((thrown: Error) => log.debug(`indexing failed: ${thrown.message}`))
      .finally(() => (running -= 1));
  }
  return {
    note() {
      seen += 1;
      begin();
    },
    retry() {
      if (running === 0 && indexed < seen) begin();
    },
    // An index that was restored from a backup, or used by another worktree, is behind what was indexed here.
    isEmpty: async () => (await lastLook()) >= lookedAt && indexed === seen,
    close: () => void (closed = true),
  };
}
