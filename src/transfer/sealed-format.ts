/**
 * The layout of an encrypted export: a header line, then chunks of equal size, each with its own tag.
 *
 * The nonce of a chunk is its number and whether it is the last one. So chunks that are missing, repeated or in another order, a file
 * that was cut off and one that goes on after its end all fail to open. What encrypts is elsewhere.
 */
import type { WrappedKey } from "../encryption/record.ts";

// How the key of an encrypted export is wrapped: with the key of a memory, or with a passphrase.

/** Values are hexadecimal digits. */
export type ExportSeal =
  | { readonly by: "key"; readonly id: string; readonly nonce: string; readonly sealed: string }
  | ({ readonly by: "passphrase" } & WrappedKey);

export const SEALED_FORMAT = 1;
/** The beginning of every encrypted export, whatever its format. */
export const SEALED_START = `{"stele":"sealed export",`;
export const LONGEST_HEADER_BYTES = 1_024;

export const CHUNK_BYTES = 65_536;
export const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/** What is wrong with it, if it is none that this version understands. */
export function readSealedHeader(line: string): ExportSeal | { fault: string } {
  const { format, seal } = (parsed(line) ?? {}) as Partial<Record<string, unknown>>;
  if (typeof format === "number" && format !== SEALED_FORMAT) {
    return { fault: `has format ${format}, but this version of Stele reads format ${SEALED_FORMAT}` };
  }
  const { by, id, salt, nonce, sealed } = (seal ?? {}) as Partial<Record<string, unknown>>;
  if (format !== SEALED_FORMAT || !isHex(nonce, NONCE_BYTES) || !isHex(sealed, WRAPPED_BYTES)) return DAMAGED;
  if (by === "key" && isHex(id, ID_BYTES)) return { by, id, nonce, sealed };
  return by === "passphrase" && isHex(salt, SALT_BYTES) ? { by, salt, nonce, sealed } : DAMAGED;
}

const [ID_BYTES, SALT_BYTES, WRAPPED_BYTES] = [10, 16, 32 + TAG_BYTES];
const DAMAGED = { fault: "has a damaged header" };

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);

/** Eleven bytes for the number, one that says whether it is the last. */
export function nonceOf(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 9, BigInt(index));
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts bytes that come in any pieces into chunks of one size. Only the last chunk is shorter, and it is empty only if all is. */
export function chunker(size: number): { push(piece: Uint8Array): Uint8Array[]; end(): Uint8Array } {
  let begun: Uint8Array[] = [];
  let length = 0;
  const take = (): Uint8Array => {
    const chunk = begun.length === 1 ? begun[0]! : joined(begun, length);
    [begun, length] = [[], 0];
    return chunk;
  };
  return {
    push(piece) {
      const whole: Uint8Array[] = [];
      for (let start = 0; start < piece.length; ) {
        // Whether a full chunk is the last one is known when something follows.
        if (length === size) whole.push(take());
        const part = piece.subarray(start, start + size - length);
        begun.push(part);
        length += part.length;
        start += part.length;
      }
      return whole;
    },
    end: take,
  };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
