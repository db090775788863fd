/**
 * A connection to the owner of a model.
 *
 * The owner has to prove itself first, so no text reaches anyone else. A connection that ends, says anything malformed
 * or leaves a request unanswered for long is lost: its requests are rejected with `LOST`. It keeps the process alive
 * only while requests are pending.
 */
import { connect, type Socket } from "node:net";
import { Failure } from "../../errors.ts";
import { systemRandom } from "../../machine/ids.ts";
import { isSmall } from "../job-order.ts";
import type { Offer } from "./meeting-place.ts";
import {
  createFrameReader,
  type Frame,
  isProof,
  LONGEST_GREETING_BYTES,
  LONGEST_PAYLOAD_BYTES,
  malformed,
  MOST_TEXTS,
  NONCE_BYTES,
  PROTOCOL,
  prove,
  readChallenge,
  readRefusal,
  readVectors,
  textBytes,
  toFrame,
  writeHello,
  writeRequest,
} from "./messages.ts";

/** How long a request may stay unanswered: longer than a model takes to load, and to work off what others have sent. */
export const UNANSWERED_MS = { small: 10_000, large: 60_000 };
/** Fewer than an owner accepts, so that the bulk of several clients takes turns. */
const TEXTS_AT_ONCE = MOST_TEXTS / 2;
/** Of the few requests that an owner accepts at once, this many may be questions: there is always room for bulk. */
const MOST_SMALL = 3;

interface Expected {
  readonly identity: string;
  readonly dimensions: number;
  /** What lies beyond does not change a vector and is not sent. */
  readonly longestTextCharacters: number;
  readonly unansweredMs: typeof UNANSWERED_MS;
}

/** `isSilent`: the owner is there, but left a request unanswered. */
export type OnLost = (gone: Attached, isSilent: boolean) => void;

export interface Attached {
  load(): Promise<void>;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): void;
}

/** The owner is gone. Its requests may be made again, elsewhere. */
export const isLost = (thrown: unknown): boolean => thrown instanceof Failure && thrown.cause === LOST;
const LOST = Symbol("lost");
const lost = () =>
  new Failure("unavailable", "The process that offered the model is gone.", "Ask again.", { cause: LOST });

/** Null if the owner does not answer before `expired`, cannot prove itself or has another model. */
export async function attach(
  offer: Offer,
  expected: Expected,
  { expired, onLost }: { expired: Promise<unknown>; onLost: OnLost },
): Promise<Attached | null> {
  const socket = connect(offer.socket);
  const greeted = greet(socket, offer.key, expected);
  const isReady = await Promise.race([greeted.promise, expired.then(() => false)]);
  if (!isReady || socket.destroyed) {
    socket.destroy();
    return null;
  }
  const attached = converse(socket, expected, (isSilent) => onLost(attached, isSilent));
  greeted.handOver(attached.take);
  return attached;
}

/** Resolves to whether the owner proved itself. */
export function greet(
  socket: Socket,
  key: Buffer,
  { identity, dimensions }: Pick<Expected, "identity" | "dimensions">,
) {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const clientNonce = systemRandom(NONCE_BYTES);
  let isProven = false;
  let take: (frame: Frame) => void = ({ kind, payload }) => {
    if (kind !== "challenge" || isProven) throw malformed("out of turn");
    const { nonce, proof, ...said } = readChallenge(payload);
    const greeting = { clientNonce, ownerNonce: nonce, ...said };
    if (said.protocol !== PROTOCOL || said.identity !== identity || said.dimensions !== dimensions)
      throw malformed("another model");
    if (!isProof(proof, "owner", key, greeting)) throw malformed("wrong proof");
    isProven = true;
    socket.write(toFrame("proof", prove("client", key, greeting)));
    resolve(true);
  };
  const reader = createFrameReader(() => (isProven ? LONGEST_PAYLOAD_BYTES : LONGEST_GREETING_BYTES));
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) take(frame);
    } catch {
      // Whoever this is, it is not the owner we look for; closing resolves everything.
      socket.destroy();
    }
  });
  socket.on("error", () => socket.destroy());
  socket.once("close", () => resolve(false));
  socket.write(toFrame("hello", writeHello({ protocol: PROTOCOL, nonce: clientNonce })));
  return { promise, handOver: (next: typeof take) => (take = next) };
}

interface Pending extends PromiseWithResolvers<Float32Array[]> {
  readonly timer: NodeJS.Timeout;
}

function converse(socket: Socket, expected: Expected, onLost: (isSilent: boolean) => void) {
  const { dimensions, longestTextCharacters, unansweredMs } = expected;
  const pending = new Map<number, Pending>();
  const turns = { small: createTurns(MOST_SMALL), large: createTurns(1) };
  type Lane = keyof typeof turns;
  let lastId = 0;
  let [isOver, isSilent] = [false, false];
  socket.unref();

  function settle(id: number): Pending | undefined {
    const request = pending.get(id);
    pending.delete(id);
    clearTimeout(request?.timer);
    if (pending.size === 0) socket.unref();
    return request;
  }

  socket.once("close", () => {
    isOver = true;
    onLost(isSilent);
    for (const id of [...pending.keys()]) settle(id)?.reject(lost());
  });

  async function send(texts: readonly string[], lane: Lane): Promise<Float32Array[]> {
    if (isOver) throw lost();
    const id = (lastId = (lastId + 1) % 2 ** 32);
    const giveUp = () => {
      isSilent = true;
      socket.destroy();
    };
    const timer = setTimeout(giveUp, unansweredMs[lane]).unref();
    const request = { ...Promise.withResolvers<Float32Array[]>(), timer };
    pending.set(id, request);
    socket.ref();
    socket.write(toFrame("request", writeRequest({ id, texts })));
    return request.promise;
  }

  return {
    take({ kind, payload }: Frame): void {
      if (kind === "vectors") {
        const { id, vectors } = readVectors(payload, dimensions);
        settle(id)?.resolve([...vectors]);
      } else if (kind === "refusal") {
        const { id, message, hint } = readRefusal(payload);
        settle(id)?.reject(new Failure("unavailable", message, hint));
      } else throw malformed("out of turn");
    },
    load: async () => void (await turns.small(() => send([], "small"))),
    embed(texts: readonly string[]) {
      const cut = texts.map((text) => text.slice(0, longestTextCharacters));
      const lane = isSmall(texts) ? "small" : "large";
      return inPortions(cut, (portion) => turns[lane](() => send(portion, lane)));
    },
    close: () => void socket.destroy(),
  };
}

async function inPortions(
  texts: readonly string[],
  embed: (portion: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const portion of portionsOf(texts)) {
    const some = await embed(portion);
    if (some.length !== portion.length) throw new Failure("unavailable", "The model answered amiss.", "Ask again.");
    vectors.push(...some);
  }
  return vectors;
}

/** As many texts as one request may hold. */
function portionsOf(texts: readonly string[]): string[][] {
  const portions: string[][] = [];
  let bytes = Infinity;
  for (const text of texts) {
    bytes += textBytes(text);
    if (bytes > LONGEST_PAYLOAD_BYTES / 2 || portions.at(-1)!.length === TEXTS_AT_ONCE) {
      portions.push([]);
      bytes = textBytes(text);
    }
    portions.at(-1)!.push(text);
  }
  return portions;
}

/** Runs at most so many at a time; the others wait in order. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over this turn.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
