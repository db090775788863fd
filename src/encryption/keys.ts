/** A key in a file that only its owner can read. Whoever can read that file can read the memory. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { Failure, toFailure } from "../errors.ts";
import { readPrivate, readSecret } from "../machine/private-files.ts";
import type { Keyring } from "../ports.ts";
import { writeSynced } from "./record-file.ts";
import type { AskPassphrase, WrappedKey } from "./record.ts";
import { readSheet } from "./recovery-sheet.ts";
import { KEY_BYTES, type StoreKey, storeKeyOf } from "./store-key.ts";

const DIGITS = new RegExp(`^[0-9a-f]{${2 * KEY_BYTES}}$`);
const ABOUT = "# A key of Stele. Whoever has it can read the memory it belongs to; without it, nobody can.";

/** `hint` says what to do without it. */
export function readKeyFile(path: string, hint: string = RESTORE): Buffer {
  const lines = contentOf(path, hint).split(/\r?\n/);
  const [digits = ""] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (DIGITS.test(digits)) return Buffer.from(digits, "hex");
  throw new Failure(
    "locked",
    `The key file ${path} is incomplete: ${digits.length} of ${2 * KEY_BYTES} digits, or other characters.`,
    hint,
  );
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "is missing",
  ELOOP: "is a link, and links are not followed",
};

function contentOf(path: string, hint: string): string {
  try {
    const text = readPrivate(path);
    if (text !== null) return text;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const what = FAULTS[code ?? ""] ?? `cannot be read (${code})`;
    throw new Failure("locked", `The key file ${path} ${what}.`, hint, { cause: thrown });
  }
  throw new Failure(
    "locked",
    `The key file ${path} is not a file that only you can read.`,
    `Run \`chmod 600 ${path}\`.`,
  );
}

const RESTORE =
  "Put the key file back, name it in STELE_KEY_FILE, or set a new key from the recovery sheet: `stele rekey --from-sheet`.";

export function writeKeyFile(path: string, key: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeSynced(path, `${ABOUT}\n${Buffer.from(key).toString("hex")}\n`);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    throw new Failure("conflict", `${path} exists.`, "Name another file with --key-file.", { cause: thrown });
  }
}

// A key in the system's keyring, under its id. Programs of a user whose keyring is unlocked can read it, and so the memory.

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

/**
 * A key that a passphrase encrypts.
 *
 * scrypt makes every guess cost 128 MB and some tenths of a second; a wrong passphrase is told by the authentication of what
 * it encrypts.
 */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

/** The same characters however a keyboard composes them. */
const derive = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  (promisify(scrypt) as (...call: [string, Buffer, number, typeof COST]) => Promise<Buffer>)(
    passphrase.normalize("NFKC"),
    salt,
    32,
    COST,
  );

export async function wrapKey(key: Uint8Array, passphrase: string): Promise<WrappedKey> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await derive(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  return { salt: salt.toString("hex"), nonce: nonce.toString("hex"), sealed: sealed.toString("hex") };
}

/** Null if the passphrase is wrong. */
async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Buffer | null> {
  const [salt, nonce, sealed] = [wrapped.salt, wrapped.nonce, wrapped.sealed].map((text) =>
    Buffer.from(text, "hex"),
  ) as [Buffer, Buffer, Buffer];
  if (sealed.length <= TAG_BYTES || nonce.length !== 12) throw damaged();
  const cipher = createDecipheriv(CIPHER, await derive(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]);
  } catch {
    return null;
  }
}

/** Null if nobody gave a passphrase; fails with `locked` after wrong ones. */
export async function unwrapAsking(
  wrapped: WrappedKey,
  ask: AskPassphrase | undefined,
  { prompt, hint, attempts = 3 }: { prompt?: string; hint: string; attempts?: number },
): Promise<Buffer | null> {
  for (let attempt = 1; ; attempt += 1) {
    const passphrase = (await ask?.(prompt)) ?? null;
    if (passphrase === null && attempt === 1) return null;
    const key = passphrase === null ? null : await unwrapKey(wrapped, passphrase);
    if (key !== null) return key;
    if (passphrase === null || attempt === attempts) throw new Failure("locked", "The passphrase is wrong.", hint);
  }
}

const LEAST_CHARACTERS = 12;

/** Before anything is encrypted with it. */
export function refuseShort(passphrase: string): void {
  if ([...passphrase].length >= LEAST_CHARACTERS) return;
  const hint = "Several unrelated words are easy to remember and hard to guess.";
  throw new Failure("invalid_input", `A passphrase needs at least ${LEAST_CHARACTERS} characters.`, hint);
}

/** The first line of a private file. */
export function passphraseIn(path: string): string {
  const text = textOf(path);
  if (text !== null) return text.split(/\r?\n/, 1)[0]!;
  const hint = `Run \`chmod 600 ${path}\`.`;
  throw new Failure("invalid_input", `${path} is not a small file that only you can read.`, hint);
}

function textOf(path: string): string | null {
  try {
    return readSecret(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new Failure("invalid_input", `${path} ${what}.`, "Name the file that holds the passphrase.", {
      cause: thrown,
    });
  }
}

const damaged = (): Failure =>
  new Failure("locked", "The wrapped key is damaged.", "Put encryption.json back from a copy of the data folder.");

/** The key on a recovery sheet that somebody typed. */
export function keyOnSheet(typed: string): StoreKey {
  const hex = readSheet(typed);
  if (typeof hex === "string") return storeKeyOf(Buffer.from(hex, "hex"));
  const what = hex === 0 ? "It must have eight groups of ten digits." : `Group ${hex} is mistyped.`;
  throw new Failure("invalid_input", `The recovery sheet cannot be read: ${what}`, "Compare it and type it again.");
}
