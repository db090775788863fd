/** A keyring in memory, which can be locked. */
import { Failure } from "../../src/errors.ts";
import type { Keyring } from "../../src/ports.ts";

export function memoryKeyring(): Keyring & { entries: Map<string, string>; isLocked: boolean } {
  const entries = new Map<string, string>();
  const unlocked = () => {
    if (keyring.isLocked) throw new Failure("unavailable", "The keyring is locked.", "Unlock it.");
    return entries;
  };
  const keyring = {
    entries,
    isLocked: false,
    read: async (name: string) => unlocked().get(name) ?? null,
    write: async (name: string, text: string) => void unlocked().set(name, text),
    remove: async (name: string) => unlocked().delete(name),
  };
  return keyring;
}
