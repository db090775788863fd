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

export interface FrameReader {
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
