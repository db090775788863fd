/**
 * One worker process and its pending requests.
 *
 * A process, not a thread: the runtime's native binding can be loaded only once per process, and never by two of its
 * threads. It keeps its parent alive only while requests are pending. When it ends, every pending promise is rejected:
 * none hangs.
 */
import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../errors.ts";
import { DIMENSIONS } from "./identity.ts";

/** Messages between the embedder and its worker. Both belong to one package: nothing is validated. */
export interface WorkerOptions {
  readonly cacheFolder: string | null;
  readonly threads: number;
  /** The module that provides the ONNX runtime. */
  readonly runtime: string;
}

export interface Request {
  readonly id: number;
  readonly texts: readonly string[];
}

/** A Failure cannot cross processes with its class; these are its parts. */
export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

export type Report =
  | { readonly kind: "ready" }
  /** The worker cannot start; `lasting` if trying again in this process is pointless. */
  | { readonly kind: "failed"; readonly trouble: Trouble; readonly lasting: boolean }
  /** The vectors of one request, concatenated. */
  | { readonly kind: "embedded"; readonly id: number; readonly vectors: Float32Array }
  | { readonly kind: "refused"; readonly id: number; readonly trouble: Trouble };

export interface Connection {
  /** Rejects with the reason if the worker cannot start. */
  readonly ready: Promise<void>;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** All pending requests are rejected with this. */
  close(failure: Failure): Promise<void>;
}

export interface Ending {
  /** Trying again in this process is pointless. */
  readonly lasting: boolean;
  readonly failure: Failure;
}

// Compiled or not, the worker is beside this file and has the same extension.
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
const START = 0;

/** Its own objects are few and short-lived: a small young generation is enough, and what loading leaves is collected. */
const FLAGS = ["--expose-gc", "--max-semi-space-size=1"];
/**
 * For glibc. By default it raises both limits with every large block that is freed, and keeps tens of megabytes for good;
 * lower ones would ask the system for memory with every text.
 */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: "4000000", MALLOC_TRIM_THRESHOLD_: "8000000" };
type Environment = Readonly<Record<string, string | undefined>>;

export function connect(
  options: WorkerOptions,
  environment: Environment | undefined,
  onEnd: (ending: Ending) => void,
): Connection {
  const worker = startWorker(options, environment);
  const pending = trackRequests(worker);
  let lastId = START;
  let ending: Ending | undefined;

  function end(last: Ending): void {
    if (ending !== undefined) return;
    ending = last;
    worker.kill("SIGKILL");
    onEnd(last);
    pending.rejectAll(last.failure);
  }

  worker.on("message", (report: Report) => {
    if (ending !== undefined) return;
    if (report.kind === "ready") pending.resolve(START, new Float32Array(0));
    else if (report.kind === "embedded") pending.resolve(report.id, report.vectors);
    else if (report.kind === "refused") pending.reject(report.id, toFailure(report.trouble));
    else end({ lasting: report.lasting, failure: toFailure(report.trouble) });
  });
  worker.on("error", (thrown) => end({ lasting: false, failure: crash(thrown) }));
  // Not "exit", which may come before the last message.
  worker.on("close", () => end({ lasting: false, failure: crash(undefined) }));

  return {
    ready: pending.add(START).then(() => undefined),
    async embed(texts) {
      if (ending !== undefined) throw ending.failure;
      const id = ++lastId;
      worker.send({ id, texts } satisfies Request);
      const vectors = await pending.add(id);
      return texts.map((_, i) => vectors.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS));
    },
    async close(failure) {
      const closed = isRunning(worker) ? closing(worker) : undefined;
      end({ lasting: true, failure });
      // Only now: settling the last request unreferenced the worker, and an empty event loop would end without waiting.
      worker.ref();
      await closed;
    },
  };
}

/** Pending requests. While there are any, this process waits for the worker. */
function trackRequests(worker: ChildProcess) {
  const pending = new Map<number, PromiseWithResolvers<Float32Array>>();

  function take(id: number): PromiseWithResolvers<Float32Array> | undefined {
    const request = pending.get(id);
    pending.delete(id);
    if (pending.size > 0) return request;
    worker.unref();
    worker.channel?.unref();
    return request;
  }

  return {
    add(id: number): Promise<Float32Array> {
      const request = Promise.withResolvers<Float32Array>();
      pending.set(id, request);
      worker.ref();
      worker.channel?.ref();
      return request.promise;
    },
    resolve: (id: number, vectors: Float32Array) => take(id)?.resolve(vectors),
    reject: (id: number, failure: Failure) => take(id)?.reject(failure),
    rejectAll(failure: Failure): void {
      for (const id of [...pending.keys()]) take(id)?.reject(failure);
    },
  };
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Not `once` of node:events, which rejects if the worker fails while closing. */
function closing(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => worker.once("close", () => resolve()));
}

function startWorker(options: WorkerOptions, environment: Environment | undefined): ChildProcess {
  return fork(WORKER, [JSON.stringify(options)], {
    // The parent's own flags (a test runner's, a debugger's) are not meant for it.
    execArgv: FLAGS,
    ...(environment && { env: { ...environment, ...MALLOC } }),
    serialization: "advanced",
    // The parent may use its own streams for a protocol.
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
