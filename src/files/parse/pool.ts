/**
 * A parser in threads of its own, so that nothing waits for a grammar.
 *
 * Threads start when there is work and end after being idle for a while. A thread that dies or hangs is terminated; its
 * current file becomes plain text with a fault, and the remaining files go to another thread.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../../errors.ts";
import type { Parser, SourceText } from "../../ports.ts";
import type { ParsedFile } from "../corpus.ts";
import { type Parsing, plainFile } from "./parse-file.ts";

export interface ParserOptions {
  readonly threads?: number;
  /** How long an unused thread keeps its memory. */
  readonly idleMs?: number;
  /** How long one file may take; a grammar is stopped much earlier. */
  readonly patienceMs?: number;
  /** The module that the threads run. */
  readonly worker?: URL;
}

interface Job {
  readonly source: SourceText;
  readonly done: PromiseWithResolvers<ParsedFile>;
}

interface Lane {
  readonly jobs: Job[];
  give(job: Job): void;
  end(): Promise<unknown>;
}

interface LaneEvents {
  /** It can take more jobs. */
  onFree(): void;
  /** It has ended; these jobs were not started. */
  onEnd(unfinished: readonly Job[]): void;
}

// Compiled or not, the worker is beside this file and has the same extension.
const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
const THREADS = 2;
const IDLE_MS = 10_000;
const PATIENCE_MS = 30_000;
/** Further files are queued while one is parsed. */
const JOBS_PER_LANE = 3;
const HEAP_LIMIT_MB = 512;

export function createParser(options: ParserOptions = {}): Parser {
  const { threads = THREADS } = options;
  const lanes = new Set<Lane>();
  const pending: Job[] = [];
  let isClosed = false;

  function openLane(): Lane {
    const lane = startLane(options, {
      onFree: assign,
      onEnd(unfinished) {
        lanes.delete(lane);
        pending.unshift(...unfinished);
        assign();
      },
    });
    lanes.add(lane);
    return lane;
  }

  function freeLane(): Lane | undefined {
    const [least] = [...lanes].sort((a, b) => a.jobs.length - b.jobs.length);
    if (lanes.size < threads && (least?.jobs.length ?? 1) > 0) return openLane();
    return least && least.jobs.length < JOBS_PER_LANE ? least : undefined;
  }

  function assign(): void {
    while (pending.length > 0 && !isClosed) {
      const lane = freeLane();
      const job = lane && pending.shift();
      if (!job) return;
      lane.give(job);
    }
  }

  return {
    async parse(source) {
      if (isClosed) throw closed();
      const done = Promise.withResolvers<ParsedFile>();
      pending.push({ source, done });
      assign();
      return done.promise;
    },
    async close() {
      isClosed = true;
      const unanswered = [...pending.splice(0), ...[...lanes].flatMap(({ jobs }) => jobs.splice(0))];
      for (const { done } of unanswered) done.reject(closed());
      await Promise.all([...lanes].map((lane) => lane.end()));
    },
  };
}

const closed = (): Failure => new Failure("unavailable", "The parser is closed.", "Create a new one.");

function startLane(
  { idleMs = IDLE_MS, patienceMs = PATIENCE_MS, worker: file = WORKER }: ParserOptions,
  events: LaneEvents,
): Lane {
  const worker = new Worker(file, {
    // Library output must not end up in a protocol.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  const jobs: Job[] = [];
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;

  /** Limits both how long a file is parsed and how long the thread is idle. */
  function watch(): void {
    clearTimeout(timer);
    if (jobs.length === 0) {
      worker.unref();
      timer = setTimeout(() => giveUp(null), idleMs).unref();
    } else {
      worker.ref();
      timer = setTimeout(() => giveUp(`It took longer than ${patienceMs} ms to parse.`), patienceMs);
    }
  }

  function giveUp(fault: string | null): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    void worker.terminate();
    const stuck = fault === null ? undefined : jobs.shift();
    stuck?.done.resolve(plainFile(stuck.source, fault));
    events.onEnd(jobs.splice(0));
  }

  worker.on("message", ({ file: parsed, isBroken }: Parsing) => {
    if (hasEnded) return;
    jobs.shift()?.done.resolve(parsed);
    if (isBroken) return giveUp(null);
    watch();
    events.onFree();
  });
  // Earlier answers may arrive after an error, but never after the exit.
  let reason = "The parser stopped.";
  worker.on("error", (thrown: Error) => (reason = `The parser stopped: ${thrown.message.slice(0, 200)}`));
  worker.on("exit", () => giveUp(reason));

  return {
    jobs,
    give(job) {
      jobs.push(job);
      worker.postMessage(job.source);
      if (jobs.length === 1) watch();
    },
    async end() {
      giveUp(null);
      await worker.terminate();
    },
  };
}
