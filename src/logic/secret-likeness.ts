/**
 * Is this value a secret, given what the text calls it?
 *
 * A name alone accuses too much (`token: string`), randomness alone too (every digest):
 * both must speak. Refused: guessing at passwords made of plain words without a digit
 * or sign, and at numbers; they look like code and labels.
 */

import { isRandom } from "./entropy.ts";

export type NameKind = "password" | "secret" | "token";

const QUALIFIERS =
  /^(?:api|access|secret|private|auth|encryption|encrypt|signing|sign|master|service|account|storage|deploy|admin|app|application|client|consumer|server|shared|hmac|aes|jwt|session|cookie|license|root|iam|cloud|cloudant|ibm|cos|sl|softlayer|aws|azure|gcp|google|github|gitlab|openai|anthropic|claude|gemini|mistral|cohere|stripe|twilio|sendgrid|mailgun|datadog|newrelic|sentry|heroku|cloudflare|algolia|firebase|supabase|okta|meraki|sumo|sumologic|slack|discord|telegram|notion|linear)$/;
const SUFFIXES =
  /^(?:\d+|v\d|prod|production|dev|development|live|test|testing|staging|default|base|value|primary|secondary|base64|plain|raw|env|old|new|current|main|local|ci)\d{0,2}$/;
const HARMLESS =
  /^(?:public|pub|publishable|csrf|xsrf|next|previous|prev|page|pagination|continuation|cancel|cancellation|hash|hashed|primary|foreign|partition|sort|cache|stop|pad|eos|bos|mask|special|first|last|end|start|design|syntax|lexer|not|no|fake|dummy|example|monkey|hot|shortcut|authenticity)$/;

/** What kind of secret a name promises; most names promise none. */
export function nameKind(name: string): NameKind | undefined {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (parts.some((part) => HARMLESS.test(part))) return undefined;
  while (parts.length > 1 && SUFFIXES.test(parts.at(-1)!)) parts.pop();
  const last = (parts.at(-1) ?? "").replace(/\d{1,3}$/, "");
  if (/(?:password|passwd|passphrase|passcode|passwort|pwd)$/.test(last) || /^(?:pass|pw|psw)$/.test(last))
    return "password";
  if (/(?:secret|credentials?|apikey|secretkey|accesskey|privatekey|authkey)$/.test(last)) return "secret";
  if (/token$/.test(last)) return "token";
  if (last === "key" && parts.slice(0, -1).some((part) => QUALIFIERS.test(part) || part.endsWith("api")))
    return "secret";
  return undefined;
}

const PLACEHOLDER_WORDS =
  /example|place[-_ ]?holder|change[-_ ]?(?:me|it|this)|redacted|replace|insert[-_ ]|(?:^|[^a-z])your[-_ ]?(?=[a-z])|[-_]here$|dummy|foobar|lorem|not[-_]?(?:a[-_]?)?(?:real|secret)|too[-_]?short|\.\.\.|…/i;
const ORDINARY_PASSWORD =
  /^(?:(?:my|the|some|a|an|user|user_?name|admin|root|default|new|old|wrong|bad|invalid|correct|valid|test|testing|sample|fake|super|very|strong|long|db|guest|demo|mock|stub)[-_ .]?){0,4}(?:pass(?:w(?:or)?d|phrase)?|pw|pwd|secret|token|key|api[-_ ]?key|test|testing|user|user_?name|admin|root|guest|anonymous@?|demo|foo|bar|baz|qux|spam|eggs|abc|qwerty|letmein|x-oauth-basic|credentials?|tiger|value|string|none|null|undefined|true|false)[-_ ]?(?:\d{0,6}|abc|xyz)[!.]?$/i;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const MAX_SEQUENCE = 16;

/** A mask, a template or a word that stands where a secret would. */
export function isPlaceholder(value: string): boolean {
  if (/[xX]{5}|[*#•.]{3}|0{12}|^(.)\1*$/.test(value)) return true;
  if (/\$\{|\{\{|\{[\w.]*\}|\}\}|\$\(|%\(|^[<{[(]|[<>]$|^\$\w+$|^%[sdv]|^%\w+%$|\$[A-Z_]{3,}\b/.test(value))
    return true;
  return PLACEHOLDER_WORDS.test(value) || hasSequence(value);
}

function hasSequence(value: string): boolean {
  const text = value.toLowerCase();
  let run = 1;
  for (let at = 1; at < text.length && run < MAX_SEQUENCE; at++) {
    const before = ALPHABET.indexOf(text[at - 1]!);
    run = before >= 0 && ALPHABET.indexOf(text[at]!) === before + 1 ? run + 1 : 1;
  }
  return run >= MAX_SEQUENCE;
}

/** Made of pronounceable parts with few numbers, as identifiers and labels are. */
export function readsLikeWords(value: string): boolean {
  const numbers = value.match(/\d+/g) ?? [];
  if (numbers.length > 2 || numbers.some((number) => number.length > 14)) return false;
  const words = value.replace(/([a-z])([A-Z])/g, "$1 $2").match(/[A-Za-z]+/g) ?? [];
  const inLongWords = words.filter((word) => word.length > 3).join("").length;
  if (words.length === 0 || inLongWords < words.join("").length * 0.6) return false;
  return words.every((word) => word.length <= 3 || /^(?!.*[^aeiouy]{6}).*[aeiouy]/i.test(word));
}

/** A path, an address or a digest: things that point somewhere and open nothing. */
export function isReference(value: string): boolean {
  if (/^(?:[.~]{0,2}\/|[A-Za-z]:\\|\w{1,20}:\/\/|arn:|sha\d{1,3}[-:]|data:|urn:)/.test(value)) return true;
  if (
    /^(?:process|os|env|config|settings|self|this|req|request|options|args|params|props|system|secrets|vault)\./i.test(
      value,
    )
  )
    return true;
  if (
    /\.(?:pem|key|json|ya?ml|txt|crt|cer|p12|pfx|jks|py|[jt]sx?|go|rs|java|html?|com|net|org|io|local)(?::\d+)?$/i.test(
      value,
    )
  )
    return true;
  if (/^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value)) return true;
  return /^[\d.,:/+T-]+Z?$|[a-z]-v?\d+(?:\.\d+){1,3}(?:[-.]\w+)?$/.test(value);
}

const CODE = /\w\(|\(\)|[\w\]]\[|^!|=>|->|::|&&|\|\||[{}]/;
const DOTTED_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A password typed by a person: short is fine, plain words and stand-ins are not. */
export function isPassword(value: string, user = ""): boolean {
  if (value === user || isPlaceholder(value) || ORDINARY_PASSWORD.test(value)) return false;
  return !/^\d{1,5}$/.test(value);
}

/** The value of a header that carries nothing but a credential. */
export function isCredential(value: string): boolean {
  if (isPlaceholder(value) || ORDINARY_PASSWORD.test(value)) return false;
  return /\d/.test(value) && (UUID.test(value) || (!isReference(value) && !readsLikeWords(value)));
}

/** The value of an assignment; a bare word in code needs more proof than a quoted one. */
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
  if (/^[\w.-]+$/.test(value) && !/\d/.test(value)) return false;
  return certain || (!readsLikeWords(value) && /\d/.test(value) && value.length >= 8);
}
