/**
 * The messages between the owner of a model and its clients, as payloads of frames.
 *
 * Pure. Every reader checks all lengths and refuses a payload with anything missing or left over. Texts travel as
 * UTF-16, so that even half a character arrives as it was; vectors as the floats they are.
 */
import { hmacSha256 } from "../../text/sha256.ts";

/**
 * Frames on a stream: the length of the payload, its kind, the payload.
 *
 * Pure. A reader holds at most one frame beyond the chunk it was given, and refuses a longer one by its head, before
 * its payload arrives. After a refusal the stream has no meaning any more: its user ends the connection.
 */
export const KINDS = { hello: 1, challenge: 2, proof: 3, request: 4, vectors: 5, refusal: 6, key: 7 } as const;
export type Kind = keyof typeof KINDS;

export interface Frame {
  readonly kind: Kind;
  readonly payload: Buffer;
}

/** A frame that no party of ours sends. */
export const malformed = (what: string): RangeError => new RangeError(`malformed frame: ${what}`);

const HEAD_BYTES = 5;
const NAMES = new Map<number, Kind>(Object.entries(KINDS).map(([name, code]) => [code, name as Kind]));

export function toFrame(kind: Kind, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt8(KINDS[kind], 4);
  frame.set(payload, HEAD_BYTES);
  return frame;
}

interface FrameReader {
  /**
   * The frames that this chunk completes, each read when it is asked for: what it says may change the limit for the next.
   * Throws on a frame that is too long or of no known kind.
   */
  push(chunk: Uint8Array): Iterable<Frame>;
}

/** `longestPayload` is asked for each frame: a stranger may say less than a proven party. */
export function createFrameReader(longestPayload: () => number): FrameReader {
  let chunks: Uint8Array[] = [];
  let heldBytes = 0;
  let wantedBytes = HEAD_BYTES;

  function take(): Frame | null {
    if (heldBytes < wantedBytes) return null;
    const held = Buffer.concat(chunks);
    chunks = [held];
    const payloadBytes = held.readUInt32LE(0);
    const kind = NAMES.get(held.readUInt8(4));
    if (kind === undefined) throw malformed("unknown kind");
    if (payloadBytes > longestPayload()) throw malformed("too long");
    wantedBytes = HEAD_BYTES + payloadBytes;
    if (heldBytes < wantedBytes) return null;
    const payload = held.subarray(HEAD_BYTES, wantedBytes);
    chunks = [held.subarray(wantedBytes)];
    heldBytes -= wantedBytes;
    wantedBytes = HEAD_BYTES;
    return { kind, payload };
  }

  return {
    *push(chunk) {
      chunks.push(chunk);
      heldBytes += chunk.length;
      for (let frame = take(); frame !== null; frame = take()) yield frame;
    },
  };
}

export const PROTOCOL = 1;
export const NONCE_BYTES = 32;
const PROOF_BYTES = 32;

/** Before both sides have proved themselves, and after. */
export const LONGEST_GREETING_BYTES = 1_024;
export const LONGEST_PAYLOAD_BYTES = 1_048_576;
export const MOST_TEXTS = 64;
const LONGEST_IDENTITY_BYTES = 512;
const LONGEST_REASON_CHARACTERS = 1_000;

interface Hello {
  readonly protocol: number;
  readonly nonce: Uint8Array;
}

interface Challenge extends Hello {
  readonly proof: Uint8Array;
  readonly dimensions: number;
  readonly identity: string;
}

export interface Request {
  readonly id: number;
  /** None asks to load the model. */
  readonly texts: readonly string[];
}

interface Vectors {
  readonly id: number;
  readonly vectors: readonly Float32Array[];
}

interface Refusal {
  readonly id: number;
  readonly message: string;
  readonly hint: string;
}

export function writeHello({ protocol, nonce }: Hello): Buffer {
  return Buffer.concat([uint16(protocol), nonce]);
}

export function readHello(payload: Buffer): Hello {
  if (payload.length !== 2 + NONCE_BYTES) throw malformed("hello");
  return { protocol: payload.readUInt16LE(0), nonce: payload.subarray(2) };
}

export function writeChallenge({ protocol, nonce, proof, dimensions, identity }: Challenge): Buffer {
  return Buffer.concat([uint16(protocol), nonce, proof, uint16(dimensions), Buffer.from(identity)]);
}

export function readChallenge(payload: Buffer): Challenge {
  const [nonceAt, proofAt] = [2, 2 + NONCE_BYTES];
  const dimensionsAt = proofAt + PROOF_BYTES;
  const identityAt = dimensionsAt + 2;
  if (payload.length < identityAt || payload.length > identityAt + LONGEST_IDENTITY_BYTES) throw malformed("challenge");
  return {
    protocol: payload.readUInt16LE(0),
    nonce: payload.subarray(nonceAt, proofAt),
    proof: payload.subarray(proofAt, dimensionsAt),
    dimensions: payload.readUInt16LE(dimensionsAt),
    identity: payload.toString("utf8", identityAt),
  };
}

export function readProof(payload: Buffer): Buffer {
  if (payload.length !== PROOF_BYTES) throw malformed("proof");
  return payload;
}

export function writeRequest({ id, texts }: Request): Buffer {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text, "utf16le");
    return [uint32(bytes.length), bytes];
  });
  return Buffer.concat([uint32(id), uint16(texts.length), ...parts]);
}

/** How many bytes of a request this text takes. */
export const textBytes = (text: string): number => 4 + 2 * text.length;

export function readRequest(payload: Buffer): Request {
  const { id, count } = readHead(payload);
  if (count > MOST_TEXTS) throw malformed("too many texts");
  const texts: string[] = [];
  let at = 6;
  while (texts.length < count) {
    if (at + 4 > payload.length) throw malformed("request");
    const end = at + 4 + payload.readUInt32LE(at);
    if (end > payload.length || (end - at) % 2 !== 0) throw malformed("request");
    texts.push(payload.toString("utf16le", at + 4, end));
    at = end;
  }
  if (at !== payload.length) throw malformed("request");
  return { id, texts };
}

export function writeVectors({ id, vectors }: Vectors): Buffer {
  const bytes = vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  return Buffer.concat([uint32(id), uint16(vectors.length), ...bytes]);
}

export function readVectors(payload: Buffer, dimensions: number): Vectors {
  const { id, count } = readHead(payload);
  const vectorBytes = 4 * dimensions;
  if (payload.length !== 6 + count * vectorBytes) throw malformed("vectors");
  const vectors = Array.from({ length: count }, (_, index) => {
    // Copied, because floats must be aligned and the chunk would otherwise be kept.
    const bytes = Uint8Array.from(payload.subarray(6 + index * vectorBytes, 6 + (index + 1) * vectorBytes));
    return new Float32Array(bytes.buffer);
  });
  return { id, vectors };
}

export function writeRefusal({ id, message, hint }: Refusal): Buffer {
  const said = Buffer.from(message.slice(0, LONGEST_REASON_CHARACTERS));
  return Buffer.concat([uint32(id), uint16(said.length), said, Buffer.from(hint.slice(0, LONGEST_REASON_CHARACTERS))]);
}

export function readRefusal(payload: Buffer): Refusal {
  const { id, count: messageBytes } = readHead(payload);
  if (payload.length < 6 + messageBytes) throw malformed("refusal");
  const hintAt = 6 + messageBytes;
  return { id, message: payload.toString("utf8", 6, hintAt), hint: payload.toString("utf8", hintAt) };
}

function readHead(payload: Buffer): { id: number; count: number } {
  if (payload.length < 6) throw malformed("head");
  return { id: payload.readUInt32LE(0), count: payload.readUInt16LE(4) };
}

function uint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/**
 * Proofs of knowing the key, which itself never travels.
 *
 * Each side answers the other's random number together with its own, under its own role: a proof can be neither
 * replayed nor sent back to whoever made it. Loading `node:crypto` would take a command longer than all of this.
 */
type Role = "owner" | "client";

/** What both sides have said before a proof. */
export interface Greeting {
  readonly protocol: number;
  readonly clientNonce: Uint8Array;
  readonly ownerNonce: Uint8Array;
  readonly identity: string;
  readonly dimensions: number;
}

export function prove(role: Role, key: Uint8Array, greeting: Greeting): Buffer {
  const { protocol, clientNonce, ownerNonce, identity, dimensions } = greeting;
  // The numbers have a fixed length and the only text comes last, so no two greetings give the same bytes.
  const head = Buffer.from(`stele model ${role} ${protocol} ${dimensions}\n`);
  return Buffer.from(hmacSha256(key, Buffer.concat([head, clientNonce, ownerNonce, Buffer.from(identity)])));
}

export function isProof(said: Uint8Array, role: Role, key: Uint8Array, greeting: Greeting): boolean {
  const right = prove(role, key, greeting);
  return said.length === right.length && differences(said, right) === 0;
}

/** Looks at every byte, so that the time it takes tells nothing about where two differ. */
function differences(one: Uint8Array, other: Uint8Array): number {
  let found = 0;
  for (let at = 0; at < one.length; at++) found |= one[at]! ^ other[at]!;
  return found;
}
