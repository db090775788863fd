/**
 * Knows, without asking, whether what was read is still current: writers tell what they change, and a listener hears it.
 *
 * While nobody listens, nothing is known, and everybody asks each time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Notification, PoolClient } from "pg";
import type { Shelf } from "../../memory/shelves.ts";

/**
 * Listens to a channel on a connection of its own, and again whenever that was lost.
 *
 * It listens only once a message of its own has come back: behind a pooler that shares connections none would. Now and
 * then it asks whether the connection is still there, because one may be lost without a word.
 */
interface ListenOptions {
  connect(): Promise<PoolClient>;
  channel: string;
  /** How long to wait for an answer. */
  patienceMs: number;
  onMessage(text: string): void;
  /** Called when nothing is missed from now on, and when something may be. */
  onListening(isListening: boolean): void;
  /** Ends it. */
  signal: AbortSignal;
}

const ASK_EVERY_MS = 20_000;
const PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

async function keepListening(options: ListenOptions): Promise<void> {
  const { signal } = options;
  for (let failures = 0; !signal.aborted; ) {
    failures = await listenOnce(options).then(
      () => 0,
      () => failures + 1,
    );
    const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** failures);
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Ends when the connection is lost; throws if nothing was ever heard through it. */
async function listenOnce(options: ListenOptions): Promise<void> {
  const { connect, channel, patienceMs, onMessage, onListening, signal } = options;
  const client = await connect();
  const lost = new AbortController();
  const onLost = () => lost.abort();
  const probe = `probe ${process.pid} ${Math.random()}`;
  const heard = Promise.withResolvers<void>();
  client.on("error", onLost).on("end", onLost);
  client.on("notification", ({ payload = "" }: Notification) =>
    payload === probe ? heard.resolve() : onMessage(payload),
  );
  try {
    await client.query(`listen "${channel}"`);
    await tell(probe, options);
    await inTime(heard.promise, patienceMs);
    onListening(true);
    const ended = AbortSignal.any([lost.signal, signal]);
    while (!ended.aborted) {
      await sleep(ASK_EVERY_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
      if (!ended.aborted) await inTime(client.query("select 1"), patienceMs).catch(onLost);
    }
  } finally {
    onListening(false);
    // Closed, so that it does not go on listening in the pool.
    client.release(true);
  }
}

/** Through another connection: one that is shared would let it hear itself and nobody else. */
async function tell(payload: string, { connect, channel }: ListenOptions): Promise<void> {
  const other = await connect();
  try {
    await other.query("select pg_notify($1, $2)", [channel, payload]);
  } finally {
    other.release();
  }
}

async function inTime(work: Promise<unknown>, limitMs: number): Promise<void> {
  const done = new AbortController();
  const late = sleep(limitMs, undefined, { signal: done.signal, ref: false });
  try {
    await Promise.race([work, late.then(() => Promise.reject(new Error("There was no answer in time.")))]);
  } finally {
    done.abort();
    late.catch(() => undefined);
  }
}

/** What a transaction may change, as far as somebody keeps it. */
export type Topic = `${"passages" | "vectors"} ${Shelf}` | "queue" | "cached vectors";

export interface Freshness {
  /** Keeps what was read until somebody changes one of the topics; reads each time while nobody would say so. */
  kept<T>(topics: readonly Topic[], read: () => Promise<T>): () => Promise<T>;
  /** Called after own transactions. */
  changed(topics: Iterable<Topic>): void;
  listen(): void;
  close(): void;
}

type FreshnessOptions = Pick<ListenOptions, "connect" | "channel" | "patienceMs">;

export function freshnessOn(options: FreshnessOptions): Freshness {
  const changes = new Map<string, number>();
  const over = new AbortController();
  /** Grows with every connection: whatever was read before may have changed unnoticed. */
  let connections = 0;
  let isListening = false;

  function changed(topics: Iterable<string>): void {
    for (const topic of topics) changes.set(topic, (changes.get(topic) ?? 0) + 1);
  }

  function onListening(isIt: boolean): void {
    isListening = isIt;
    if (isIt) connections += 1;
  }

  const stampOf = (topics: readonly Topic[]): string | null =>
    isListening ? [connections, ...topics.map((topic) => changes.get(topic) ?? 0)].join(" ") : null;

  return {
    kept(topics, read) {
      let known: { stamp: string; answer: ReturnType<typeof read> } | null = null;
      return () => {
        const stamp = stampOf(topics);
        if (stamp === null) return read();
        if (known?.stamp === stamp) return known.answer;
        const now = (known = { stamp, answer: read() });
        now.answer.catch(() => (known = known === now ? null : known));
        return now.answer;
      };
    },
    changed,
    listen() {
      const onMessage = (text: string) => changed(text.split("\n"));
      void keepListening({ ...options, onMessage, onListening, signal: over.signal });
    },
    close: () => over.abort(),
  };
}
