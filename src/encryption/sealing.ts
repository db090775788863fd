/**
 * Which key opens an encrypted export.
 *
 * A passphrase is typed unseen or read from a private file, and derived once however often a file is read. Cryptography is loaded on
 * first use.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../errors.ts";
import type { Keyring, SealedSource, Sealing } from "../ports.ts";
import type { ExportSeal } from "../transfer/sealed-format.ts";
import type { AskPassphrase } from "./record.ts";
import { type StoreKey, storeKeyOf } from "./store-key.ts";

interface SealingOptions {
  /** The memory's own key; null if it is not encrypted. */
  key: StoreKey | null;
  /** Where keys are kept by default, also former ones. */
  keysFolder: string;
  /** Where this memory's key is kept, and former ones, if not in files. */
  keyring?: Keyring | undefined;
  ask?: AskPassphrase | undefined;
}

type ByKey = Extract<ExportSeal, { by: "key" }>;
type ByPassphrase = Extract<ExportSeal, { by: "passphrase" }>;

export function createSealing(options: SealingOptions): Sealing {
  // An import reads its file several times.
  let last: { asked: string; key: Buffer | null } | null = null;
  return {
    open: (source) =>
      async function* (bytes) {
        const { openedBytes } = await import("./sealed-export.ts");
        yield* openedBytes(bytes, {
          path: source.path,
          mayBePlain: source.keyFile === null && source.passphraseFile === null,
          async fileKeyOf(seal, header) {
            const asked = JSON.stringify([header.toString("latin1"), source]);
            if (last?.asked !== asked) last = { asked, key: await fileKeyOf(seal, source, options) };
            return last.key;
          },
        });
      },
  };
}

/** Null if the header was altered. Fails with `locked` if the key is not at hand, or the passphrase is wrong. */
async function fileKeyOf(seal: ExportSeal, source: SealedSource, options: SealingOptions): Promise<Buffer | null> {
  if (seal.by === "passphrase") return keyByPassphrase(seal, source, options);
  const { openByKey } = await import("./sealed-export.ts");
  return openByKey(seal, await keyFor(seal, source, options));
}

async function keyByPassphrase(
  seal: ByPassphrase,
  { path, passphraseFile }: SealedSource,
  { ask }: SealingOptions,
): Promise<Buffer> {
  const { passphraseIn, unwrapAsking } = await import("./keys.ts");
  const given = passphraseFile === null ? null : passphraseIn(passphraseFile);
  const key = await unwrapAsking(seal, given === null ? ask : async () => given, {
    prompt: "Passphrase of the export: ",
    attempts: given === null ? 3 : 1,
    hint: `${path} opens with the passphrase that was chosen when it was exported.`,
  });
  if (key !== null) return key;
  throw new Failure(
    "locked",
    `${path} is encrypted with a passphrase.`,
    "Run `stele import` in a terminal, which asks for it, or name a private file with --passphrase-file.",
  );
}

/** The memory's own, a named one, a former one that is still where keys are kept, or one from its recovery sheet. */
async function keyFor({ id }: ByKey, { path, keyFile }: SealedSource, options: SealingOptions): Promise<StoreKey> {
  if (keyFile === null && options.key?.id === id) return options.key;
  // The id is made of hexadecimal digits, so it leads nowhere else.
  const kept = join(options.keysFolder, `${id}.key`);
  const file = keyFile ?? (existsSync(kept) ? kept : null);
  const found = file === null ? await keyElsewhere(id, options) : await keyInFile(file);
  if (found?.id === id) return found;
  const what = found === null ? "which is not at hand" : `but this is the key ${found.id}`;
  throw new Failure("locked", `${path} is encrypted with the key ${id}, ${what}.`, OTHER_KEY);
}

const OTHER_KEY =
  "Name its key file with --key-file, or run `stele import` in a terminal, which asks for the recovery sheet.";

async function keyInFile(path: string): Promise<StoreKey> {
  const { readKeyFile } = await import("./keys.ts");
  return storeKeyOf(readKeyFile(path, OTHER_KEY));
}

/** Null if it is not in the keyring, and nobody typed its sheet. */
async function keyElsewhere(id: string, { ask, keyring }: SealingOptions): Promise<StoreKey | null> {
  const { keyInKeyring } = await import("./keys.ts");
  // Whatever is wrong with the keyring, the sheet is asked for.
  const kept = keyring && (await keyInKeyring(id, keyring).catch(() => null));
  if (kept) return storeKeyOf(kept);
  const typed = (await ask?.(`Recovery sheet of the key ${id}, in one line: `)) ?? null;
  if (typed === null) return null;
  const { keyOnSheet } = await import("./keys.ts");
  return keyOnSheet(typed);
}
