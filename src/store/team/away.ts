/**
 * A store on a server that may be away: opened when it is first needed, and not asked again for a while after it was
 * found away, so that nobody waits for it twice.
 */
import { Failure } from "../../errors.ts";
import type { Store } from "../../ports/store/store.ts";
import { isHidden, isUnreached } from "../postgres/connection/failures.ts";

export interface AwayOptions {
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

export function whenReached({ open, now, onAway }: AwayOptions): Store {
  let opened: Store | null = null;
  let opening: Promise<Store> | null = null;
  let away: { failure: Failure; until: number } | null = null;
  let isClosed = false;

  async function reached(): Promise<Store> {
    if (opened) return opened;
    opening ??= open();
    try {
      opened = await opening;
    } finally {
      opening = null;
    }
    // Whoever closed it meanwhile waits for nothing.
    if (isClosed) await opened.close();
    return opened;
  }

  /** A role that was dropped and made again is another one to the server, so only a new connection sees its rights. */
  function leave(): void {
    opened?.close().catch(() => undefined);
    opened = null;
  }

  async function ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (away && now() < away.until) throw away.failure;
    try {
      const answer = await work(await reached());
      if (away) onAway(false);
      away = null;
      return answer;
    } catch (thrown) {
      if (!isAwayFailure(thrown, opened !== null)) throw thrown;
      if (isHidden(thrown.cause)) leave();
      if (!away) onAway(true);
      away = { failure: withHint(thrown), until: now() + RETRY_AFTER_MS };
      throw away.failure;
    }
  }

  const own: Partial<Store> = {
    get readOnly() {
      return opened?.readOnly ?? false;
    },
    fault: () => opened?.fault() ?? null,
    /** The work is somebody else's; only taking the way is the server's. */
    goFirst: async (work) => (opened && !away ? opened.goFirst(work) : work()),
    async close() {
      isClosed = true;
      await opened?.close();
    },
  };
  return new Proxy(own as Store, {
    get: (target, name: keyof Store) =>
      name in target
        ? target[name]
        : (...given: unknown[]) => ask((store) => (store[name] as (...given: unknown[]) => Promise<unknown>)(...given)),
  });
}

/** A server that cannot be opened is away, whatever the reason; one that answers may still refuse a single call. */
const isAwayFailure = (thrown: unknown, isOpen: boolean): thrown is Failure =>
  thrown instanceof Failure && thrown.code === "unavailable" && (!isOpen || isUnreached(thrown.cause));

function withHint(failure: Failure): Failure {
  const away = new Failure("unavailable", failure.message, `${failure.hint} ${HINT}`, { cause: failure });
  awayFailures.add(away);
  return away;
}
