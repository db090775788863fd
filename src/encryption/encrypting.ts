/** What a person is told before and after a memory is encrypted, decrypted or given another key. */
import { megabytes } from "../maintenance/finding.ts";
import { counted } from "../text/short-text.ts";
import type { StoreKey } from "./store-key.ts";

/** What encrypting, decrypting and changing the key are asked for and answer. */
export type Intent = "encrypt" | "decrypt" | "rekey";

/** How a new key is to be kept. */
export type KeyChoice =
  | { kind: "file"; path: string | null }
  | { kind: "keyring" }
  | { kind: "passphrase"; passphrase: string };

/** What is there before anything is done. */
export interface Beforehand {
  home: string;
  /** Null if the memory is not encrypted. */
  keyId: string | null;
  stores: number;
  bytes: number;
  backups: number;
  /** Reports of hooks that wait to be digested. */
  reports: number;
  /** What cannot be converted, and is removed. */
  removed: string[];
  /** What stays plain text, because it is there to be read. */
  plain: string[];
}

export interface Changed {
  stores: number;
  backups: number;
  /** The new key; null after decrypting. */
  key: StoreKey | null;
  /** How the new key is kept; null after decrypting. */
  kept: KeyChoice["kind"] | null;
  /** Where the new key is kept, if in a file. */
  keyFile: string | null;
  /** The former key file, which opens nothing here any more. */
  formerKeyFile: string | null;
  /** The id of the former key, if it is in the system's keyring. */
  formerInKeyring: string | null;
  /** Former stores that could not be removed. */
  left: string[];
}

export function beforehandLines(intent: Intent, before: Beforehand, choice: KeyChoice | null): string[] {
  const { home, stores, bytes, backups, reports, removed, plain } = before;
  const what = `${counted(stores, "store")}, ${megabytes(bytes)}; ${counted(backups, "backup")}; ${counted(reports, "waiting report")} of hooks`;
  return [
    `${OPENING[intent]} ${home}: ${what}.`,
    ...(choice === null ? [] : keyLines(choice)),
    ...(removed.length > 0
      ? ["", "Removed, because it cannot be converted (move it elsewhere if you need it):", ...list(removed)]
      : []),
    ...(intent === "decrypt" || plain.length === 0
      ? []
      : ["", "Stays plain text, because others read it:", ...list(plain)]),
    ...(intent === "decrypt" ? [] : ["", ...UNKNOWN]),
    "",
    "Nothing can be written meanwhile. Running servers go on with the new files by themselves.",
  ];
}

const OPENING: Record<Intent, string> = {
  encrypt: "Encrypts the memory in",
  decrypt: "Decrypts the memory in",
  rekey: "Encrypts the memory with a new key in",
};

const list = (paths: readonly string[]): string[] => paths.map((path) => `  ${path}`);

function keptLines(choice: KeyChoice): string[] {
  switch (choice.kind) {
    case "file":
      return [
        `The key goes into a file that only you can read${choice.path === null ? "" : `: ${choice.path}`}.`,
        "Whoever gets that file together with the data can read everything: keep them apart, in backups too.",
      ];
    case "keyring":
      return [
        "The key goes into the system's keyring. Without your desktop session nothing can be read: not by cron, nor over ssh.",
      ];
    case "passphrase":
      return [
        "The key is encrypted with your passphrase. After a restart nothing can be read until you run `stele unlock`.",
      ];
  }
}

function keyLines(choice: KeyChoice): string[] {
  return [
    ...keptLines(choice),
    "Without the key nobody can read the memory again, not even you. A recovery sheet is your second copy.",
  ];
}

export function changedLines(
  intent: Intent,
  { stores, backups, key, kept, keyFile, formerKeyFile, formerInKeyring, left }: Changed,
): string[] {
  const what = `${counted(stores, "store")} and ${counted(backups, "backup")}`;
  const former = formerKeyFile ?? (formerInKeyring && `The key ${formerInKeyring} in the system's keyring`);
  return [
    intent === "decrypt" ? `Decrypted ${what}: they are plain text again.` : `Encrypted ${what}.`,
    ...(key === null ? [] : [`The id of the key is ${key.id}. ${whereKept(kept, keyFile)}`]),
    ...(former === null ? [] : [`${former} is not needed any more, except for exports and copies you made elsewhere.`]),
    ...left.map((path) => `Could not be removed: ${path}. Stop what uses it, then run \`stele doctor --recover\`.`),
  ];
}

function whereKept(kept: Changed["kept"], keyFile: string | null): string {
  if (kept === "keyring") return "It is in the system's keyring, under stele.";
  return keyFile === null ? "Run `stele unlock` after each restart." : `The key is in ${keyFile}: make a copy of it.`;
}

/** What no command can find. */
const UNKNOWN = [
  "Not touched, because Stele does not know or own it: exports that you made, transcripts of your hosts, copies of this folder elsewhere.",
  "What was deleted may still be on the disk, unless the whole disk is encrypted.",
];
