/**
 * Random values under names that promise a secret, in every common form: how many of each shape are missed.
 *
 * Lists of lines show single cases; a draw of thousands shows the share. The draw is the same every time.
 */
import { type SecretCase, drawer } from "./secret-cases.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";

/** Names of what a person or a program types to get in. */
const PASSWORDS = ["password", "db_password", "passwd", "admin_pass", "pwd", "passphrase"];
const SECRETS = ["client_secret", "session_secret", "api_key", "secret_key", "private_key", "encryption_key", "secret"];
const TOKENS = ["token", "access_token", "auth_token"];
const EVERY = [...PASSWORDS, ...SECRETS, ...TOKENS];

interface Shape {
  shape: string;
  length: number;
  alphabet: string;
  names: readonly string[];
}

const SHAPES: readonly Shape[] = [
  { shape: "8 digits", length: 8, alphabet: DIGITS, names: PASSWORDS },
  { shape: "6 digits", length: 6, alphabet: DIGITS, names: PASSWORDS },
  { shape: "10 capitals", length: 10, alphabet: UPPER, names: EVERY },
  { shape: "10 small letters", length: 10, alphabet: LOWER, names: EVERY },
  { shape: "10 letters", length: 10, alphabet: LOWER + UPPER, names: EVERY },
  { shape: "16 letters", length: 16, alphabet: LOWER + UPPER, names: EVERY },
  ...[8, 10, 12, 16, 24].map((length) => ({
    shape: `${length} letters and digits`,
    length,
    alphabet: LOWER + UPPER + DIGITS,
    names: EVERY,
  })),
  { shape: "12 small letters and digits", length: 12, alphabet: LOWER + DIGITS, names: EVERY },
  { shape: "12 hexadecimal digits", length: 12, alphabet: `${DIGITS}abcdef`, names: EVERY },
];

/** `N` is the name, `V` the value. */
const FORMS = [
  ...["N=V", "N: V", "N:V", "N = V", 'N="V"', 'N = "V"', '{ "N": "V" }', "N: 'V'", "export N=V"],
  ...["user: bob\nN: V\nport: 5432", "HOST=db\nN=V\nPORT=1", 'const N = "V";'],
];
/** Sentences name passwords only. */
const SENTENCES = ["the N is V", "the N is V, do not share it"];
const SAID = ["password", "passphrase"];

export interface DrawnCase extends SecretCase {
  name: string;
  form: string;
}

/** Every shape under each of its names, in both cases and in every form. */
export function drawCases(times: number): DrawnCase[] {
  const draw = drawer();
  const cases: DrawnCase[] = [];
  for (const { shape, length, alphabet, names } of SHAPES)
    for (const form of [...FORMS, ...SENTENCES]) {
      const isSaid = SENTENCES.includes(form);
      for (const name of isSaid ? SAID : names.flatMap((one) => [one, one.toUpperCase()]))
        for (let time = 0; time < times; time++) {
          const value = draw(length, alphabet);
          const text = form.replaceAll(/(?<![A-Z])[NV](?![A-Z])/g, (place) => (place === "N" ? name : value));
          const kind = isSaid ? `${shape}, in a sentence` : shape;
          cases.push({ half: "measured", kind, name, form, text, secrets: [value] });
        }
    }
  return cases;
}
