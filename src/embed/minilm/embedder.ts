/**
 * all-MiniLM-L6-v2 as an embedder: local, offline, in a process of its own.
 *
 * The model is loaded on the first request, and the worker ends after a few idle minutes. A worker that ended or died
 * is replaced on the next request; a runtime that is not installed stays absent.
 */
import { Failure } from "../../errors.ts";
import type { Embedder } from "../../ports.ts";
import { connect, type Connection, type Ending } from "./connection.ts";
import { DIMENSIONS, IDENTITY } from "./identity.ts";

export interface MinilmOptions {
  /** Where the built graph is cached between processes. */
  readonly cacheFolder: string | null;
  /** One leaves the other cores to interactive work; two are for bulk work. */
  readonly threads?: number;
  /** The module that provides the ONNX runtime. */
  readonly runtime?: string;
  /** The environment of the worker; this process's own when omitted. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** How long an unused worker keeps its memory. */
  readonly idleMs?: number;
}

const IDLE_MS = 5 * 60_000;

export function createMinilm(options: MinilmOptions): Embedder {
  const { cacheFolder, threads = 1, runtime = "onnxruntime-node", idleMs = IDLE_MS, environment } = options;
  let connection: Connection | undefined;
  let ready = false;
  let absent: Failure | undefined;
  const usage = watchUsage(idleMs, () => {
    const resting = connection;
    connection = undefined;
    ready = false;
    // Nothing depends on it, and a worker that cannot be ended is no reason to end this process.
    resting
      ?.close(new Failure("unavailable", "The embedder was stopped while idle.", "Ask again."))
      .catch(() => undefined);
  });

  function open(): Connection {
    if (absent !== undefined) throw absent;
    if (connection !== undefined) return connection;
    const opened = connect({ cacheFolder, threads, runtime }, environment, (ending) => ended(opened, ending));
    connection = opened;
    opened.ready.then(
      () => (ready = connection === opened),
      () => undefined, // the caller gets the error
    );
    return opened;
  }

  function ended(gone: Connection, { lasting, failure }: Ending): void {
    if (connection !== gone) return;
    connection = undefined;
    ready = false;
    if (lasting) absent = failure;
  }

  return {
    identity: IDENTITY,
    dimensions: DIMENSIONS,
    state() {
      if (absent !== undefined) return "absent";
      if (connection === undefined) return "cold";
      return ready ? "ready" : "loading";
    },
    async load() {
      const opened = open();
      await usage.during(() => opened.ready);
    },
    async embed(texts) {
      if (texts.length === 0) return [];
      const opened = open();
      return usage.during(async () => {
        await opened.ready;
        return opened.embed(texts);
      });
    },
    async close() {
      const closed = new Failure("unavailable", "The embedder is closed.", "Create a new one.");
      absent ??= closed;
      usage.stop();
      await connection?.close(closed);
    },
  };
}

/** Many sessions may be open at once; an unused model must not cost each of them its memory. */
function watchUsage(idleMs: number, onIdle: () => void) {
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    async during<T>(work: () => Promise<T>): Promise<T> {
      requests += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        requests -= 1;
        if (requests === 0) timer = setTimeout(onIdle, idleMs).unref();
      }
    },
    stop: () => clearTimeout(timer),
  };
}
