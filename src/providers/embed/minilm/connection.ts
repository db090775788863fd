/**
 * One worker process and the requests it owes an answer.
 *
 * A process, not a thread: the runtime's native binding can be loaded once in the life of a
 * process, and must never be loaded by two threads of it. It keeps its owner alive only
 * while it owes something. When it ends, every promise it left is rejected: none hangs.
 */
import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../../errors.ts";
import { DIMENSIONS } from "./identity.ts";
import type { Report, Request, Trouble, WorkerOptions } from "./protocol.ts";

export interface Connection {
  /** Rejects with the reason when the worker cannot start. */
  readonly ready: Promise<void>;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Whatever is still owed is rejected with this. */
  close(failure: Failure): Promise<void>;
}

export interface Ending {
  /** Trying again in this process is pointless. */
  readonly lasting: boolean;
  readonly failure: Failure;
}

// Compiled or not, the worker lies beside this file and has its extension.
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
const START = 0;

export function connect(options: WorkerOptions, onEnd: (ending: Ending) => void): Connection {
  const worker = startWorker(options);
  const debts = keepDebts(worker);
  let lastId = START;
  let ending: Ending | undefined;

  function end(last: Ending): void {
    if (ending !== undefined) return;
    ending = last;
    worker.kill("SIGKILL");
    onEnd(last);
    debts.rejectAll(last.failure);
  }

  worker.on("message", (report: Report) => {
    if (ending !== undefined) return;
    if (report.kind === "ready") debts.resolve(START, new Float32Array(0));
    else if (report.kind === "embedded") debts.resolve(report.id, report.vectors);
    else if (report.kind === "refused") debts.reject(report.id, toFailure(report.trouble));
    else end({ lasting: report.lasting, failure: toFailure(report.trouble) });
  });
  worker.on("error", (thrown) => end({ lasting: false, failure: crash(thrown) }));
  // Not "exit", which may come before the last message.
  worker.on("close", () => end({ lasting: false, failure: crash(undefined) }));

  return {
    ready: debts.add(START).then(() => undefined),
    async embed(texts) {
      if (ending !== undefined) throw ending.failure;
      const id = ++lastId;
      worker.send({ id, texts } satisfies Request);
      const vectors = await debts.add(id);
      return texts.map((_, i) => vectors.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS));
    },
    async close(failure) {
      const closed = isRunning(worker) ? closing(worker) : undefined;
      end({ lasting: true, failure });
      // Only now: settling the last debt let go of the worker, and nobody waits for a loop that has emptied.
      worker.ref();
      await closed;
    },
  };
}

/** Requests without an answer. As long as there are any, this process waits for the worker. */
function keepDebts(worker: ChildProcess) {
  const debts = new Map<number, PromiseWithResolvers<Float32Array>>();

  function take(id: number): PromiseWithResolvers<Float32Array> | undefined {
    const debt = debts.get(id);
    debts.delete(id);
    if (debts.size > 0) return debt;
    worker.unref();
    worker.channel?.unref();
    return debt;
  }

  return {
    add(id: number): Promise<Float32Array> {
      const debt = Promise.withResolvers<Float32Array>();
      debts.set(id, debt);
      worker.ref();
      worker.channel?.ref();
      return debt.promise;
    },
    resolve: (id: number, vectors: Float32Array) => take(id)?.resolve(vectors),
    reject: (id: number, failure: Failure) => take(id)?.reject(failure),
    rejectAll(failure: Failure): void {
      for (const id of [...debts.keys()]) take(id)?.reject(failure);
    },
  };
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Not `once` of node:events, which rejects when the worker errs on its way out. */
function closing(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => worker.once("close", () => resolve()));
}

function startWorker(options: WorkerOptions): ChildProcess {
  return fork(WORKER, [JSON.stringify(options)], {
    // The owner's own flags (a test runner's, a debugger's) are not meant for it.
    execArgv: [],
    serialization: "advanced",
    // Its owner may speak a protocol on its own streams.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

function toFailure({ message, hint }: Trouble): Failure {
  return new Failure("unavailable", message, hint);
}

function crash(cause: unknown): Failure {
  const hint = "Ask again: the next request starts a new one.";
  return new Failure("unavailable", "The embedding worker stopped before it answered.", hint, { cause });
}
