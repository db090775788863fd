/**
 * Random bytes from the system.
 *
 * Loading `node:crypto` takes a command as long as opening its stores, so they are read from the device that it would
 * ask. Where there is none, `node:crypto` provides them.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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
