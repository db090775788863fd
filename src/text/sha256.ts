/**
 * SHA-256 in plain code, for hooks and commands, which hash a few short texts: loading `node:crypto` takes them longer.
 *
 * Once it is loaded, `node:crypto` is ten times as fast; work in bulk and long texts are left to it.
 */
const BLOCK_BYTES = 64;
const ROUNDS = 64;
const WORD = 2 ** 32;

/** The first 32 bits of the fractional parts of the cube roots of the first primes. */
// prettier-ignore
const constants = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The same of the square roots. */
// prettier-ignore
const start = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/** 64 hexadecimal digits. */
export function sha256(text: string): string {
  const words = Array.from(hashed(new TextEncoder().encode(text)), (word) => word.toString(16).padStart(8, "0"));
  return words.join("");
}

/** The 32 bytes of the keyed hash (HMAC) of some bytes. The key has at most one block. */
export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const inner = digest(joined(mixed(key, 0x36), bytes));
  return digest(joined(mixed(key, 0x5c), inner));
}

function mixed(key: Uint8Array, pattern: number): Uint8Array {
  if (key.length > BLOCK_BYTES) throw new RangeError("the key is longer than a block");
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  return block.map((byte) => byte ^ pattern);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The 32 bytes of the hash of some bytes. */
export function digest(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 * start.length);
  const view = new DataView(bytes.buffer);
  hashed(message).forEach((word, index) => view.setUint32(4 * index, word));
  return bytes;
}

/** The eight words of the hash. */
function hashed(message: Uint8Array): Uint32Array {
  const bytes = padded(message);
  const view = new DataView(bytes.buffer);
  const state = Uint32Array.from(start);
  const schedule = new Uint32Array(ROUNDS);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    for (let word = 0; word < 16; word++) schedule[word] = view.getUint32(at + 4 * word);
    extend(schedule);
    compress(state, schedule);
  }
  return state;
}

/** A one bit, zeros up to the end of a block, and the length in bits. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor((message.length * 8) / WORD));
  view.setUint32(bytes.length - 4, message.length * 8);
  return bytes;
}

function extend(schedule: Uint32Array): void {
  for (let at = 16; at < ROUNDS; at++) {
    const early = schedule[at - 15]!;
    const late = schedule[at - 2]!;
    const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[at] = schedule[at - 16]! + first + schedule[at - 7]! + second;
  }
}

/** Written out: a process that hashes once runs it before it is optimised, and exchanging values in lists takes ten times as long. */
function compress(state: Uint32Array, schedule: Uint32Array): void {
  let a = state[0]! | 0;
  let b = state[1]! | 0;
  let c = state[2]! | 0;
  let d = state[3]! | 0;
  let e = state[4]! | 0;
  let f = state[5]! | 0;
  let g = state[6]! | 0;
  let h = state[7]! | 0;
  for (let round = 0; round < ROUNDS; round++) {
    const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const high = (h + turnedE + ((e & f) ^ (~e & g)) + constants[round]! + schedule[round]!) | 0;
    const low = (turnedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + high) | 0;
    d = c;
    c = b;
    b = a;
    a = (high + low) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
