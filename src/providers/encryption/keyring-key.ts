/** A key in the system's keyring, under its id. Programs of a user whose keyring is unlocked can read it, and so the memory. */
import { Failure, toFailure } from "../../errors.ts";
import { KEY_BYTES, type StoreKey } from "../../model/care/store-key.ts";
import type { Keyring } from "../../ports/keyring.ts";

const DIGITS = new RegExp(`^[0-9a-f]{${2 * KEY_BYTES}}$`);

/** Fails with `locked`, whatever is wrong: a keyring that is not there is no damage. */
export async function keyInKeyring(id: string, keyring: Keyring): Promise<Buffer> {
  const digits = await keyring.read(id).catch((thrown: unknown) => {
    const { message } = toFailure(thrown);
    throw new Failure("locked", `${message} The key ${id} is kept there.`, ELSEWHERE, { cause: thrown });
  });
  if (digits !== null && DIGITS.test(digits)) return Buffer.from(digits, "hex");
  const what = digits === null ? "has no entry" : "holds something else than a key";
  throw new Failure("locked", `The system's keyring ${what} under stele, ${id}.`, GONE);
}

const ELSEWHERE =
  "Run it in your desktop session, with the keyring unlocked. Without one, `stele rekey --from-sheet` keeps the key elsewhere.";
const GONE =
  "Restore the entry from a copy of the keyring, or set a new key from the recovery sheet: `stele rekey --from-sheet`.";

/** It is there when this returns: a keyring that accepts and then forgets is found out before anything is encrypted. */
export async function keepInKeyring({ id, hex }: StoreKey, keyring: Keyring): Promise<void> {
  let isWritten = false;
  const refused = async (what: string, cause?: unknown) => {
    // A keyring that left writing unanswered would leave this unanswered for another minute.
    if (isWritten) await keyring.remove(id).catch(() => false);
    return new Failure("unavailable", `${what} Nothing was encrypted.`, OTHER_PLACES, { cause });
  };
  let kept: string | null;
  try {
    await keyring.write(id, hex);
    isWritten = true;
    kept = await keyring.read(id);
  } catch (thrown) {
    throw await refused(toFailure(thrown).message, thrown);
  }
  if (kept !== hex) throw await refused("The system's keyring did not keep the key.");
}

const OTHER_PLACES = "Keep the key in a file (--key-file FILE) or encrypt it with a passphrase (--passphrase) instead.";
