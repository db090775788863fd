/**
 * The system's keyring: Keychain, Credential Manager, or the Secret Service of a desktop session.
 *
 * Loaded only where a key is kept there. On Linux the library would fall back to the kernel's keyring, which forgets at the next
 * restart; a key must never be there, so that is ruled out.
 */
import { Failure } from "../../errors.ts";
import type { Keyring } from "../../ports/keyring.ts";

/** What a person sees beside the entry. */
const SERVICE = "stele";
const LASTING = { linux: { store: "secret-service" } } as const;

export function systemKeyring(): Keyring {
  const entry = async (name: string) => {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return new AsyncEntry(SERVICE, name, LASTING);
  };
  return {
    read: (name) => answered(async () => (await entry(name)).getPassword()),
    write: (name, text) => answered(async () => (await entry(name)).setPassword(text)),
    remove: (name) => answered(async () => (await entry(name)).deleteCredential()),
  };
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const why = code === "ERR_MODULE_NOT_FOUND" ? "its library is not installed" : message;
    throw new Failure("unavailable", `The system's keyring cannot be used here: ${why}.`, "Unlock it, or log in.", {
      cause: thrown,
    });
  }
}
