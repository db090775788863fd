/**
 * An embedder that uses the model of another process if one is offered, so that many processes need only one.
 *
 * A long-lived process offers the model it loads; whoever holds the lock is the only one to do so. Others use an offer
 * or else a model of their own, and a borrower never loads one. When an owner is lost, each request is made once more;
 * if that fails too, the caller searches by words.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../../errors.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import { type Attached, attach, isLost } from "./client.ts";
import type { MeetingPlace } from "./meeting-place.ts";
import { type Ownership, type TakeLock, becomeOwner } from "./ownership.ts";

/** What a process does without an offer: load a model and offer it, load one for itself, or do without. */
export type Part = "offer" | "load" | "borrow";

export interface OfferedOptions {
  readonly part: Part;
  /** Loaded only if no other process offers the same. */
  readonly own: Embedder;
  readonly place: MeetingPlace;
  readonly lock: TakeLock;
  /** What lies beyond does not change a vector. */
  readonly longestTextCharacters: number;
  /** Resolves when an owner that does not answer has been waited for long enough. */
  readonly patience?: (part: Part) => Promise<unknown>;
}

type Model = Pick<Embedder, "load" | "embed">;

/** A command has no time to wait. A server would spend more time, and much memory, on a second model. */
const PATIENCE_MS: Record<Part, number> = { offer: 1_000, load: 50, borrow: 50 };
const LOOK_AGAIN_MS = 20;

const waitByPart = (part: Part): Promise<unknown> => pause(PATIENCE_MS[part], undefined, { ref: false });

export function createOffered({ part, own, place, lock, longestTextCharacters, ...rest }: OfferedOptions): Embedder {
  const { patience = waitByPart } = rest;
  const { identity, dimensions } = own;
  let attached: Attached | undefined;
  let ownership: Ownership | undefined;
  let looking: Promise<Model> | undefined;
  /** Why there is no model any more. */
  let absent: Failure | undefined;

  const usesOwn = () => ownership !== undefined || own.state() === "ready" || own.state() === "loading";

  async function model(): Promise<Model> {
    if (absent !== undefined) throw absent;
    if (usesOwn()) return own;
    if (attached !== undefined) return attached;
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  }

  async function look(): Promise<Model> {
    let isOver = false;
    const expired = patience(part).then(() => (isOver = true));
    for (;;) {
      const found = await useOffer(expired);
      if (absent !== undefined) throw absent;
      if (found !== null) return found;
      if (part === "borrow") throw (absent = notOffered());
      if (part === "load" || own.state() === "absent") return own;
      const became = await becomeOwner(own, { place, lock });
      if (became !== "taken") ownership = became ?? undefined;
      if (absent !== undefined) throw absent;
      if (became !== "taken" || isOver) return own;
      // Somebody has just become the owner and not yet said so, or is about to end.
      await pause(LOOK_AGAIN_MS);
    }
  }

  async function useOffer(expired: Promise<unknown>): Promise<Attached | null> {
    const offer = place.read();
    if (offer === null) return null;
    const onLost = (gone: Attached) => {
      if (attached === gone) attached = undefined;
    };
    const found = await attach(offer, { identity, dimensions, longestTextCharacters }, { expired, onLost });
    if (absent !== undefined) found?.close();
    else attached = found ?? undefined;
    return found;
  }

  async function ask<T>(work: (model: Model) => Promise<T>): Promise<T> {
    try {
      return await work(await model());
    } catch (thrown) {
      if (!isLost(thrown)) throw await withdrawIfAbsent(thrown);
    }
    return work(await model());
  }

  /** A model that can never be loaded here is not offered either. */
  async function withdrawIfAbsent(thrown: unknown): Promise<unknown> {
    if (own.state() === "absent") await giveUp(async () => undefined);
    return thrown;
  }

  /** The lock goes last: no other process becomes the owner before this one's model has ended. */
  async function giveUp(end: () => Promise<void>): Promise<void> {
    const held = ownership;
    ownership = undefined;
    await held?.withdraw();
    await end();
    held?.release();
  }

  return {
    identity,
    dimensions,
    state() {
      if (absent !== undefined) return "absent";
      if (usesOwn()) return own.state();
      if (attached !== undefined) return "ready";
      if (looking !== undefined) return "loading";
      return part === "borrow" ? "cold" : own.state();
    },
    load: () => ask((found) => found.load()),
    embed: async (texts) => (texts.length === 0 ? [] : ask((found) => found.embed(texts))),
    async close() {
      absent = new Failure("unavailable", "The embedder is closed.", "Create a new one.");
      attached?.close();
      await looking?.catch(() => undefined);
      await giveUp(() => own.close());
    },
  };
}

function notOffered(): Failure {
  const hint = "A running server offers its model once it has used it.";
  return new Failure("unavailable", "No process offers the embedding model.", hint);
}
