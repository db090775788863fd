/**
 * Decides whether a value is a secret, given its name.
 *
 * A name alone flags too much (`token: string`), and so does randomness alone (every digest): both are required.
 * Refused: guessing at passwords made of plain words without a digit or symbol, and at numbers; they look like code and
 * labels.
 */

import { isRandom } from "./entropy.ts";

export type NameKind = "password" | "secret" | "token";

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Words that make a key a secret one. */
const QUALIFIERS = wordSet(`
  api access secret private auth encryption encrypt signing sign master service account storage deploy admin
  app application client consumer server shared hmac aes jwt session cookie license root iam cloud cloudant
  ibm cos sl softlayer aws azure gcp google github gitlab openai anthropic claude gemini mistral cohere stripe
  twilio sendgrid mailgun datadog newrelic sentry heroku cloudflare algolia firebase supabase okta meraki sumo
  sumologic slack discord telegram notion linear`);
/** Words that may follow the decisive one. */
const SUFFIXES = wordSet(`
  prod production dev development live test testing staging default base value secondary plain
  raw env old new current main local ci`);
/** Words that rule out a secret under any name. */
const DENIALS = wordSet("hash hashed not no fake dummy example");
/** Words that rule out a secret token or key: these point, page, parse or are meant to be seen. */
const HARMLESS = wordSet(`
  public pub publishable csrf xsrf authenticity next previous prev page pagination continuation cancel cancellation
  primary foreign partition sort cache stop pad eos bos mask special first last end start design syntax lexer hot
  shortcut`);

/** The kind of secret a name suggests; most names suggest none. */
export function nameKind(name: string): NameKind | undefined {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (parts.some((part) => DENIALS.has(part))) return undefined;
  while (parts.length > 1 && isSuffix(parts.at(-1)!)) parts.pop();
  const last = (parts.at(-1) ?? "").replace(/\d{1,3}$/, "");
  if (/(?:password|passwd|passphrase|passcode|passwort|pwd)$/.test(last) || /^(?:pass|pw|psw)$/.test(last))
    return "password";
  if (/(?:secret|credentials?)$/.test(last)) return "secret";
  if (parts.some((part) => HARMLESS.has(part))) return undefined;
  if (/(?:api|secret|access|private|auth)key$/.test(last)) return "secret";
  if (/token$/.test(last)) return "token";
  if (last === "key" && parts.slice(0, -1).some((part) => QUALIFIERS.has(part) || part.endsWith("api")))
    return "secret";
  return undefined;
}

function isSuffix(part: string): boolean {
  return /^v?\d+$/.test(part) || SUFFIXES.has(part.replace(/\d{1,2}$/, ""));
}

const PLACEHOLDER_WORDS = [
  /example|place[-_ ]?holder|change[-_ ]?(?:me|it|this)|redacted|replace|insert[-_ ]|dummy|foobar|lorem/i,
  /(?:^|[^a-z])your[-_ ]?(?=[a-z])|[-_]here$|not[-_]?(?:a[-_]?)?(?:real|secret)|too[-_]?short|\.\.\.|…/i,
];
const ORDINARY_PASSWORD = new RegExp(
  [
    String.raw`^(?:(?:my|the|some|a|an|user|user_?name|admin|root|default|new|old|wrong|bad|invalid|correct|valid|test`,
    String.raw`|testing|sample|fake|super|very|strong|long|db|guest|demo|mock|stub)[-_ .]?){0,4}`,
    String.raw`(?:pass(?:w(?:or)?d|phrase)?|pw|pwd|secret|token|key|api[-_ ]?key|test|testing|user|user_?name|admin|root`,
    String.raw`|guest|anonymous@?|demo|foo|bar|baz|qux|spam|eggs|abc|qwerty|letmein|x-oauth-basic|credentials?|tiger`,
    String.raw`|value|string|none|null|undefined|true|false)[-_ ]?(?:\d{0,6}|abc|xyz)[!.]?$`,
  ].join(""),
  "i",
);
const MAX_SEQUENCE = 16;

/** A mask, a template, or a word in place of a secret. */
export function isPlaceholder(value: string): boolean {
  if (/[xX]{5}|[*#•.]{3}|0{12}|^(.)\1*$/.test(value)) return true;
  if (/\$\{|\{\{|\{[\w.]*\}|\}\}|\$\(|%\(|^[<{[(]|[<>]$|^\$\w+$|^%[sdv]|^%\w+%$|\$[A-Z_]{3,}\b/.test(value))
    return true;
  return PLACEHOLDER_WORDS.some((words) => words.test(value)) || hasSequence(value);
}

/** Whether it has a long run of digits or letters in alphabetical order, `9` before `a`. */
function hasSequence(value: string): boolean {
  let run = 1;
  let before = -1;
  for (let at = 0; at < value.length && run < MAX_SEQUENCE; at++) {
    const place = placeInAlphabet(value.charCodeAt(at));
    run = before >= 0 && place === before + 1 ? run + 1 : 1;
    before = place;
  }
  return run >= MAX_SEQUENCE;
}

function placeInAlphabet(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 122 ? lower - 87 : -1;
}

/** Made of pronounceable parts with few numbers, like identifiers and labels. */
export function readsLikeWords(value: string): boolean {
  const numbers = value.match(/\d+/g) ?? [];
  if (numbers.length > 2 || numbers.some((number) => number.length > 14)) return false;
  const words = value.replace(/([a-z])([A-Z])/g, "$1 $2").match(/[A-Za-z]+/g) ?? [];
  const inLongWords = words.filter((word) => word.length > 3).join("").length;
  if (words.length === 0 || inLongWords < words.join("").length * 0.6) return false;
  return words.every((word) => word.length <= 3 || /^(?!.*[^aeiouy]{6}).*[aeiouy]/i.test(word));
}

const OBJECT =
  /^(?:process|os|env|config|settings|self|this|req|request|options|args|params|props|system|secrets|vault)\./i;
const FILE_OR_HOST =
  /\.(?:pem|key|json|ya?ml|txt|crt|cer|p12|pfx|jks|py|[jt]sx?|go|rs|java|html?|com|net|org|io|local)(?::\d+)?$/i;

/** A path, an address or a digest: these point somewhere and unlock nothing. */
export function isReference(value: string): boolean {
  if (/^(?:[.~]{0,2}\/|[A-Za-z]:\\|\w{1,20}:\/\/|arn:|sha\d{1,3}[-:]|data:|urn:)/.test(value)) return true;
  if (OBJECT.test(value) || FILE_OR_HOST.test(value)) return true;
  if (/^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value)) return true;
  return /^[\d.,:/+T-]+Z?$|[a-z]-v?\d+(?:\.\d+){1,3}(?:[-.]\w+)?$/.test(value);
}

const CODE = /\w\(|\(\)|[\w\]]\[|^!|=>|->|::|&&|\|\||[{}]/;
const DOTTED_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A password typed by a person: short is fine, plain words and placeholders are not. */
export function isPassword(value: string, user = ""): boolean {
  if (value === user || isPlaceholder(value) || ORDINARY_PASSWORD.test(value)) return false;
  return !/^\d{1,5}$/.test(value);
}

/** The value of a header that carries only a credential. */
export function isCredential(value: string): boolean {
  if (isPlaceholder(value) || ORDINARY_PASSWORD.test(value)) return false;
  return /\d/.test(value) && (UUID.test(value) || (!isReference(value) && !readsLikeWords(value)));
}

/** The value of an assignment; a bare word in code needs more evidence than a quoted one. */
export function isAssignedSecret(name: string, value: string, quoted: boolean): boolean {
  // Test runners print "PASS: name"; words alone are labels.
  if (!/[\d!@#$%^&*~+?]/.test(value)) return false;
  const kind = !quoted && /^pass$/i.test(name) ? undefined : nameKind(name);
  if (kind === undefined || isPlaceholder(value) || isReference(value) || ORDINARY_PASSWORD.test(value)) return false;
  if (!quoted && CODE.test(value)) return false;
  const certain = quoted || /^[A-Z][A-Z0-9_]*$/.test(name);
  if (!certain && DOTTED_NAME.test(value)) return false;
  if (UUID.test(value)) return kind === "secret";
  if (kind === "password" && looksTyped(value, certain)) return true;
  const long = value.length >= (certain ? 10 : 16);
  return long && /\d/.test(value) && isRandom(value) && !readsLikeWords(value);
}

function looksTyped(value: string, certain: boolean): boolean {
  if (!/[A-Za-z]/.test(value)) return false;
  if (certain) return true;
  // A word with a number may be a name, and one followed by a mark may be code; a symbol inside, or after several
  // digits, is typical of a password.
  const hasPasswordSymbol = /[!@#%^&*~+?](?!$)|\d{2}[!?]$/.test(value);
  return /\d/.test(value) && value.length >= 8 && (hasPasswordSymbol || !readsLikeWords(value));
}
