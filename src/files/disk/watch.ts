/**
 * Watches a project and reports changes, once per burst.
 *
 * Watches folders, not files: a change is only a reason to check, and checking compares files anyway. Ignored folders
 * are not watched. If the system cannot watch that many folders, or is told not to, the project is polled instead.
 * Watching never keeps a process alive.
 */
import { createHash } from "node:crypto";
import { accessSync, constants, type FSWatcher, lstatSync, type Stats, watch, type WatchEventType } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Watching } from "../../ports.ts";
import type { Log } from "../../world.ts";
import { nameFault, reasonByName } from "../skip-rules.ts";
import { inside, isIgnoreFile, leavesOutFile, leavesOutFolder } from "./ignore-rules.ts";
import { reasonOf } from "./read-project-file.ts";
import type { RuledWalk } from "./walk-project.ts";

/** Polling, where the system reports no changes: all files are checked at intervals. */
interface Pace {
  /** A burst of changes is over after this pause. */
  quietMs: number;
  /** Under constant change, the longest wait for a pause. */
  longestMs: number;
  pollMs: number;
}

interface Lookout {
  /** False if a change may be noticed only after a while. */
  isPrompt: boolean;
  close(): Promise<void>;
}

interface PollOptions {
  walk: () => Promise<RuledWalk>;
  pace: Pace;
  log: Log;
}

/** Polling may take at most one part in this many of the time. */
const INTERVAL_PER_RUN = 20;

/** Compares the files with their previous state, at an unhurried pace. */
async function poll({ walk, pace, log }: PollOptions, onChange: () => void): Promise<Lookout> {
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let before = await look();

  async function look(): Promise<string | null> {
    const { found, unread } = await walk();
    // A project that is temporarily unavailable has not changed.
    if (unread.includes("")) return null;
    const hash = createHash("sha256");
    for (const { path, bytes, modifiedAt } of found) hash.update(`${path}\0${bytes} ${modifiedAt}\0`);
    return hash.digest("hex");
  }
  async function compare(): Promise<void> {
    const startedAt = performance.now();
    try {
      const now = await look();
      if (now !== null && now !== before) onChange();
      before = now ?? before;
    } finally {
      schedule(performance.now() - startedAt);
    }
  }
  function schedule(tookMs: number): void {
    if (isClosed) return;
    timer = setTimeout(
      () => {
        running = compare().catch((thrown: unknown) => log.warn(`Looking for changes failed: ${thrown}`));
      },
      Math.max(pace.pollMs, INTERVAL_PER_RUN * tookMs),
    ).unref();
  }
  schedule(0);
  return {
    isPrompt: false,
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

const PACE: Pace = { quietMs: 500, longestMs: 5_000, pollMs: 2_000 };

/** A continuing burst is reported before it ends, but never before it could have ended. */
export const paceOf = (debounceMs: number = PACE.quietMs): Pace => ({
  ...PACE,
  quietMs: debounceMs,
  longestMs: Math.max(PACE.longestMs, debounceMs),
});

/** How far a disk's clock may lag. */
const CLOCK_TICK_MS = 10;
/** A system with this many errors cannot watch. */
const MOST_ERRORS = 20;

export interface WatchOptions {
  root: () => string;
  walk: () => Promise<RuledWalk>;
  /** Files that no walk includes, whatever the rules of their folder. */
  isUnwanted?: (path: string) => boolean;
  onChange: () => void;
  polling: boolean;
  /** One watcher at the root covers everything below: for systems on which watching a folder locks its parents. */
  recursive: boolean;
  pace: Pace;
  log: Log;
  /** Folders elsewhere that contain rules for the project. */
  rulesIn?: readonly string[];
  /** Defaults to the system's own. */
  listen?: typeof watch;
}

/** Error codes that mean the system cannot watch. */
const CANNOT_WATCH = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOSYS"]);

interface Signals {
  changed(): void;
  /** The folders or the rules have changed. */
  restart(): void;
  /** A watcher has failed. */
  failed(thrown: unknown): void;
  cannotWatch(reason: string): void;
}

export async function watchProject(options: WatchOptions): Promise<Watching> {
  const { log } = options;
  let [isClosed, mustPoll, isOutdated, errors] = [false, options.polling, false, 0];
  const late: FolderTimes = new Map();
  let current: Lookout | null = null;
  let turn: Promise<void> = Promise.resolve();

  /** One at a time, in order. */
  function replace(): Promise<void> {
    turn = turn.then(begin, begin);
    return turn;
  }
  async function begin(): Promise<void> {
    isOutdated = false;
    await current?.close();
    current = null;
    if (!isClosed) current = await (mustPoll ? poll(options, bursts.note) : watchFolders(options, signals, late));
  }
  const bursts = collect(async () => {
    try {
      if (isOutdated) await replace();
    } catch (thrown) {
      log.warn(`Watching failed and is retried: ${thrown}`);
      if (!isClosed) current ??= waitFor(options, signals);
    }
    if (!isClosed) options.onChange();
  }, options);
  const signals: Signals = {
    changed: bursts.note,
    restart() {
      isOutdated = true;
      bursts.note();
    },
    failed(thrown) {
      log.debug(`Watching: ${String(thrown)}`);
      errors += 1;
      const reason = errors > MOST_ERRORS ? "too many errors" : fatalCodeOf(thrown);
      if (reason) signals.cannotWatch(reason);
      else signals.restart();
    },
    cannotWatch(reason) {
      if (mustPoll || isClosed) return;
      log.warn(`This system cannot watch the project (${reason}); it is polled instead.`);
      mustPoll = true;
      signals.restart();
    },
  };

  await replace();
  return {
    isQuiet: () => current !== null && current.isPrompt && !bursts.isPending(),
    async close() {
      isClosed = true;
      bursts.close();
      await replace();
    },
  };
}

/** Waits for a pause, but not forever. */
function collect(
  deliver: () => Promise<void>,
  { pace, log }: Pick<WatchOptions, "pace" | "log">,
): { note(): void; isPending(): boolean; close(): void } {
  let isClosed = false;
  let delivering = 0;
  let timer: NodeJS.Timeout | null = null;
  let firstAt = 0;

  function flush(): void {
    timer = null;
    delivering += 1;
    deliver()
      .catch((thrown: unknown) => log.warn(`A file change was not handled: ${thrown}`))
      .finally(() => (delivering -= 1));
  }
  return {
    note() {
      if (isClosed) return;
      const now = performance.now();
      if (timer) clearTimeout(timer);
      else firstAt = now;
      timer = setTimeout(flush, Math.max(0, Math.min(pace.quietMs, firstAt + pace.longestMs - now))).unref();
    },
    isPending: () => timer !== null || delivering > 0,
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

async function watchFolders(options: WatchOptions, signals: Signals, late: FolderTimes): Promise<Lookout> {
  const startedAt = Date.now();
  const walk = await options.walk();
  const root = options.root();
  const folders = [...walk.rules.keys()];
  if (folders.length === 0) return waitFor(options, signals);
  const { recursive, log, listen = watch, isUnwanted = () => false } = options;
  const watchers: FSWatcher[] = [];
  for (const folder of recursive ? [""] : folders) {
    try {
      const watcher = listen(join(root, folder), { persistent: false, recursive }, (event, name) =>
        handleEvent({ event, folder, name }, { root, walk, isUnwanted }, signals),
      );
      // Removing a folder may make its watcher fail.
      watchers.push(watcher.on("error", signals.failed));
    } catch (thrown) {
      log.debug(`Watching ${folder}: ${String(thrown)}`);
      const reason = fatalCodeOf(thrown) ?? (folder === "" && !isMissing(root) ? codeOf(thrown) : null);
      if (reason) signals.cannotWatch(reason);
      if (reason) break;
    }
  }
  for (const folder of options.rulesIn ?? []) {
    try {
      watchers.push(listen(folder, { persistent: false }, signals.restart).on("error", signals.failed));
    } catch (thrown) {
      log.debug(`Watching ${folder}: ${String(thrown)}`);
    }
  }
  if (hasChanged(root, folders, { since: startedAt, late })) signals.restart();
  // Systems with one watcher for everything report changes with a delay.
  return { isPrompt: !recursive, close: async () => watchers.forEach((watcher) => watcher.close()) };
}

type FolderTimes = Map<string, number>;

/**
 * Whether a folder may have gained another one after it was walked and before it was watched. A modification time in
 * the future stays there for long, so it is believed once.
 */
function hasChanged(
  root: string,
  folders: readonly string[],
  { since, late }: { since: number; late: FolderTimes },
): boolean {
  const times = folders.map((folder) => [folder, lookAt(join(root, folder))] as const);
  const recent = times.flatMap(([folder, stats]): [string, number][] =>
    stats && stats.mtimeMs >= since - CLOCK_TICK_MS ? [[folder, stats.mtimeMs]] : [],
  );
  const isNew = recent.some(([folder, at]) => late.get(folder) !== at);
  late.clear();
  for (const [folder, at] of recent) late.set(folder, at);
  return isNew || times.some(([, stats]) => stats === undefined);
}

/** The stats of a path: undefined if it does not exist, null if it cannot be read. Errors here would go uncaught. */
function lookAt(path: string): Stats | undefined | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    reasonOf(thrown);
    return null;
  }
}

const isMissing = (path: string): boolean => lookAt(path) === undefined;
const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? "a fault";
const fatalCodeOf = (thrown: unknown): string | null => (CANNOT_WATCH.has(codeOf(thrown)) ? codeOf(thrown) : null);

interface Judge {
  root: string;
  walk: Pick<RuledWalk, "rules" | "unread">;
  isUnwanted(path: string): boolean;
}

interface FolderEvent {
  event: WatchEventType;
  folder: string;
  name: string | null;
}

/** Handles an event of a folder: an entry of this name appeared, disappeared or changed. */
function handleEvent({ event, folder, name }: FolderEvent, { root, walk, isUnwanted }: Judge, signals: Signals): void {
  if (name === null) return signals.restart();
  const path = inside(folder, name.replaceAll(sep, "/"));
  const [parent, own] = [path.slice(0, Math.max(0, path.lastIndexOf("/"))), path.slice(path.lastIndexOf("/") + 1)];
  const ruling = walk.rules.get(parent);
  // The parent is ignored, or was just created and reports itself.
  if (!ruling) return;
  if (isIgnoreFile(own)) return signals.restart();
  const stats = lookAt(join(root, path));
  // A removed folder is reported by its own name; so is the project itself.
  if (!stats && (walk.rules.has(path) || own === basename(folder || root))) return signals.restart();
  if (stats?.isDirectory()) {
    // Changes inside a folder are reported separately, unless it could not be read.
    if (event === "change" && (walk.rules.has(path) || !walk.unread.includes(path))) return;
    return leavesOutFolder(ruling, path, own) || nameFault(own) ? undefined : signals.restart();
  }
  if (walk.rules.has(path)) return signals.restart();
  if (isWorthReading(stats, own) && !leavesOutFile(ruling, path, own) && !isUnwanted(path)) signals.changed();
}

const isWorthReading = (stats: Stats | undefined | null, name: string): boolean =>
  (stats?.isFile() ?? true) && reasonByName(name) === null;

/** Waits for a project that is unavailable or unreadable to return. */
function waitFor({ root, pace }: WatchOptions, signals: Signals): Lookout {
  const timer = setInterval(() => {
    if (isOpen(root())) signals.restart();
  }, pace.pollMs).unref();
  return { isPrompt: false, close: async () => clearInterval(timer) };
}

function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch (thrown) {
    reasonOf(thrown);
    return false;
  }
}
