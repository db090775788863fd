/**
 * Watches a project: tells which paths have changed, a burst at a time.
 *
 * What nobody would read is not watched. Where the system cannot watch so many folders, or is not to, everything is
 * looked at from time to time instead. Neither keeps a process alive.
 */
import { relative, sep } from "node:path";
import type { Stats } from "node:fs";
import { isSkippedFolder, reasonByName } from "../logic/skip-rules.ts";
import type { Log } from "../ports.ts";
import { type IgnoreRules, isIgnoreFile, leavesOutFolder } from "./ignore-rules.ts";
import type { RuledWalk } from "./walk-project.ts";

export interface Pace {
  /** A burst is over after so long. */
  quietMs: number;
  /** Under constant change nobody waits for quiet. */
  longestMs: number;
  pollMs: number;
}

export const PACE: Pace = { quietMs: 500, longestMs: 5_000, pollMs: 2_000 };
/** Looking takes at most one part in so many of the time. */
const POLL_SPARING = 20;
const BATCH_PATHS = 10_000;

export interface WatchOptions {
  root: () => string;
  walk: () => Promise<RuledWalk>;
  onBatch: (paths: readonly string[] | null) => void;
  polling: boolean;
  pace: Pace;
  log: Log;
}

export interface Watching {
  close(): Promise<void>;
}

/** Ways in which the system says that it cannot watch. */
const CANNOT_WATCH = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOSYS", "EPERM"]);

export async function watchProject(options: WatchOptions): Promise<Watching> {
  const { log } = options;
  let [isClosed, mustPoll] = [false, options.polling];
  let current: Watching | null = null;
  let turn: Promise<void> = Promise.resolve();

  /** One at a time, the last one last. */
  function restart(): Promise<void> {
    turn = turn.then(replace, replace);
    return turn;
  }
  async function replace(): Promise<void> {
    await current?.close();
    current = null;
    if (!isClosed) current = await (mustPoll ? poll(options, batch.add) : watchNatively(options, signals));
  }
  const signals: Signals = {
    changed(path) {
      batch.add(path);
      // The root itself: it went, or is back with whatever rules.
      if (path === "" || (path !== null && isIgnoreFile(path.slice(path.lastIndexOf("/") + 1)))) batch.addRules();
    },
    cannotWatch(reason) {
      if (mustPoll || isClosed) return;
      log.warn(`This system cannot watch the project (${reason}); it is looked at from time to time instead.`);
      mustPoll = true;
      batch.addRules();
    },
  };
  const batch = collect(async (paths, rulesChanged) => {
    if (rulesChanged) await restart();
    if (!isClosed) options.onBatch(rulesChanged ? null : paths);
  }, options);

  await restart();
  return {
    async close() {
      isClosed = true;
      batch.close();
      await restart();
    },
  };
}

interface Batch {
  add(path: string | null): void;
  /** What is left out may be another matter now. */
  addRules(): void;
  close(): void;
}

/** Collects until it is quiet, but not for ever. */
function collect(
  hand: (paths: string[] | null, rulesChanged: boolean) => Promise<void>,
  { pace, log }: Pick<WatchOptions, "pace" | "log">,
): Batch {
  let paths: Set<string> | null = new Set();
  let [rulesChanged, isClosed] = [false, false];
  let timer: NodeJS.Timeout | null = null;
  let firstAt = 0;

  function flush(): void {
    timer = null;
    const collected = paths && [...paths].sort();
    const withRules = rulesChanged;
    [paths, rulesChanged] = [new Set(), false];
    hand(collected, withRules).catch((thrown: unknown) => log.warn(`A change of files was not handled: ${thrown}`));
  }
  function wait(): void {
    if (isClosed) return;
    const now = performance.now();
    if (timer) clearTimeout(timer);
    else firstAt = now;
    timer = setTimeout(flush, Math.max(0, Math.min(pace.quietMs, firstAt + pace.longestMs - now))).unref();
  }
  return {
    add(path) {
      if (path === null || (paths && paths.size >= BATCH_PATHS)) paths = null;
      else paths?.add(path);
      wait();
    },
    addRules() {
      rulesChanged = true;
      wait();
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

interface Signals {
  changed(path: string | null): void;
  cannotWatch(reason: string): void;
}

async function watchNatively({ root: rootOf, walk, log }: WatchOptions, signals: Signals): Promise<Watching> {
  const { watch } = await import("chokidar");
  const { rules } = await walk();
  const root = rootOf();
  const pathOf = (full: string) => relative(root, full).replaceAll(sep, "/");
  const watcher = watch(root, {
    ignored: (full, stats) => isLeftOut(pathOf(full), stats, rules),
    ignoreInitial: true,
    followSymlinks: false,
    persistent: false,
    atomic: false,
  });
  const isReady = new Promise<void>((resolve) => {
    watcher.once("ready", resolve);
    watcher.on("all", (_event, full) => signals.changed(pathOf(full)));
    watcher.on("error", (thrown) => {
      const { code = "unknown", path } = thrown as NodeJS.ErrnoException;
      const isHopeless = CANNOT_WATCH.has(code) || (code === "EACCES" && path === root);
      log.debug(`Watching: ${String(thrown)}`);
      if (isHopeless) {
        signals.cannotWatch(code);
        resolve();
      } else if (code !== "EACCES") signals.changed(null);
    });
  });
  await isReady;
  return watcher;
}

/** Whether nothing at this path matters. Without `stats` it may be a file or a folder. */
function isLeftOut(path: string, stats: Stats | undefined, rules: ReadonlyMap<string, IgnoreRules>): boolean {
  if (path === "") return false;
  if (path.startsWith("../") || path === "..") return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isSkippedFolder(name)) return true;
  const ruling = rulesAt(path, rules);
  if (!stats || !ruling || isIgnoreFile(name)) return false;
  if (stats.isDirectory()) return leavesOutFolder(ruling, path, name);
  return !stats.isFile() || reasonByName(name) !== null || ruling.ignores(path, false);
}

/** The rules of the nearest folder around it that has any. */
function rulesAt(path: string, rules: ReadonlyMap<string, IgnoreRules>): IgnoreRules | undefined {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const found = rules.get(path.slice(0, end));
    if (found) return found;
  }
  return rules.get("");
}

/** Compares what is there with what was there, and takes its time. */
async function poll({ walk, pace, log }: WatchOptions, add: (path: string | null) => void): Promise<Watching> {
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let before = await look();

  async function look(): Promise<Map<string, string> | null> {
    const { found, unread } = await walk();
    // A project that is away for a while has not changed.
    if (unread.includes("")) return null;
    return new Map(found.map(({ path, bytes, modifiedAt }) => [path, `${bytes} ${modifiedAt}`]));
  }
  async function compare(): Promise<void> {
    const startedAt = performance.now();
    const now = await look();
    if (now && before) for (const path of differing(before, now)) add(path);
    else if (now) add(null);
    before = now ?? before;
    schedule(performance.now() - startedAt);
  }
  function schedule(tookMs: number): void {
    if (isClosed) return;
    timer = setTimeout(
      () => {
        running = compare().catch((thrown: unknown) => log.warn(`Looking for changes failed: ${thrown}`));
      },
      Math.max(pace.pollMs, POLL_SPARING * tookMs),
    ).unref();
  }
  schedule(0);
  return {
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

function differing(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const changed = [...now].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !now.has(path))];
}
