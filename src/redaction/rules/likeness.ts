/**
 * Decides whether a value is a secret, given its name.
 *
 * A name alone flags too much (`token: string`), and so does randomness alone (every digest): both are required.
 * Refused: guessing at passwords made of plain words without a digit or symbol, which look like code and labels, and at
 * numbers under any name but that of a password or a secret.
 */
import { isBareKey, isBareService, mayNameDigest, type NameKind, nameKind, wordSet } from "./names.ts";

// Measures how random a text looks: Shannon entropy over its characters, compared with what its alphabet allows.
// Sixteen hexadecimal digits can never be as varied as letters of both cases, so a single threshold would miss the
// first or falsely flag the second.

/** Bits per character, from 0 (one character repeated) to log2 of the alphabet. */
export function shannonEntropy(text: string): number {
  // Secrets are ASCII; characters beyond it may share a counter.
  const counts = new Uint32Array(256);
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) & 255]!++;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const ALPHABETS: readonly { matches: RegExp; minEntropy: number }[] = [
  { matches: /^[0-9]+$/, minEntropy: Infinity },
  { matches: /^[0-9a-f-]+$/i, minEntropy: 2.7 },
  { matches: /^[0-9a-z]+$/, minEntropy: 2.9 },
];

/** Digits alone never count as random: they are counts, dates and identifiers. */
export function isRandom(text: string): boolean {
  const alphabet = ALPHABETS.find(({ matches }) => matches.test(text));
  return shannonEntropy(text) >= (alphabet?.minEntropy ?? 3);
}

// Tells words and names of code from letters and digits that were drawn at random, without a list of words.
//
// In words of any language some letters seldom follow others, capitals begin a word or fill it, and digits stand
// together. Refused: judging fewer than eight characters, too few for any of that to show.

/**
 * How often a letter follows another in words of English, of some thirty other languages without accents, and of
 * code: a row for the first, from a to z, a digit for the second, from 0, hardly ever, each one twice as often.
 */
const PAIRS = `
  46765463655868361878552244 84448215842844830864721052 81528118806624820657630251 83359344833544830763742044
  64675563545768552887553534 82238724832724830756701051 82238456732646720764731051 93439211822545820646622060
  75767563245679752677460206 93549031714345830375821002 93338324845635830776752051 83458443854744841266640172
  96249425813464870364620050 72678584845336731278551053 46664563546778561877664424 82338327723733860966610040
  52210013400502310434910000 84558453825455840566542052 73638435826564762378642045 83328326923534730766632153
  76766463645878560888241325 92429222923425820553410072 94449307802537830664433141 72738204903443782448540660
  56656351527666670577452114 95249343926455720566641055`.replaceAll(/\s/g, "");
const LETTERS = 26;
const A = 97;
const ZERO = 48;

const LEAST_LENGTH = 8;
/** Parts of a name are longer than this on average; for what they lack, their letters must be the likelier. */
const USUAL_HUMP = 4;
/** The parts of a name: a word with its capital, or capitals alone. */
const HUMP = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** A number after or before hardly any letters is an id, a version or an amount. */
const NUMBER = /^[A-Za-z]{0,3}\d+[A-Za-z]{0,3}$/;

/** `YYYYMMDD`, `sooooo`, `AbCdFG123`: typed to fill a place. */
const FILLED = /([A-Za-z])\1{3}|\D123(?:4(?:56?)?)?$/;

/**
 * How readily letters are taken for random. Of ten that are, 91 and 73 of a hundred fall below; of names in code and of
 * words, at most one in a hundred and one in a thousand.
 */
export const READILY = 5.6;
export const RELUCTANTLY = 5;

/** Whether a part of the value looks drawn at random. Words that signs join are a name. */
export function isScrambled(value: string, least: number): boolean {
  if (/^[A-Za-z0-9]+$/.test(value)) return isScrambledPart(value, least);
  const parts = value.split(/[-_.:]/);
  const likely = parts.length > 1 ? Math.min(least, RELUCTANTLY) : least;
  return parts.some((part) => isScrambledPart(part.replaceAll(/[^A-Za-z0-9]/g, ""), likely));
}

function isScrambledPart(part: string, least: number): boolean {
  if (part.length < LEAST_LENGTH || NUMBER.test(part) || FILLED.test(part) || isCounted(part)) return false;
  const numbers = part.match(/\d+/g) ?? [];
  if (numbers.length > 2) return true;
  const humps = part.match(HUMP) ?? [];
  const length = part.length - numbers.join("").length;
  if (numbers.length > 0 && lengthOf(humps.filter((hump) => hump.length > 2)) < length * 0.6) return true;
  return likelihoodOf(humps) - Math.max(0, USUAL_HUMP - length / humps.length) < least;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** The mean over all pairs of letters within the parts of a name. */
function likelihoodOf(humps: readonly string[]): number {
  let sum = 0;
  let pairs = 0;
  for (const hump of humps) {
    const lower = hump.toLowerCase();
    for (let at = 1; at < lower.length; at++, pairs++)
      sum += PAIRS.charCodeAt((lower.charCodeAt(at - 1) - A) * LETTERS + lower.charCodeAt(at) - A) - ZERO;
  }
  return pairs === 0 ? 0 : sum / pairs;
}

/** Fewer may be a coincidence. */
const LEAST_COUNTED = 10;

/** `abc123def456` and `a1b2c3d4`: somebody counted, and drew nothing. */
function isCounted(part: string): boolean {
  const lower = part.toLowerCase();
  return part.length >= LEAST_COUNTED && isRow(lower.replaceAll(/\d/g, "")) && isRow(lower.replaceAll(/\D/g, ""));
}

function isRow(text: string): boolean {
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) !== text.charCodeAt(at - 1) + 1) return false;
  return true;
}

const LEAST_DIGITS = 6;
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-3]\d)?$/;

/** Digits that a person or a program chose: no row, no repetition, no date, no round number. */
export function isChosenNumber(value: string): boolean {
  if (!/^\d+$/.test(value) || value.length < LEAST_DIGITS || DATE.test(value) || value.endsWith("0000")) return false;
  if (/^(\d{1,4})\1+$/.test(value)) return false;
  // `112233` is a row too, and so is `1234567890`.
  const single = value.replaceAll(/(\d)\1+/g, "$1").replace(/90$/, "9");
  return !isRow(single) && !isRow([...single].reverse().join(""));
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

// Decides whether `prefix_…` is a token that some service issued, whoever that is.
//
// Ids, digests and names have the same form. Three things tell them apart: what the words of the prefix say, how long
// the rest is (ids are short), and how random. Refused: what may be a digest after words that say nothing.

/** These say that a secret follows, the first few even before a digest. */
const CERTAIN = wordSet("key apikey sk pat token secret");
const TELLING = wordSet(`
  key apikey sk pat token secret tkn tok sec seckey api live auth oauth access private priv oat sat rt cred creds
  credential credentials pass pw password bearer license`);
/** These say what follows instead: something public, a digest, an id, a file. */
const HARMLESS = wordSet(`
  pk pub public publishable anon phc cert id ids uuid guid ulid
  sha sha1 sha224 sha256 sha384 sha512 md5 blake2b blake3 hash hashed digest checksum integrity etag crc nonce boundary
  commit rev revision ref branch merge revert tag release version snapshot build cache chunk layer blob object obj
  file files image img photo video audio font icon asset assets css style styles bundle webpack vendor module modules
  index tmp temp trace span run job task step node pod container device host rule policy
  toolu srvtoolu msg message req request resp response call chatcmpl cmpl rs item event evt thread asst batch vs conv
  session sess turn user usr account acct org team project proj prj workspace ws dpl deployment cus customer sub price
  product prod plan order inv invoice charge ch pi pm cs seti si txn card`);

const PREFIX_WORDS = 4;
const WORD = /^[a-z]{1,12}\d{0,3}$/;

/** How long the rest must be, by its alphabet, after words that tell and after others. */
const LEAST = {
  hex: { told: 32, untold: 57 },
  oneCase: { told: 24, untold: 30 },
  bothCases: { told: 20, untold: 30 },
};

export function isIssuedToken(token: string): boolean {
  const { words, rest } = partsOf(token);
  if (words.length === 0 || words.some((word) => HARMLESS.has(word))) return false;
  const told = words.some((word) => TELLING.has(word.replace(/\d+$/, "")));
  // Words in between say nothing of the rest, as in the keys of caches.
  const letters = rest.replace(/(?<![^-_])[a-z]{3,12}(?![^-_])|[-_+/=]/g, "");
  const alphabet = alphabetOf(letters);
  if (alphabet === null || letters.length < LEAST[alphabet][told ? "told" : "untold"]) return false;
  // Digests are named `web-api-3f2a…`; after an underscore, or a word that means nothing else, they are rare.
  if (alphabet === "hex" && !token.endsWith(`_${letters}`) && !words.some((word) => CERTAIN.has(word))) return false;
  // Many short pieces are a name, whatever they are made of.
  if (Math.max(...rest.split(/[-_+/]/).map(({ length }) => length)) < letters.length / 4) return false;
  return isMixed(letters, alphabet) && !readsLikeWords(rest) && !isPlaceholder(token);
}

/** The words that a token begins with, and what follows them. */
function partsOf(token: string): { words: string[]; rest: string } {
  const pieces = token.split(/[-_]/);
  let count = 0;
  while (count < PREFIX_WORDS && count < pieces.length - 1 && WORD.test(pieces[count]!)) count += 1;
  const words = pieces.slice(0, count);
  return { words, rest: token.slice(words.join("-").length + 1) };
}

function alphabetOf(letters: string): keyof typeof LEAST | null {
  if (/^[0-9a-f]+$/i.test(letters) && /\d/.test(letters)) return "hex";
  if (!/\d/.test(letters)) return null;
  return /[a-z]/.test(letters) && /[A-Z]/.test(letters) ? "bothCases" : "oneCase";
}

/** The share of neighbours of different kinds: about .62 among random letters of both cases, .3 in names of code. */
const LEAST_CHANGES = { hex: 0.25, oneCase: 0.2, bothCases: 0.4 };

function isMixed(letters: string, alphabet: keyof typeof LEAST): boolean {
  let changes = 0;
  for (let at = 1; at < letters.length; at++)
    if (kindOf(letters.charCodeAt(at)) !== kindOf(letters.charCodeAt(at - 1))) changes += 1;
  return changes / (letters.length - 1) >= LEAST_CHANGES[alphabet];
}

const kindOf = (code: number): number => (code < 58 ? 0 : code < 91 ? 1 : 2);
