/**
 * Ids: UUIDv7, so that they sort by creation time.
 *
 * Within one millisecond a counter keeps the order; the rest is random.
 */
import type { Clock, Ids } from "../ports/world.ts";
import { systemRandom } from "./random.ts";

const COUNTER_LIMIT = 0xfff;
const POOL_BYTES = 4_096;

export function createIds(clock: Clock, random: (size: number) => Uint8Array = pooledBytes()): Ids {
  let lastMs = 0;
  let counter = 0;
  return {
    next() {
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = 0;
      } else if (counter < COUNTER_LIMIT) counter += 1;
      else {
        lastMs += 1;
        counter = 0;
      }
      return format(lastMs, counter, random(8));
    },
  };
}

function format(ms: number, counter: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, "0");
  const tail = Buffer.from(random);
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const hex = tail.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** Random bytes are expensive one by one and cheap in bulk; no byte is handed out twice. */
function pooledBytes(): (size: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0);
  return (size) => {
    if (pool.length < size) pool = systemRandom(Math.max(size, POOL_BYTES));
    const bytes = pool.subarray(0, size);
    pool = pool.subarray(size);
    return bytes;
  };
}
