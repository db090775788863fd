/**
 * Watching: a long-lived process keeps the index current while it runs.
 *
 * One process a project does so, under a lease that it renews; the others look from time to time whether it is free.
 * Nothing keeps the process alive for it, and a watcher that fails only means that searches look themselves.
 */
import type { World } from "../ports.ts";
import { type IndexRequest, indexProject } from "./index-project.ts";

export const WATCH = "watch";
export const WATCH_NOTES = "watch notes";
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** Who indexes now may have looked before the change. */
const PATIENCE_MS = 60_000;

interface Watcher {
  close(): Promise<void>;
}

interface Watched {
  lease: string;
  /** What is taken in when something has changed. */
  what: Pick<IndexRequest, "only">;
  isWanted(): Promise<boolean>;
  watch(onChange: () => void): Promise<Watcher>;
}

export function startWatching(world: World): { stop(): void } {
  const { project, projectFiles, notes, settings } = world;
  if (settings.index.watch === "off" || project.readOnly) return { stop: () => undefined };
  const works = [
    keepCurrent(
      {
        lease: WATCH,
        what: {},
        // Nobody asked for an index of a project that has none.
        isWanted: async () => (await project.lastLook()) !== null,
        watch: (onChange) => projectFiles.watch(settings.index, onChange),
      },
      world,
    ),
  ];
  if (notes) {
    const watched = { lease: WATCH_NOTES, what: { only: "notes" }, isWanted: async () => true } as const;
    works.push(keepCurrent({ ...watched, watch: notes.watch }, world));
  }
  return { stop: () => works.forEach((work) => work.stop()) };
}

function keepCurrent({ lease: name, what, isWanted, watch }: Watched, world: World): { stop(): void } {
  const owner = world.ids.next();
  let watcher: Watcher | null = null;
  let stopped = false;
  let isBehind = false;
  const refresh = oneAtATime(async () => {
    isBehind = true;
    if (!stopped) isBehind = (await indexProject({ ...what, patienceMs: PATIENCE_MS }, world)) === null;
  }, world);

  async function hold(): Promise<void> {
    if (stopped || !(await isWanted())) return;
    const at = world.clock.now();
    const lease = { kind: "take_lease", name, owner, at, until: at + LEASE_MS } as const;
    const isOurs = (await world.project.apply([lease], world.origin, { impatient: true })).status === "applied";
    if (isOurs && !watcher) await begin();
    if (!isOurs && watcher) await end();
    if (watcher && isBehind) await refresh();
  }

  async function begin(): Promise<void> {
    watcher = await watch(() => void refresh());
    if (stopped) return end();
    // What changed before the watcher was ready was told to nobody.
    await refresh();
  }

  async function end(): Promise<void> {
    const closing = watcher;
    watcher = null;
    await closing?.close();
  }

  const turn = () => void hold().catch((thrown: Error) => world.log.debug(`watching failed: ${thrown.message}`));
  const timer = setInterval(turn, RENEW_MS).unref();
  turn();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
      const released = world.project.apply([{ kind: "release_lease", name, owner }], world.origin);
      void Promise.all([released, end()]).catch((thrown: Error) =>
        world.log.debug(`watching did not end well: ${thrown.message}`),
      );
    },
  };
}

/** What is asked for while the work is under way is done once more afterwards. */
function oneAtATime(work: () => Promise<unknown>, { log }: Pick<World, "log">): () => Promise<void> {
  let isBusy = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } catch (thrown) {
      log.debug(`indexing failed: ${(thrown as Error).message}`);
    } finally {
      isBusy = false;
    }
  };
}
