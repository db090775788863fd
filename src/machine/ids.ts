/**
 * Ids: UUIDv7, so that they sort by creation time.
 *
 * Within one millisecond a counter keeps the order; the rest is random.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Clock, Ids } from "../world.ts";

/**
 * Random bytes from the system.
 *
 * Loading `node:crypto` takes a command as long as opening its stores, so they are read from the device that it would
 * ask. Where there is none, `node:crypto` provides them.
 */
const DEVICE = "/dev/urandom";

export function systemRandom(size: number, device = DEVICE): Uint8Array {
  return readDevice(device, size) ?? randomBytes(size);
}

/** Null unless all of them could be read from a device: in its place a stranger's file could be repeated. */
function readDevice(path: string, size: number): Uint8Array | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, "r");
    const bytes = new Uint8Array(size);
    const isDevice = fstatSync(descriptor).isCharacterDevice();
    return isDevice && readSync(descriptor, bytes) === size ? bytes : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

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
