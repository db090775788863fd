/**
 * A store on a server that may be away: opened when it is first needed, and not asked again for a while after it was
 * found away, so that nobody waits for it twice.
 */
import { Failure } from "../../errors.ts";
import { isHidden, isUnreached, saysUnknown } from "../postgres/failures.ts";
import type { Store } from "../store.ts";

interface AwayOptions {
  open(): Promise<Store>;
  now(): number;
  /** Told whenever it goes away or comes back. */
  onAway(isAway: boolean): void;
}

/** About as long as one attempt takes. */
const RETRY_AFTER_MS = 5_000;

const HINT =
  "Try again when it is back; `stele team status` looks. What must not be lost until then: `stele remember --scope working` keeps it on this machine for an hour.";

const awayFailures = new WeakSet<Failure>();

/** Whether it says that the server is away, which whoever asks is told. Any other failure is one of a single call. */
export const saysAway = (thrown: unknown): boolean => thrown instanceof Failure && awayFailures.has(thrown);

/** A connection, and how many calls use it. One that is left is closed by the last of them. */
interface Reached {
  store: Store;
  calls: number;
  isLeft: boolean;
  closing?: Promise<void>;
}

interface Connections {
  /** The one that is open now. */
  current(): Reached | null;
  /** Opens one if there is none. */
  reach(): Promise<Reached>;
  using<T>(at: Reached, work: (store: Store) => Promise<T>): Promise<T>;
  /** The next call opens another one. */
  leave(at: Reached): void;
  close(): Promise<void>;
}

function connections(open: () => Promise<Store>): Connections {
  let opened: Reached | null = null;
  let opening: Promise<Reached> | null = null;
  let isClosed = false;
  const inUse = new Set<Reached>();
  const closeOnce = (at: Reached): Promise<void> => (at.closing ??= at.store.close());
  const closeIfLeft = (at: Reached): void => {
    if (at.isLeft && at.calls === 0) closeOnce(at).catch(() => undefined);
  };
  return {
    current: () => opened,
    async reach() {
      if (opened) return opened;
      opening ??= open()
        .then((store) => (opened = { store, calls: 0, isLeft: false }))
        .finally(() => (opening = null));
      const at = await opening;
      if (isClosed) await closeOnce(at);
      return at;
    },
    async using(at, work) {
      at.calls += 1;
      inUse.add(at);
      try {
        return await work(at.store);
      } finally {
        at.calls -= 1;
        if (at.calls === 0) inUse.delete(at);
        closeIfLeft(at);
      }
    },
    leave(at) {
      at.isLeft = true;
      if (opened === at) opened = null;
      closeIfLeft(at);
    },
    async close() {
      isClosed = true;
      await opening?.catch(() => undefined);
      const all = new Set(opened ? [...inUse, opened] : inUse);
      await Promise.all([...all].map(closeOnce));
    },
  };
}

export function whenReached({ open, now, onAway }: AwayOptions): Store {
  const { current, reach, using, leave, close } = connections(open);
  let away: { failure: Failure; until: number } | null = null;

  async function ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (away && now() < away.until) throw away.failure;
    let at: Reached | null = null;
    try {
      at = await reach();
      const answer = await using(at, work);
      if (at.isLeft) return answer;
      if (away) onAway(false);
      away = null;
      return answer;
    } catch (thrown) {
      if (!isAwayFailure(thrown, at !== null)) throw thrown;
      // What fails on a connection that was left already says nothing about the one after it.
      if (at?.isLeft) throw withHint(thrown);
      // A role that was dropped and made again is another one to the server, so only a new connection sees its rights.
      if (at && isHidden(thrown.cause)) leave(at);
      if (!away) onAway(true);
      away = { failure: withHint(thrown), until: now() + RETRY_AFTER_MS };
      throw away.failure;
    }
  }

  const own: Partial<Store> = {
    get readOnly() {
      return current()?.store.readOnly ?? false;
    },
    fault: () => current()?.store.fault() ?? null,
    /** The work is somebody else's; only taking the way is the server's. */
    async goFirst(work) {
      const at = current();
      return at && !away ? using(at, (store) => store.goFirst(work)) : work();
    },
    close,
  };
  // Every other name is taken for a method, and a store on a server joins no others.
  const isKnown = (name: keyof Store): boolean => name in own || name === "parts";
  return new Proxy(own as Store, {
    get: (target, name: keyof Store) =>
      isKnown(name)
        ? target[name]
        : (...given: unknown[]) => ask((store) => (store[name] as (...given: unknown[]) => Promise<unknown>)(...given)),
  });
}

/**
 * A server that cannot be opened is away, whatever the reason; one that answers may still refuse a single call. Whoever
 * does not know whether something was stored must not be told to store it elsewhere; the next call finds the server away.
 */
const isAwayFailure = (thrown: unknown, isOpen: boolean): thrown is Failure =>
  thrown instanceof Failure &&
  thrown.code === "unavailable" &&
  !saysUnknown(thrown) &&
  (!isOpen || isUnreached(thrown.cause));

function withHint(failure: Failure): Failure {
  const away = new Failure("unavailable", failure.message, `${failure.hint} ${HINT}`, { cause: failure });
  awayFailures.add(away);
  return away;
}
