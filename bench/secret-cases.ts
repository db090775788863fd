/**
 * Lines with and without secrets, drawn from the templates in `sets/secrets`.
 *
 * A key's random part exists only once its template is drawn, so that no file of this repository looks like it holds
 * one. The draw is the same every time.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface SecretCase {
  /** Rules were developed on the first half; the second is only measured. */
  half: "developed" | "measured";
  kind: string;
  text: string;
  /** What must go; nothing in a look-alike. */
  secrets: string[];
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const LETTERS = LOWER + LOWER.toUpperCase();

/** The alphabet of a random part, by its letter: `{h32}` is 32 hexadecimal digits. */
const ALPHABETS: Readonly<Record<string, string>> = {
  a: LETTERS + DIGITS,
  b: `${LETTERS}${DIGITS}+/`,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  n: LOWER + DIGITS,
  u: LOWER.toUpperCase() + DIGITS,
  w: `${LETTERS}${DIGITS}-_`,
  x: LETTERS,
  z: `${LOWER}234567`,
};

/** `{.}` is nothing, `{zw}` an invisible character, `{U}` a UUID, `{64|text}` its base64. */
const PART = /\{(?:(?<alphabet>[abdhnuwxz])(?<length>\d{1,3})|64\|(?<plain>[^}]*)|(?<other>\.|zw|U))\}/g;

export type CaseList = "structured" | "tokens" | "prose" | "mixed" | "named";

export function readSecretCases(name: CaseList): SecretCase[] {
  const draw = drawer();
  const lines = readFileSync(join(import.meta.dirname, "sets", "secrets", `${name}.txt`), "utf8").split("\n");
  return lines.filter((line) => /^[dm] /.test(line)).map((line) => toCase(line, draw));
}

/** Of one secret, so much may be left without being a trace. */
const TRACE_CHARACTERS = 8;

/** Whether nothing of its secrets is left, and of a look-alike everything. */
export function isJudgedRight({ text, secrets }: SecretCase, redacted: string): boolean {
  if (secrets.length === 0) return redacted === text;
  const rest = redacted.replaceAll(/\[redacted:[a-z0-9-]{1,40}\]/g, "\n");
  return secrets.every((secret) => {
    const size = Math.min(TRACE_CHARACTERS, secret.length);
    const around = text.replace(secret, "\n");
    for (let at = 0; at + size <= secret.length; at++) {
      const trace = secret.slice(at, at + size);
      if (rest.includes(trace) && !around.includes(trace)) return false;
    }
    return true;
  });
}

export interface CaseTally {
  secrets: number;
  found: number;
  lookAlikes: number;
  alarms: number;
}

export function tallyOf(cases: readonly SecretCase[], redact: (text: string) => string): CaseTally {
  const tally = { secrets: 0, found: 0, lookAlikes: 0, alarms: 0 };
  for (const one of cases) {
    const isRight = isJudgedRight(one, redact(one.text));
    if (one.secrets.length > 0) {
      tally.secrets += 1;
      if (isRight) tally.found += 1;
    } else {
      tally.lookAlikes += 1;
      if (!isRight) tally.alarms += 1;
    }
  }
  return tally;
}

type Draw = (length: number, alphabet: string) => string;

function toCase(line: string, draw: Draw): SecretCase {
  const [, half, kind, template] = /^([dm]) (\S+) (.*)$/.exec(line)!;
  const marked = template!
    .replaceAll("⏎", "\n")
    .replaceAll("{.}", "")
    .replace(PART, (...match) => {
      const { alphabet, length, plain, other } = match.at(-1) as Record<string, string | undefined>;
      if (alphabet !== undefined) return draw(Number(length), ALPHABETS[alphabet]!);
      if (plain !== undefined) return Buffer.from(plain).toString("base64");
      return other === "zw" ? "\u200b" : [8, 4, 4, 4, 12].map((size) => draw(size, ALPHABETS["h"]!)).join("-");
    });
  return {
    half: half === "d" ? "developed" : "measured",
    kind: kind!,
    text: marked.replaceAll(/[⟦⟧]/g, ""),
    secrets: Array.from(marked.matchAll(/⟦([^⟧]*)⟧/g), ([, secret]) => secret!),
  };
}

export function drawer(): Draw {
  let seed = 11;
  return (length, alphabet) => {
    let text = "";
    while (text.length < length) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text += alphabet[Math.floor((seed / 2147483648) * alphabet.length)];
    }
    return text;
  };
}
