/**
 * Serves an embedder to other processes of the same user.
 *
 * A connection that does not prove itself in time is ended, as is one that sends anything malformed. Each client has at
 * most one small and one large request at the embedder and a few more waiting; beyond that it is not read, so a client
 * that floods or hangs costs the others one request at a time. Serving never keeps a process alive.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { toFailure } from "../../errors.ts";
import type { Embedder } from "../../ports.ts";
import { isSmall } from "../job-order.ts";
import type { MeetingPlace, Offer } from "./meeting-place.ts";
import {
  createFrameReader,
  type Frame,
  type Greeting,
  isProof,
  LONGEST_GREETING_BYTES,
  LONGEST_PAYLOAD_BYTES,
  malformed,
  NONCE_BYTES,
  PROTOCOL,
  prove,
  readHello,
  readProof,
  readRequest,
  type Request,
  toFrame,
  writeChallenge,
  writeRefusal,
  writeVectors,
} from "./messages.ts";

const MOST_CLIENTS = 64;
/** Requests of one client that are accepted before it is left unread. */
const MOST_ACCEPTED = 4;
/** Answers that a client has not read. */
const MOST_UNREAD_BYTES = LONGEST_PAYLOAD_BYTES;
const GREETING_MS = 1_000;

interface Serving {
  /** Ends all connections; requests under way get no answer. */
  close(): Promise<void>;
}

export const serveModel = (embedder: Embedder, offer: Offer): Promise<Serving> =>
  serveProven(offer, embedder, (socket) => acceptRequests(socket, embedder));

/** What the owner says it offers, before anything else. */
type About = Pick<Embedder, "identity" | "dimensions">;
/** Takes what a client sends that has proved itself; throws on anything malformed. */
type Accept = (socket: Socket) => (frame: Frame) => void;

export async function serveProven({ socket: path, key }: Offer, about: About, accept: Accept): Promise<Serving> {
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    socket.once("close", () => clients.delete(socket)).unref();
    serveClient(socket, { about, key, accept: accept(socket) });
  });
  server.maxConnections = MOST_CLIENTS;
  server.unref();
  const listening = once(server, "listening");
  server.listen(path);
  await listening;
  // A connection that cannot be accepted (no file descriptor is left) is its client's loss alone.
  server.on("error", () => undefined);
  if (!path.startsWith("\\\\")) chmodSync(path, 0o600);
  return {
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of clients) socket.destroy();
      await closed;
    },
  };
}

/** Ends the connection instead of throwing where nobody catches. */
function serveClient(
  socket: Socket,
  { about, key, accept }: { about: About; key: Buffer; accept(frame: Frame): void },
): void {
  let isProven = false;
  const reader = createFrameReader(() => (isProven ? LONGEST_PAYLOAD_BYTES : LONGEST_GREETING_BYTES));
  const greet = greeter(socket, about, key);
  const tooLate = setTimeout(() => socket.destroy(), GREETING_MS).unref();

  function take(frame: Frame): void {
    if (isProven) return accept(frame);
    isProven = greet(frame);
    if (isProven) clearTimeout(tooLate);
  }

  socket.on("error", () => socket.destroy());
  socket.once("close", () => clearTimeout(tooLate));
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) take(frame);
    } catch {
      // Malformed, or a stranger: neither is owed an explanation.
      socket.destroy();
    }
  });
}

/** Two steps; true after the second, which proves that the client knows the key. */
function greeter(socket: Socket, { identity, dimensions }: About, key: Buffer): (frame: Frame) => boolean {
  let greeting: Greeting | undefined;
  return ({ kind, payload }) => {
    if (kind === "hello" && greeting === undefined) {
      const { protocol, nonce } = readHello(payload);
      if (protocol !== PROTOCOL) throw malformed("another protocol");
      const ownerNonce = randomBytes(NONCE_BYTES);
      // Copied, because it is needed after the chunk it came in.
      greeting = { protocol, clientNonce: Buffer.from(nonce), ownerNonce, identity, dimensions };
      const proof = prove("owner", key, greeting);
      socket.write(toFrame("challenge", writeChallenge({ protocol, nonce: ownerNonce, proof, dimensions, identity })));
      return false;
    }
    if (kind !== "proof" || greeting === undefined) throw malformed("out of turn");
    if (!isProof(readProof(payload), "client", key, greeting)) throw malformed("wrong proof");
    return true;
  };
}

/** Runs a client's requests: small and large ones side by side, each kind one after the other. */
function acceptRequests(socket: Socket, embedder: Embedder): (frame: Frame) => void {
  const waiting: Request[] = [];
  const running = { small: false, large: false };
  let accepted = 0;

  const answer = async ({ id, texts }: Request): Promise<Buffer> => {
    try {
      if (texts.length === 0) await embedder.load();
      return toFrame("vectors", writeVectors({ id, vectors: await embedder.embed(texts) }));
    } catch (thrown) {
      const { message, hint } = toFailure(thrown);
      return toFrame("refusal", writeRefusal({ id, message, hint }));
    }
  };

  async function run(request: Request, lane: keyof typeof running): Promise<void> {
    running[lane] = true;
    const frame = await answer(request);
    running[lane] = false;
    accepted -= 1;
    if (!socket.writable) return;
    socket.write(frame);
    advance();
  }

  function advance(): void {
    for (const lane of ["small", "large"] as const) {
      if (running[lane] || socket.writableLength > MOST_UNREAD_BYTES) continue;
      const next = waiting.findIndex(({ texts }) => isSmall(texts) === (lane === "small"));
      if (next !== -1) void run(waiting.splice(next, 1)[0]!, lane);
    }
    if (accepted >= MOST_ACCEPTED) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  socket.on("drain", advance);
  return ({ kind, payload }) => {
    if (kind !== "request") throw malformed("out of turn");
    accepted += 1;
    waiting.push(readRequest(payload));
    advance();
  };
}

/**
 * Becoming the one process that offers a model or a key, by a lock that the system releases however its holder ends.
 *
 * The socket listens before the note names it, and both are removed before the lock is released. A process that ends
 * without closing removes them too; what a killed one leaves is removed by the next owner.
 */
interface Lock {
  release(): void;
}

/** Null while another process holds the lock of this file. */
export type TakeLock = (path: string) => Lock | null;

export interface Ownership {
  /** Ends the offer. The lock is still held: the model may still be loaded. */
  withdraw(): Promise<void>;
  release(): void;
}

type Serve = (offer: Offer) => Promise<Serving>;

/** "taken" if another process is the owner; null if nothing can be offered here. */
export async function becomeOwner(
  serve: Serve,
  { place, lock }: { place: MeetingPlace; lock: TakeLock },
): Promise<Ownership | "taken" | null> {
  const held = take(place, lock);
  if (held === null || held === "taken") return held;
  const release = () => held.release();
  // A full disk, a forbidden socket: the model serves this process alone.
  const published = await publish(serve, place).catch(() => null);
  if (published === null) release();
  return published && { ...published, release };
}

/** Whether an owner is running. The note of one that was killed says nothing; the lock does. */
export function isOffered(place: MeetingPlace, lock: TakeLock): boolean {
  if (place.read() === null) return false;
  const held = take(place, lock);
  if (held === null || held === "taken") return held === "taken";
  held.release();
  return false;
}

function take(place: MeetingPlace, lock: TakeLock): Lock | "taken" | null {
  try {
    const file = place.lockFile();
    return file === null ? null : (lock(file) ?? "taken");
  } catch {
    // A data folder that cannot be written to is no reason to fail.
    return null;
  }
}

async function publish(serve: Serve, place: MeetingPlace): Promise<Pick<Ownership, "withdraw"> | null> {
  const offer = place.prepare();
  if (offer === null) return null;
  const leave = () => place.withdraw(offer);
  const serving = await serve(offer);
  try {
    place.publish(offer);
  } catch (thrown) {
    await serving.close();
    throw thrown;
  }
  process.once("exit", leave);
  return {
    async withdraw() {
      process.removeListener("exit", leave);
      leave();
      await serving.close();
    },
  };
}
