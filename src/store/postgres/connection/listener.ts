/**
 * Listens to a channel on a connection of its own, and again whenever that was lost.
 *
 * It listens only once a message of its own has come back: behind a pooler that shares connections none would. Now and
 * then it asks whether the connection is still there, because one may be lost without a word.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Notification, PoolClient } from "pg";

export interface ListenOptions {
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

export async function keepListening(options: ListenOptions): Promise<void> {
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
