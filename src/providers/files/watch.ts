/**
 * Watches a project: tells that something in it has changed, once a burst.
 *
 * Folders are watched, not files: a change is a reason to look, and looking compares files anyway. What nobody would
 * read is not watched. Where the system cannot watch so many folders, or is not to, everything is looked at from time to
 * time instead. Nothing of it keeps a process alive.
 */
import { type FSWatcher, type Stats, type WatchEventType, accessSync, constants, lstatSync, watch } from "node:fs";
import { basename, join, sep } from "node:path";
import { nameFault, reasonByName } from "../../logic/corpus/skip-rules.ts";
import type { Watching } from "../../ports/project-files.ts";
import type { Log } from "../../ports/world.ts";
import { inside, isIgnoreFile, leavesOutFile, leavesOutFolder } from "./ignore-rules.ts";
import { type Lookout, type Pace, poll } from "./poll.ts";
import { reasonOf } from "./read-project-file.ts";
import type { RuledWalk } from "./walk-project.ts";

const PACE: Pace = { quietMs: 500, longestMs: 5_000, pollMs: 2_000 };

/** A burst that goes on is told of before it ends, but never before it could have ended. */
export const paceOf = (debounceMs: number = PACE.quietMs): Pace => ({
  ...PACE,
  quietMs: debounceMs,
  longestMs: Math.max(PACE.longestMs, debounceMs),
});

/** How far a disk's clock may be behind. */
const CLOCK_TICK_MS = 10;
/** A system that complains so often cannot watch. */
const MOST_COMPLAINTS = 20;

export interface WatchOptions {
  root: () => string;
  walk: () => Promise<RuledWalk>;
  /** Files that no walk takes in, whatever the rules of their folder say. */
  isUnwanted?: (path: string) => boolean;
  onChange: () => void;
  polling: boolean;
  /** One watcher at the root is told of everything below it: where watching a folder would hold its parents fast. */
  recursive: boolean;
  pace: Pace;
  log: Log;
  /** Folders elsewhere in which rules of the project lie. */
  rulesIn?: readonly string[];
  /** The system's own unless told otherwise. */
  listen?: typeof watch;
}

/** Ways in which the system says that it cannot watch. */
const CANNOT_WATCH = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOSYS"]);

interface Signals {
  changed(): void;
  /** There are other folders now, or other rules. */
  restart(): void;
  /** A watcher has come to its end. */
  complain(thrown: unknown): void;
  cannotWatch(reason: string): void;
}

export async function watchProject(options: WatchOptions): Promise<Watching> {
  const { log } = options;
  let [isClosed, mustPoll, isOutdated, complaints] = [false, options.polling, false, 0];
  const late: FolderTimes = new Map();
  let current: Lookout | null = null;
  let turn: Promise<void> = Promise.resolve();

  /** One at a time, the last one last. */
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
      log.warn(`Watching could not go on, and is tried again: ${thrown}`);
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
    complain(thrown) {
      log.debug(`Watching: ${String(thrown)}`);
      complaints += 1;
      const reason = complaints > MOST_COMPLAINTS ? "it complains all the time" : hopelessness(thrown);
      if (reason) signals.cannotWatch(reason);
      else signals.restart();
    },
    cannotWatch(reason) {
      if (mustPoll || isClosed) return;
      log.warn(`This system cannot watch the project (${reason}); it is looked at from time to time instead.`);
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

/** Waits until it is quiet, but not for ever. */
function collect(
  hand: () => Promise<void>,
  { pace, log }: Pick<WatchOptions, "pace" | "log">,
): { note(): void; isPending(): boolean; close(): void } {
  let isClosed = false;
  let handing = 0;
  let timer: NodeJS.Timeout | null = null;
  let firstAt = 0;

  function flush(): void {
    timer = null;
    handing += 1;
    hand()
      .catch((thrown: unknown) => log.warn(`A change of files was not handled: ${thrown}`))
      .finally(() => (handing -= 1));
  }
  return {
    note() {
      if (isClosed) return;
      const now = performance.now();
      if (timer) clearTimeout(timer);
      else firstAt = now;
      timer = setTimeout(flush, Math.max(0, Math.min(pace.quietMs, firstAt + pace.longestMs - now))).unref();
    },
    isPending: () => timer !== null || handing > 0,
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
        hear({ event, folder, name }, { root, walk, isUnwanted }, signals),
      );
      // A folder that goes may take its watcher along with a complaint.
      watchers.push(watcher.on("error", signals.complain));
    } catch (thrown) {
      log.debug(`Watching ${folder}: ${String(thrown)}`);
      const reason = hopelessness(thrown) ?? (folder === "" && !isMissing(root) ? codeOf(thrown) : null);
      if (reason) signals.cannotWatch(reason);
      if (reason) break;
    }
  }
  for (const folder of options.rulesIn ?? []) {
    try {
      watchers.push(listen(folder, { persistent: false }, signals.restart).on("error", signals.complain));
    } catch (thrown) {
      log.debug(`Watching ${folder}: ${String(thrown)}`);
    }
  }
  if (hasChanged(root, folders, { since: startedAt, late })) signals.restart();
  // Systems with one watcher for everything tell of a change some moments later.
  return { isPrompt: !recursive, close: async () => watchers.forEach((watcher) => watcher.close()) };
}

type FolderTimes = Map<string, number>;

/**
 * Whether a folder may have got another one after it was walked and before it was watched. One that says it changed
 * later than now says so for long: it is believed once.
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
  const isNews = recent.some(([folder, at]) => late.get(folder) !== at);
  late.clear();
  for (const [folder, at] of recent) late.set(folder, at);
  return isNews || times.some(([, stats]) => stats === undefined);
}

/** What lies at a path: nothing is undefined, and null is what cannot be looked at. Nobody catches what is thrown here. */
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
const hopelessness = (thrown: unknown): string | null => (CANNOT_WATCH.has(codeOf(thrown)) ? codeOf(thrown) : null);

interface Judge {
  root: string;
  walk: Pick<RuledWalk, "rules" | "unread">;
  isUnwanted(path: string): boolean;
}

interface Heard {
  event: WatchEventType;
  folder: string;
  name: string | null;
}

/** What the system tells of a folder: that something of this name is there, gone or different. */
function hear({ event, folder, name }: Heard, { root, walk, isUnwanted }: Judge, signals: Signals): void {
  if (name === null) return signals.restart();
  const path = inside(folder, name.replaceAll(sep, "/"));
  const [parent, own] = [path.slice(0, Math.max(0, path.lastIndexOf("/"))), path.slice(path.lastIndexOf("/") + 1)];
  const ruling = walk.rules.get(parent);
  // Below a folder that is left out, or that came a moment ago and was told of itself.
  if (!ruling) return;
  if (isIgnoreFile(own)) return signals.restart();
  const stats = lookAt(join(root, path));
  // A folder that is gone is told of by its own name; so is the project itself.
  if (!stats && (walk.rules.has(path) || own === basename(folder || root))) return signals.restart();
  if (stats?.isDirectory()) {
    // What changed in a folder is told of by itself, unless nobody could look into it.
    if (event === "change" && (walk.rules.has(path) || !walk.unread.includes(path))) return;
    return leavesOutFolder(ruling, path, own) || nameFault(own) ? undefined : signals.restart();
  }
  if (walk.rules.has(path)) return signals.restart();
  if (isWorthReading(stats, own) && !leavesOutFile(ruling, path, own) && !isUnwanted(path)) signals.changed();
}

const isWorthReading = (stats: Stats | undefined | null, name: string): boolean =>
  (stats?.isFile() ?? true) && reasonByName(name) === null;

/** A project that is away, or may not be looked into, is expected back. */
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
