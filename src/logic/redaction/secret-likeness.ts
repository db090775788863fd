/**
 * Decides whether a value is a secret, given its name.
 *
 * A name alone flags too much (`token: string`), and so does randomness alone (every digest): both are required.
 * Refused: guessing at passwords made of plain words without a digit or symbol, which look like code and labels, and at
 * numbers under any name but that of a password or a secret.
 */

import { isRandom, shannonEntropy } from "./likeness/entropy.ts";
import { type NameKind, isBareKey, isBareService, mayNameDigest, nameKind } from "./secret-names.ts";
import { READILY, RELUCTANTLY, isChosenNumber, isScrambled } from "./likeness/word-likeness.ts";

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

/** How a name and its value meet. */
export interface Meeting {
  quoted: boolean;
  /** `name=value` without spaces, as in settings, logs and commands. */
  tight?: boolean;
  /** They do not meet at all. */
  nothing?: boolean;
  /** Neither an operator nor a colon between them, or another line: the value must be random. */
  loose?: boolean;
  /** A comparison or a verb between them: the value may be a word of code or of the sentence. */
  indirect?: boolean;
}

/** The value of an assignment; a bare word in code needs more evidence than a quoted one. */
export function isAssignedSecret(name: string, value: string, meeting: Meeting): boolean {
  const { quoted, tight, loose, nothing } = meeting;
  if (nothing) return false;
  // Test runners print "PASS: name".
  const kind = !quoted && !tight && /^(?:PASS|Pass)$/.test(name) ? undefined : nameKind(name);
  if (kind === undefined || isPlaceholder(value) || ORDINARY_PASSWORD.test(value)) return false;
  if (/^\d+$/.test(value)) return !loose && isSecretNumber(name, kind, value, quoted || tight === true);
  if (isReference(value)) return false;
  if (!quoted && CODE.test(value)) return false;
  const certain = quoted || /^[A-Z][A-Z0-9_]*$/.test(name);
  if (!certain && DOTTED_NAME.test(value) && !isPlainKey(value)) return false;
  if (!quoted && NUMBERED.test(value) && IDENTIFIER.test(value)) return false;
  const bare = kind === "key" && isBareKey(name);
  if (UUID.test(value)) return !bare;
  if (kind === "key" || isPlural(name)) return isRandomKey(name, value, bare || isPlural(name), loose === true);
  if (!loose) {
    if (kind === "password" && looksTyped(value, { certain, tight: tight === true })) return true;
    if (kind === "secret" && certain && value.length >= 10 && hasInnerDigit(value)) return true;
    if (encodesText(value) || isDrawn(kind, value, meeting, tight || certain)) return true;
  } else if (kind === "password" && quoted && hasInnerDigit(value) && !IDENTIFIER.test(value)) return true;
  return isRandomValue(value, certain && !loose);
}

/** Longer than what counts or tells the time. */
const LONG_NUMBER = 15;

/** Under other names numbers are counts, times and ids. */
function isSecretNumber(name: string, kind: NameKind, value: string, certain: boolean): boolean {
  if (isPlural(name) || !isChosenNumber(value)) return false;
  // Test runners count what they pass.
  if (kind === "password") return certain || !/^pass$/i.test(name);
  if (kind === "secret" && /secret|api[-_ ]?key|private[-_ ]?key|cred/i.test(name)) return true;
  return (
    certain && value.length >= LONG_NUMBER && (kind === "secret" || (kind === "token" && /[-_ ]|[a-z][A-Z]/.test(name)))
  );
}

/** A value that nobody would call something. Names in code are passed on as tokens more often than as passwords. */
function isDrawn(kind: NameKind, value: string, { quoted, indirect }: Meeting, tight: boolean): boolean {
  if (!quoted && indirect && kind !== "password" && !/\d/.test(value)) return false;
  if (!/^[\x21-\x7e]{8}/.test(value) || (!quoted && !tight && /[^\w+/=.~-]/.test(value))) return false;
  const isReadily = quoted || (!indirect && (kind === "password" || tight));
  if (!isScrambled(value, isReadily ? READILY : RELUCTANTLY)) return false;
  return !/[^\x21-\x7e]|^#[0-9a-f]{3,8}$/i.test(value) && !IDENTIFIER.test(value) && !NUMBERED.test(value);
}

const isPlural = (name: string): boolean => /(?:passwords|secrets|tokens|keys)$/i.test(name);

function isRandomValue(value: string, certain: boolean): boolean {
  if (value.length < (certain ? 10 : 16) || readsLikeWords(value)) return false;
  if (/\d/.test(value)) return isRandom(value);
  // Letters alone are random only if they are many, of both cases and not in the order of names.
  return certain && value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value) && shannonEntropy(value) >= 3.5;
}

const HEX = /^[0-9a-f]+$/i;
/** Lengths of digests, which are keys of caches. */
const DIGEST_LENGTHS: ReadonlySet<number> = new Set([40, 64, 128]);
/** A key of a cache: words and the digest of what it depends on. */
const NAMED_DIGEST = /^(?:(?![0-9a-f]{12})[A-Za-z0-9.]{1,24}[-_:]){1,8}[0-9a-f]{16,128}$/;
/** Identifiers that are as random as keys: ULID, CUID. */
const ISSUED_ID = /^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|c[a-z0-9]{24})$/;
/** Shorter ones of one case, or in parts, may be identifiers. */
const LEAST_PLAIN = 24;

function isRandomKey(name: string, value: string, bare: boolean, loose: boolean): boolean {
  // The fingerprint of a public key.
  if (/^[0-9A-F]{40}$/.test(value) || NAMED_DIGEST.test(value)) return false;
  if (!bare) return isRandomValue(value, false) || (!loose && isPlainKey(value));
  if (value.length < 20 || !isRandom(value) || readsLikeWords(value)) return false;
  if (HEX.test(value)) return value.length >= 32 && (!DIGEST_LENGTHS.has(value.length) || !mayNameDigest(name));
  if (isOfBothCases(value) && /^[\w+/=.~-]+$/.test(value) && (!isBareService(name) || isLargelyWhole(value)))
    return true;
  return !loose && isPlainKey(value);
}

const isOfBothCases = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);

/**
 * Whether most of it is one run: behind the name of a service stand ids, names and addresses in parts. Behind a prefix an
 * id and a key look alike; the rule for issued tokens tells them apart.
 */
function isLargelyWhole(value: string): boolean {
  const parts = value.split(/[-_/.:+=~]/);
  const longest = parts.toSorted((one, two) => two.length - one.length)[0]!;
  return !/^[a-z]{1,12}[_-]/.test(value) && longest.length * 2 >= value.length && isOfBothCases(longest);
}

/** What code hands to a service without a name that says so: no digest, no id. */
export const isHandedKey = (value: string): boolean =>
  !isPlaceholder(value) && !isReference(value) && !HEX.test(value) && isPlainKey(value);

/** Letters and digits of one case, whole or in parts none of which is a word; or many letters. */
function isPlainKey(value: string): boolean {
  const parts = value.split(/[-/:.]/);
  const whole = parts.join("");
  if (whole.length < LEAST_PLAIN || !/^[A-Za-z0-9]+$/.test(whole) || ISSUED_ID.test(value)) return false;
  // Digests, addresses of hardware and ids are written in parts of hexadecimal digits.
  if (parts.length > 1 && HEX.test(whole)) return false;
  return isGrid(parts) || withoutRest(parts).every(isPlainPart);
}

const isPlainPart = (part: string): boolean =>
  /\d/.test(part)
    ? part.length >= 6 && /[a-z]/i.test(part) && isScrambled(part, READILY)
    : part.length >= LEAST_PLAIN && isScrambled(part, RELUCTANTLY);

/** What was cut into parts of one length may leave a shorter one, with a digit like the others. */
function withoutRest(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1)!;
  return parts.length > 2 && last.length < parts[0]!.length && /\d/.test(last) ? parts.slice(0, -1) : parts;
}

/** Parts of one length, as the keys of products have: hardly one of them is a number or might be a word. */
function isGrid(parts: readonly string[]): boolean {
  const first = parts[0]!;
  if (parts.length < 3 || parts.some(({ length }) => length !== first.length) || first.length < 4) return false;
  const mixed = parts.filter((part) => /\d/.test(part) && /[A-Za-z]/.test(part) && !NAME_WITH_NUMBER.test(part));
  return mixed.length * 2 > parts.length;
}

const NAME_WITH_NUMBER = /^[A-Za-z]{3,}\d+$/;

/** Base64 of a text that somebody typed, as in the secrets of Kubernetes. */
function encodesText(value: string): boolean {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]{6,200}={0,2}$/.test(value) || !/[A-Z=].*[a-z=]|\d/.test(value))
    return false;
  return /^[\x20-\x7e]{5,150}$/.test(fromBase64(value));
}

/** `user:password` in base64. */
export function encodesLogin(value: string): boolean {
  const [, password] = /^[\x21-\x39\x3b-\x7e]{1,100}:([\x20-\x7e]{3,300})$/.exec(fromBase64(value)) ?? [];
  return password !== undefined && isPassword(password);
}

export const encodesPrivateKey = (value: string): boolean =>
  /^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(fromBase64(value.slice(0, 64)));

export const fromBase64 = (value: string): string => {
  try {
    return atob(value.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""));
  } catch {
    return "";
  }
};

/** Words in an identifier or a label; nobody's password has them, or it protects nothing. */
const IDENTIFIER =
  /pass|pwd|secret|token|key|user|login|auth|cred|field|input|hash|salt|value|default|config|setting|option|param|props|form|label|valid|require|optional|string|number|boolean|object|buffer|null|undefined|missing|incorrect|encrypt|decrypt|confirm|reset|forgot|change|update|current|request|response|error|data|text|hidden|column|attribute|test/i;
/** Names with a number in them. */
const NUMBERED =
  /base\d\d|utf-?\d|sha-?\d|md5|u?int\d|float\d|oauth\d|http[s2]?\d|x509|x86|ipv[46]|argon2|pbkdf2|ed25519|arg\d|var\d|\d+-?(?:bit|byte|char|day|digit|hour|min|sec|ms)/i;

export const isNumberedName = (value: string): boolean => NUMBERED.test(value);
const hasInnerDigit = (value: string): boolean => /[A-Za-z]\d{1,6}[A-Za-z]/.test(value) && !NUMBERED.test(value);

function looksTyped(value: string, { certain, tight }: { certain: boolean; tight: boolean }): boolean {
  if (!/[A-Za-z]/.test(value)) return false;
  const isPlain = !/[\d!@#$%^&*~+?]/.test(value);
  if (certain && !isPlain) return true;
  // A label or a name stands for a password, and is none.
  if (/^[a-z]+(?:[-_.][a-z]+){3,9}$/.test(value)) return !IDENTIFIER.test(value);
  if (isPlain) return certain && value.length >= 8 && /[a-z][A-Z.-]?[a-z]/.test(value) && !isLabel(value);
  // A word with a number may be a name, and one followed by a mark may be code; a symbol inside, or after several
  // digits, is typical of a password.
  if (!/\d/.test(value) || value.length < 8) return false;
  if (/[!@#%^&*~+?](?!$)|\d{2}[!?]$/.test(value)) return true;
  if (NUMBERED.test(value)) return false;
  if (!readsLikeWords(value)) return true;
  if (isNumberedPhrase(value, tight)) return true;
  if (IDENTIFIER.test(value) && !tight) return false;
  return hasInnerDigit(value) || (tight && /^[A-Za-z]+\d{2,6}$/.test(value) && !IDENTIFIER.test(value));
}

/** Words and numbers that hyphens join, with capitals, which names of things lack; or with a number of several digits. */
function isNumberedPhrase(value: string, tight: boolean): boolean {
  if (IDENTIFIER.test(value) || !/^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+$/.test(value)) return false;
  if (!tight && !/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+$/.test(value)) return false;
  return (/[a-z]/.test(value) && /[A-Z]/.test(value)) || (tight && /-\d{2,6}$|^\d{2,6}-/.test(value));
}

function isLabel(value: string): boolean {
  if (IDENTIFIER.test(value) || /^[A-Z][a-z]+$/.test(value) || /[\s|:/\\()[\]]/.test(value)) return true;
  return /^[a-z]+(?:[-_.][a-z]+)+$/.test(value) && value.length < 16;
}

/** A value that a sentence names: unlike the words around it, or between quotation marks. */
export function isSaidPassword(value: string, { quoted, loose }: Meeting): boolean {
  if (isPlaceholder(value) || isReference(value) || ORDINARY_PASSWORD.test(value) || CODE.test(value)) return false;
  if (loose) return isRandomValue(value, false);
  if (!/[A-Za-z]/.test(value) || NUMBERED.test(value) || /^\d+[a-z]{0,12}$|^\d+[-+]/i.test(value)) return false;
  if (!IDENTIFIER.test(value) && /^[A-Za-z]+$/.test(value) && isScrambled(value, RELUCTANTLY)) return true;
  if (!quoted && IDENTIFIER.test(value)) return false;
  if (/\d/.test(value)) return value.length >= 6 && !/^[A-Za-z]?\d{1,4}$|^v\d/i.test(value);
  if (!quoted) return /^[^\s()]{6,}$/.test(value) && /[a-z][!@#$%^&*~+?=_][A-Za-z]/.test(value);
  return value.length >= 8 && !IDENTIFIER.test(value) && !/^[a-z]{1,9}$/.test(value);
}
