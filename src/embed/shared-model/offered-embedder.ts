/**
 * An embedder that uses the model of another process if one is offered, so that many processes need only one.
 *
 * A long-lived process offers the model it loads; whoever holds the lock is the only one to do so. Others use an offer
 * or else a model of their own, and a borrower never loads one. When an owner is lost, each request is made once more;
 * if that fails too, the caller searches by words. No question waits for an owner that does not greet.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import type { Embedder } from "../../ports.ts";
import { isSmall } from "../job-order.ts";
import { attach, type Attached, isLost, type OnLost, UNANSWERED_MS } from "./client.ts";
import type { MeetingPlace } from "./meeting-place.ts";
import { becomeOwner, type Ownership, serveModel, type TakeLock } from "./owner.ts";

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
  /** Resolves when an owner that does not greet has been waited for long enough. */
  readonly patience?: (part: Part) => Promise<unknown>;
  /** Resolves when a question is answered without the owner, although it is still waited for. */
  readonly haste?: () => Promise<unknown>;
  readonly unansweredMs?: typeof UNANSWERED_MS;
}

type Model = Pick<Embedder, "load" | "embed">;

/** How long a question waits for an owner to greet. */
export const HASTE_MS = 50;
/** A command has no time to wait. A server would spend more time, and much memory, on a second model. */
export const PATIENCE_MS: Record<Part, number> = { offer: 1_000, load: HASTE_MS, borrow: HASTE_MS };
const LOOK_AGAIN_MS = 20;

const waitUnnoticed = (ms: number): Promise<unknown> => pause(ms, undefined, { ref: false });
const waitByPart = (part: Part): Promise<unknown> => waitUnnoticed(PATIENCE_MS[part]);

/** What a process has found so far. */
interface Found {
  attached?: Attached | undefined;
  ownership?: Ownership | undefined;
  /** The socket of an owner that greets but does not answer: it would only cost time again. */
  silent?: string | undefined;
  /** Why there will be no model any more. */
  absent?: Failure | undefined;
}

/** A search for a model. `overdue` rejects when an owner has not greeted in time for a question. */
interface Search {
  model: Promise<Model>;
  overdue: Promise<never>;
}

export function createOffered(options: OfferedOptions): Embedder {
  const { part, own } = options;
  const found: Found = {};
  let looking: Search | undefined;

  const usesOwn = () => found.ownership !== undefined || own.state() === "ready" || own.state() === "loading";

  async function model(isQuestion: boolean): Promise<Model> {
    if (found.absent !== undefined) throw found.absent;
    if (usesOwn()) return own;
    if (found.attached !== undefined) return found.attached;
    looking ??= search(options, found, () => (looking = undefined));
    return isQuestion ? Promise.race([looking.model, looking.overdue]) : looking.model;
  }

  async function ask<T>(isQuestion: boolean, work: (model: Model) => Promise<T>): Promise<T> {
    try {
      return await work(await model(isQuestion));
    } catch (thrown) {
      // A model that can never be loaded here is not offered either.
      if (own.state() === "absent") await giveUp(found, async () => undefined);
      if (!isLost(thrown)) throw thrown;
    }
    return work(await model(isQuestion));
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
    load: () => ask(false, (one) => one.load()),
    embed: async (texts) => (texts.length === 0 ? [] : ask(isSmall(texts), (one) => one.embed(texts))),
    async close() {
      found.absent = new Failure("unavailable", "The embedder is closed.", "Create a new one.");
      found.attached?.close();
      await looking?.model.catch(() => undefined);
      await giveUp(found, () => own.close());
    },
  };
}

function search(options: OfferedOptions, found: Found, onEnd: () => void): Search {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  // Nobody may be asking anything.
  overdue.catch(() => undefined);
  const model = look(options, found, () => reject(notGreeted())).finally(onEnd);
  model.catch(() => undefined);
  return { model, overdue };
}

/** An offer, or else what this process does without one. */
async function look(options: OfferedOptions, found: Found, onOverdue: () => void): Promise<Model> {
  const { part, own, place, lock, patience = waitByPart } = options;
  let isOver = false;
  const expired = patience(part).then(() => (isOver = true));
  for (;;) {
    const attached = await useOffer(options, found, { expired, onOverdue });
    if (found.absent !== undefined) throw found.absent;
    if (attached !== null) return attached;
    if (part === "borrow") throw (found.absent = notOffered());
    if (part === "load" || own.state() === "absent") return own;
    const became = await becomeOwner((offer) => serveModel(own, offer), { place, lock });
    if (became !== "taken") found.ownership = became ?? undefined;
    if (found.absent !== undefined) throw found.absent;
    if (became !== "taken" || isOver) return own;
    // Somebody has just become the owner and not yet said so, or is about to end.
    await pause(LOOK_AGAIN_MS);
  }
}

async function useOffer(
  options: OfferedOptions,
  found: Found,
  { expired, onOverdue }: { expired: Promise<unknown>; onOverdue: () => void },
): Promise<Attached | null> {
  const { place, longestTextCharacters, unansweredMs = UNANSWERED_MS, haste = () => waitUnnoticed(HASTE_MS) } = options;
  const { identity, dimensions } = options.own;
  const offer = place.read();
  if (offer === null || offer.socket === found.silent) return null;
  const onLost: OnLost = (gone, isSilent) => {
    if (isSilent) found.silent = offer.socket;
    if (found.attached === gone) found.attached = undefined;
  };
  const expected = { identity, dimensions, longestTextCharacters, unansweredMs };
  let isWaiting = true;
  // A command that has waited as long loads a model of its own instead.
  if (options.part === "offer") void haste().then(() => isWaiting && onOverdue());
  const attached = await attach(offer, expected, { expired, onLost });
  isWaiting = false;
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

function notGreeted(): Failure {
  const hint = "Ask again in a second: the model is then found, or loaded anew.";
  return new Failure("unavailable", "The process that offers the embedding model does not answer yet.", hint);
}

function notOffered(): Failure {
  const hint = "A running server offers its model once it has used it.";
  return new Failure("unavailable", "No process offers the embedding model.", hint);
}
