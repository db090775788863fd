/**
 * Watching: a long-lived process keeps the index current while it runs.
 *
 * One process a project does so, under a lease that it renews; the others look from time to time whether it is free.
 * The lease proves nothing to anybody: only who watches knows whether something is pending. Nothing keeps the process
 * alive for it, and a watcher that fails only means that searches look themselves.
 */
import { setImmediate as eventsFirst } from "node:timers/promises";
import type { OnlyNotes } from "../../model/corpus/corpus.ts";
import type { IndexKeeper } from "../../ports/indexing.ts";
import type { Watching } from "../../ports/project-files.ts";
import type { World } from "../../ports/world.ts";
import { refresh } from "./refresh.ts";
import type { IndexRequest } from "./index-project.ts";

const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** Who indexes now may have looked before the change. */
const PATIENCE_MS = 60_000;

interface Watched {
  lease: string;
  /** What is taken in when something has changed. */
  only: OnlyNotes;
  isWanted(): Promise<boolean>;
  watch(onChange: () => void): Promise<Watching>;
}

/** Whether this process would know of any change, and has taken in all of them. */
export async function isKeptCurrent(only: OnlyNotes, { indexing }: Pick<World, "indexing">): Promise<boolean> {
  const watching = [...indexing.keepers].filter((keeper) => keeper.only === only && keeper.isWatching());
  if (watching.length === 0) return false;
  // What the system has to tell is heard between two turns, and the first may have begun before.
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
    // Nobody asked for an index of a project that has none.
    isWanted: async () => (await project.lastLook()) !== null,
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
    // What changed before the watcher was ready was told to nobody.
    if (!stopped) behind.note();
  }
  async function end(): Promise<void> {
    const closing = watcher;
    watcher = null;
    await closing?.close();
  }
  const release = () => project.apply([{ kind: "release_lease", name: lease, owner }], origin);
  const told = (thrown: Error) => log.debug(`watching failed: ${thrown.message}`);
  function turn(): void {
    turning ??= hold()
      .catch(told)
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
      // A turn that is under way may be about to take the lease or to watch.
      const stopping = Promise.resolve(turning).then(end).then(release).catch(told);
      world.afterwards.add("stop watching", () => stopping);
    },
  };
}

interface Backlog {
  /** Something has changed: it is taken in, and as long as that does not succeed there is a backlog. */
  note(): void;
  /** Tries again what did not succeed. */
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
  let [seen, taken, lookedAt] = [0, 0, 0];
  let running = 0;
  let closed = false;

  async function takeIn(): Promise<void> {
    const upTo = seen;
    const done = await refresh({ ...what, patienceMs: PATIENCE_MS }, world);
    // What could not be looked at is looked at again, and told of, by every search.
    if (!done?.isComplete || done.hidden > 0) return;
    lookedAt = await lastLook();
    taken = Math.max(taken, upTo);
  }
  function begin(): void {
    if (closed) return;
    running += 1;
    takeIn()
      .catch((thrown: Error) => log.debug(`indexing failed: ${thrown.message}`))
      .finally(() => (running -= 1));
  }
  return {
    note() {
      seen += 1;
      begin();
    },
    retry() {
      if (running === 0 && taken < seen) begin();
    },
    // An index that was restored from a backup, or that another worktree had, knows of less than was taken in.
    isEmpty: async () => (await lastLook()) >= lookedAt && taken === seen,
    close: () => void (closed = true),
  };
}
