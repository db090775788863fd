/** A key in a file that only its owner can read. Whoever can read that file can read the memory. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../errors.ts";
import { KEY_BYTES } from "../../model/care/store-key.ts";
import { readPrivate } from "../files/private-file.ts";
import { writeSynced } from "./record-file.ts";

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
