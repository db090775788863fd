/**
 * Watching: a long-lived process keeps the index current while it runs.
 *
 * One process a project does so, under a lease that it renews; the others look from time to time whether it is free.
 * Nothing keeps the process alive for it, and a watcher that fails only means that searches look themselves.
 */
import type { World } from "../ports.ts";
import { indexProject } from "./index-project.ts";

export const WATCH = "watch";
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

export function startWatching(world: World): { stop(): void } {
  const owner = world.ids.next();
  let watcher: { close(): Promise<void> } | null = null;
  let stopped = false;
  const refresh = oneAtATime(async () => {
    if (!stopped) await indexProject({}, world);
  }, world);

  async function hold(): Promise<void> {
    if (
      stopped ||
      world.settings.index.watch === "off" ||
      world.project.readOnly ||
      (await world.project.lastLook()) === null
    )
      return;
    const at = world.clock.now();
    const lease = { kind: "take_lease", name: WATCH, owner, at, until: at + LEASE_MS } as const;
    const isOurs = (await world.project.apply([lease], world.origin, { impatient: true })).status === "applied";
    if (isOurs && !watcher) await begin();
    if (!isOurs && watcher) await end();
  }

  async function begin(): Promise<void> {
    watcher = await world.projectFiles.watch(world.settings.index, () => void refresh());
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
      const released = world.project.apply([{ kind: "release_lease", name: WATCH, owner }], world.origin);
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
