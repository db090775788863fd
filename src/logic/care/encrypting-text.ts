/** What a person is told before and after a memory is encrypted, decrypted or given another key. */
import type { Beforehand, Changed, Intent, KeyChoice } from "../../model/care/encrypting.ts";
import { counted } from "../../model/text/count.ts";
import { megabytes } from "./findings.ts";

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

function keyLines(choice: KeyChoice): string[] {
  const kept =
    choice.kind === "file"
      ? [
          `The key goes into a file that only you can read${choice.path === null ? "" : `: ${choice.path}`}.`,
          "Whoever gets that file together with the data can read everything: keep them apart, in backups too.",
        ]
      : [
          "The key is encrypted with your passphrase. After a restart nothing can be read until you run `stele unlock`.",
        ];
  return [
    ...kept,
    "Without the key nobody can read the memory again, not even you. A recovery sheet is your second copy.",
  ];
}

export function changedLines(
  intent: Intent,
  { stores, backups, key, keyFile, formerKeyFile, left }: Changed,
): string[] {
  const what = `${counted(stores, "store")} and ${counted(backups, "backup")}`;
  const word =
    keyFile === null ? "Run `stele unlock` after each restart." : `The key is in ${keyFile}: make a copy of it.`;
  return [
    intent === "decrypt" ? `Decrypted ${what}: they are plain text again.` : `Encrypted ${what}.`,
    ...(key === null ? [] : [`The id of the key is ${key.id}. ${word}`]),
    ...(formerKeyFile === null
      ? []
      : [`${formerKeyFile} is not needed any more, except for copies you made elsewhere.`]),
    ...left.map((path) => `Could not be removed: ${path}. Stop what uses it, then run \`stele doctor --recover\`.`),
  ];
}

/** What no command can find. */
const UNKNOWN = [
  "Not touched, because Stele does not know or own it: exports that you made, transcripts of your hosts, copies of this folder elsewhere.",
  "What was deleted may still be on the disk, unless the whole disk is encrypted.",
];
