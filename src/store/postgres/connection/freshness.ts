/**
 * Knows, without asking, whether what was read is still current: writers tell what they change, and this listens.
 *
 * It listens on a connection of its own. While it has none, because the server is away or a pooler does not pass messages
 * on, nothing is known, and everybody asks each time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Notification, PoolClient } from "pg";
import type { Shelf } from "../../../model/memory/shelves.ts";

/** What a transaction may change, as far as somebody keeps it. */
export type Topic = `${"passages" | "vectors"} ${Shelf}` | "queue" | "cached vectors";

export interface Freshness {
  /** Keeps what was read until somebody changes one of the topics; reads each time while nobody would say so. */
  kept<T>(topics: readonly Topic[], read: () => Promise<T>): () => Promise<T>;
  /** Called after own transactions. */
  changed(topics: Iterable<Topic>): void;
  /** Begins to listen, and again whenever the connection was lost. */
  listen(): void;
  close(): void;
}

export interface FreshnessOptions {
  connect(): Promise<PoolClient>;
  channel: string;
  /** How long to wait for an answer. */
  patienceMs: number;
}

/** A connection may be lost without a word; a question now and then finds out. */
const ASK_EVERY_MS = 20_000;
const PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export function freshnessOn({ connect, channel, patienceMs }: FreshnessOptions): Freshness {
  const changes = new Map<string, number>();
  const over = new AbortController();
  /** Grows with every connection: whatever was read before may have changed unnoticed. Null while there is none. */
  let listening: number | null = null;
  let connections = 0;

  function changed(topics: Iterable<string>): void {
    for (const topic of topics) changes.set(topic, (changes.get(topic) ?? 0) + 1);
  }

  const stampOf = (topics: readonly Topic[]): string | null =>
    listening === null ? null : [listening, ...topics.map((topic) => changes.get(topic) ?? 0)].join(" ");

  /** Ends when the connection is lost; throws if nothing was ever heard through it. */
  async function listenOnce(): Promise<void> {
    const client = await connect();
    const lost = new AbortController();
    const onLost = () => lost.abort();
    const probe = `probe ${process.pid} ${(connections += 1)} ${Math.random()}`;
    const heard = Promise.withResolvers<void>();
    const onMessage = ({ payload = "" }: Notification) => {
      if (payload === probe) heard.resolve();
      else changed(payload.split("\n"));
    };
    client.on("error", onLost).on("end", onLost).on("notification", onMessage);
    try {
      await client.query(`listen "${channel}"`);
      await tell(probe);
      await inTime(heard.promise);
      listening = connections;
      const signal = AbortSignal.any([lost.signal, over.signal]);
      while (!signal.aborted) {
        await sleep(ASK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (!signal.aborted) await inTime(client.query("select 1")).catch(onLost);
      }
    } finally {
      listening = null;
      // Closed, so that it does not go on listening in the pool.
      client.release(true);
    }
  }

  /** Through another connection: a pooler that shares connections would let it hear itself and nobody else. */
  async function tell(payload: string): Promise<void> {
    const other = await connect();
    try {
      await other.query("select pg_notify($1, $2)", [channel, payload]);
    } finally {
      other.release();
    }
  }

  async function inTime(work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const late = sleep(patienceMs, undefined, { signal: ended.signal, ref: false });
    try {
      await Promise.race([work, late.then(() => Promise.reject(new Error("There was no answer in time.")))]);
    } finally {
      ended.abort();
      late.catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    for (let failures = 0; !over.signal.aborted; ) {
      failures = await listenOnce().then(
        () => 0,
        () => failures + 1,
      );
      const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** failures);
      await sleep(pauseMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    kept(topics, read) {
      let known: { stamp: string; answer: Promise<unknown> } | null = null;
      return () => {
        const stamp = stampOf(topics);
        if (stamp === null) return read();
        if (known?.stamp === stamp) return known.answer as ReturnType<typeof read>;
        const answer = read();
        const now = (known = { stamp, answer });
        answer.catch(() => (known = known === now ? null : known));
        return answer;
      };
    },
    changed,
    listen: () => void keepListening(),
    close: () => over.abort(),
  };
}
