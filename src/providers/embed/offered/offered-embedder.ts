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
import { type Attached, type OnLost, UNANSWERED_MS, attach, isLost } from "./client.ts";
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
  readonly unansweredMs?: typeof UNANSWERED_MS;
}

type Model = Pick<Embedder, "load" | "embed">;

/** A command has no time to wait. A server would spend more time, and much memory, on a second model. */
const PATIENCE_MS: Record<Part, number> = { offer: 1_000, load: 50, borrow: 50 };
const LOOK_AGAIN_MS = 20;

const waitByPart = (part: Part): Promise<unknown> => pause(PATIENCE_MS[part], undefined, { ref: false });

/** What a process has found so far. */
interface Found {
  attached?: Attached | undefined;
  ownership?: Ownership | undefined;
  /** The socket of an owner that greets but does not answer: it would only cost time again. */
  silent?: string | undefined;
  /** Why there will be no model any more. */
  absent?: Failure | undefined;
}

export function createOffered(options: OfferedOptions): Embedder {
  const { part, own } = options;
  const found: Found = {};
  let looking: Promise<Model> | undefined;

  const usesOwn = () => found.ownership !== undefined || own.state() === "ready" || own.state() === "loading";

  async function model(): Promise<Model> {
    if (found.absent !== undefined) throw found.absent;
    if (usesOwn()) return own;
    if (found.attached !== undefined) return found.attached;
    looking ??= look(options, found).finally(() => (looking = undefined));
    return looking;
  }

  async function ask<T>(work: (model: Model) => Promise<T>): Promise<T> {
    try {
      return await work(await model());
    } catch (thrown) {
      // A model that can never be loaded here is not offered either.
      if (own.state() === "absent") await giveUp(found, async () => undefined);
      if (!isLost(thrown)) throw thrown;
    }
    return work(await model());
  }

  return {
    identity: own.identity,
    dimensions: own.dimensions,
    state() {
      if (found.absent !== undefined) return "absent";
      if (usesOwn()) return own.state();
      if (found.attached !== undefined) return "ready";
      if (looking !== undefined) return "loading";
      return part === "borrow" ? "cold" : own.state();
    },
    load: () => ask((one) => one.load()),
    embed: async (texts) => (texts.length === 0 ? [] : ask((one) => one.embed(texts))),
    async close() {
      found.absent = new Failure("unavailable", "The embedder is closed.", "Create a new one.");
      found.attached?.close();
      await looking?.catch(() => undefined);
      await giveUp(found, () => own.close());
    },
  };
}

/** An offer, or else what this process does without one. */
async function look(options: OfferedOptions, found: Found): Promise<Model> {
  const { part, own, place, lock, patience = waitByPart } = options;
  let isOver = false;
  const expired = patience(part).then(() => (isOver = true));
  for (;;) {
    const attached = await useOffer(options, found, expired);
    if (found.absent !== undefined) throw found.absent;
    if (attached !== null) return attached;
    if (part === "borrow") throw (found.absent = notOffered());
    if (part === "load" || own.state() === "absent") return own;
    const became = await becomeOwner(own, { place, lock });
    if (became !== "taken") found.ownership = became ?? undefined;
    if (found.absent !== undefined) throw found.absent;
    if (became !== "taken" || isOver) return own;
    // Somebody has just become the owner and not yet said so, or is about to end.
    await pause(LOOK_AGAIN_MS);
  }
}

async function useOffer(
  { place, own: { identity, dimensions }, longestTextCharacters, unansweredMs = UNANSWERED_MS }: OfferedOptions,
  found: Found,
  expired: Promise<unknown>,
): Promise<Attached | null> {
  const offer = place.read();
  if (offer === null || offer.socket === found.silent) return null;
  const onLost: OnLost = (gone, isSilent) => {
    if (isSilent) found.silent = offer.socket;
    if (found.attached === gone) found.attached = undefined;
  };
  const expected = { identity, dimensions, longestTextCharacters, unansweredMs };
  const attached = await attach(offer, expected, { expired, onLost });
  if (found.absent !== undefined) attached?.close();
  else found.attached = attached ?? undefined;
  return attached;
}

/** The lock goes last: no other process becomes the owner before this one's model has ended. */
async function giveUp(found: Found, end: () => Promise<void>): Promise<void> {
  const held = found.ownership;
  found.ownership = undefined;
  await held?.withdraw();
  await end();
  held?.release();
}

function notOffered(): Failure {
  const hint = "A running server offers its model once it has used it.";
  return new Failure("unavailable", "No process offers the embedding model.", hint);
}
