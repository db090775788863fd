/**
 * SHA-256 in plain code, for hooks: loading Node's `crypto` takes a hook longer than everything else it does.
 *
 * Everything else uses `node:crypto`, which is quicker once it is loaded. Hashing a long text here would not pay.
 */
const BLOCK_BYTES = 64;
const ROUNDS = 64;
const WORD = 2 ** 32;

/** The first 32 bits of the fractional parts: of the cube roots of the primes, and of the square roots of the first eight. */
const { constants, start } = fractionsOfPrimes();

/** 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const state = Uint32Array.from(start);
  const schedule = new Uint32Array(ROUNDS);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    for (let word = 0; word < 16; word++) schedule[word] = view.getUint32(at + 4 * word);
    extend(schedule);
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** A one bit, zeros up to the end of a block, and the length in bits. */
function padded(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.set(text);
  bytes[text.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor((text.length * 8) / WORD));
  view.setUint32(bytes.length - 4, text.length * 8);
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

/** Written out: hooks run it before it is optimised, and exchanging values in lists takes ten times as long. */
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

function fractionsOfPrimes(): { constants: Uint32Array; start: Uint32Array } {
  const primes: number[] = [];
  for (let number = 2; primes.length < ROUNDS; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const fraction = (root: number) => (root % 1) * WORD;
  return {
    constants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
