/**
 * A key that a passphrase encrypts.
 *
 * scrypt makes every guess cost 128 MB and some tenths of a second; a wrong passphrase is told by the authentication of what
 * it encrypts.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { Failure } from "../../errors.ts";
import type { AskPassphrase, WrappedKey } from "../../model/care/encryption.ts";
import { readSecret } from "../files/private-file.ts";

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
export async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Buffer | null> {
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
