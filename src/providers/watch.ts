/**
 * Watches a project: tells that something in it has changed, once a burst.
 *
 * Folders are watched, not files: a change is a reason to look, and looking compares files anyway. What nobody would
 * read is not watched. Where the system cannot watch so many folders, or is not to, everything is looked at from time to
 * time instead. Nothing of it keeps a process alive.
 */
import { createHash } from "node:crypto";
import { type FSWatcher, type Stats, lstatSync, watch } from "node:fs";
import { basename, join, sep } from "node:path";
import { reasonByName } from "../logic/skip-rules.ts";
import type { Log, Watching } from "../ports.ts";
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
/** How far a disk's clock may be behind. */
const CLOCK_TICK_MS = 10;

export interface WatchOptions {
  root: () => string;
  walk: () => Promise<RuledWalk>;
  onChange: () => void;
  polling: boolean;
  /** One watcher at the root is told of everything below it: where watching a folder would hold its parents fast. */
  recursive: boolean;
  pace: Pace;
  log: Log;
  /** The system's own unless told otherwise. */
  listen?: typeof watch;
}

interface Lookout {
  /** False where a change may be noticed some time later. */
  isPrompt: boolean;
  close(): Promise<void>;
}

/** Ways in which the system says that it cannot watch. */
const CANNOT_WATCH = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOSYS"]);

interface Signals {
  changed(): void;
  /** There are other folders now, or other rules. */
  restart(): void;
  cannotWatch(reason: string): void;
}

export async function watchProject(options: WatchOptions): Promise<Watching> {
  const { log } = options;
  let [isClosed, mustPoll, isOutdated] = [false, options.polling, false];
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
    if (!isClosed) current = await (mustPoll ? poll(options, bursts.note) : watchFolders(options, signals));
  }
  const bursts = collect(async () => {
    if (isOutdated) await replace();
    if (!isClosed) options.onChange();
  }, options);
  const signals: Signals = {
    changed: bursts.note,
    restart() {
      isOutdated = true;
      bursts.note();
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

async function watchFolders(options: WatchOptions, signals: Signals): Promise<Lookout> {
  const startedAt = Date.now();
  const { rules, unread } = await options.walk();
  const root = options.root();
  if (unread.includes("")) return waitFor(root, signals, options);
  const judge = { root, rules };
  const { recursive, listen = watch } = options;
  const watchers: FSWatcher[] = [];
  for (const folder of recursive ? [""] : rules.keys()) {
    try {
      const watcher = listen(join(root, folder), { persistent: false, recursive }, (_event, name) =>
        hear(folder, name, judge, signals),
      );
      // A folder that goes may take its watcher along with a complaint.
      watchers.push(watcher.on("error", (thrown) => complain(thrown, signals, options)));
    } catch (thrown) {
      complain(thrown, signals, options);
      if (isHopeless(thrown)) break;
    }
  }
  if (hasChanged(root, [...rules.keys()], startedAt)) signals.restart();
  // Systems with one watcher for everything tell of a change some moments later.
  return { isPrompt: !recursive, close: async () => watchers.forEach((watcher) => watcher.close()) };
}

/** Whether a folder may have got another one after it was walked and before it was watched. */
function hasChanged(root: string, folders: readonly string[], since: number): boolean {
  return folders.some((folder) => {
    const stats = lstatSync(join(root, folder), { throwIfNoEntry: false });
    return !stats || stats.mtimeMs >= since - CLOCK_TICK_MS;
  });
}

const isHopeless = (thrown: unknown): boolean => CANNOT_WATCH.has((thrown as NodeJS.ErrnoException).code ?? "");

function complain(thrown: unknown, signals: Signals, { log }: WatchOptions): void {
  log.debug(`Watching: ${String(thrown)}`);
  if (isHopeless(thrown)) signals.cannotWatch((thrown as NodeJS.ErrnoException).code ?? "");
  else signals.restart();
}

interface Judge {
  root: string;
  /** By folder. */
  rules: ReadonlyMap<string, IgnoreRules>;
}

/** What the system tells of a folder: that something of this name is there, gone or different. */
function hear(folder: string, name: string | null, { root, rules }: Judge, signals: Signals): void {
  if (name === null) return signals.restart();
  const path = [folder, name.replaceAll(sep, "/")].filter(Boolean).join("/");
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const ruling = rules.get(parent);
  // Below a folder that is left out, or that came a moment ago and was told of itself.
  if (!ruling) return;
  const own = path.slice(path.lastIndexOf("/") + 1);
  if (isIgnoreFile(own) || rules.has(path)) return signals.restart();
  // A folder that is gone is told of by its own name; so is the project itself.
  if (!stats && own === basename(folder || root)) return signals.restart();
  if (stats?.isDirectory()) return leavesOutFolder(ruling, path, own) ? undefined : signals.restart();
  if (isWorthReading(stats, own) && !ruling.ignores(path, false)) signals.changed();
}

const isWorthReading = (stats: Stats | undefined, name: string): boolean =>
  (stats?.isFile() ?? true) && reasonByName(name) === null;

/** A project that is away is expected back. */
function waitFor(root: string, signals: Signals, { pace }: WatchOptions): Lookout {
  const timer = setInterval(() => {
    if (lstatSync(root, { throwIfNoEntry: false })) signals.restart();
  }, pace.pollMs).unref();
  return { isPrompt: false, close: async () => clearInterval(timer) };
}

/** Compares what is there with what was there, and takes its time. */
async function poll({ walk, pace, log }: WatchOptions, onChange: () => void): Promise<Lookout> {
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let before = await look();

  async function look(): Promise<string | null> {
    const { found, unread } = await walk();
    // A project that is away for a while has not changed.
    if (unread.includes("")) return null;
    const hash = createHash("sha256");
    for (const { path, bytes, modifiedAt } of found) hash.update(`${path}\0${bytes} ${modifiedAt}\0`);
    return hash.digest("hex");
  }
  async function compare(): Promise<void> {
    const startedAt = performance.now();
    const now = await look();
    if (now !== null && now !== before) onChange();
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
    isPrompt: false,
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
