/**
 * Redacts secrets before a text is stored, indexed, logged or embedded.
 *
 * Rules find candidates, checks drop those that are no secrets, and overlapping candidates become one placeholder that
 * covers them all. No rule matches a placeholder, so redacting twice changes nothing. Refused: keeping or reporting
 * what was redacted.
 */
import { announcedFinder, printedFinder, recoveryCodeFinder } from "./announced-secrets.ts";
import { commandRules } from "./commands.ts";
import { endOfWrapped, findDivided, findEscaped, findInSeen, hasUnseen, mayBeEscaped } from "./divided-secrets.ts";
import {
  encodesLogin,
  encodesPrivateKey,
  isAssignedSecret,
  isCredential,
  isIssuedToken,
  isPassword,
  isPlaceholder,
  isSaidPassword,
  type Meeting,
  readsLikeWords,
  shannonEntropy,
} from "./likeness.ts";
import { nameKind } from "./names.ts";
import { proseRules } from "./prose.ts";
import { repeatsOf } from "./repeated-secrets.ts";
import { callRules, serviceCallFinder } from "./secret-calls.ts";
import { type Line, linesOf, type SecretFinder } from "./secret-finder.ts";
import { seedPhrases } from "./seed-phrase.ts";
import { linkRules, shapeRules } from "./shapes.ts";
import { kubeFinder, tableFinder } from "./structured-secrets.ts";
import { providerRules, recentRules, type SecretRule } from "./vendors.ts";

/**
 * Finds the entries that have a keyword in a text.
 *
 * Most texts contain none of the hundreds of keywords, and searching for each would read the text as often. It is read
 * once to record which three letters follow each other; only keywords whose triples all occur are searched for. Runs on
 * every write, hence plain loops. A program that reads little, such as a hook, ends before this pays, so the first
 * texts are simply searched.
 */
const TRIPLES = 1 << 15;
/** How many characters are searched for each keyword before the triples are prepared. */
const SIMPLY_SEARCHED = 8_000;

interface Keyword {
  text: string;
  triples: Uint16Array;
}

const UNKNOWN = 0;
const PRESENT = 1;
const ABSENT = 2;

interface Entry {
  readonly keywords: readonly string[];
}

/** Returns the entries with a keyword in the text, in order. Keywords and text are compared as they are. */
export function keywordFinder<T extends Entry>(entries: readonly T[]): (text: string) => T[] {
  let searched = 0;
  let byTriples: ((text: string) => T[]) | undefined;
  return (text) => {
    searched += text.length;
    if (searched > SIMPLY_SEARCHED) return (byTriples ??= tripleFinder(entries))(text);
    return entries.filter(({ keywords }) => keywords.some((keyword) => text.includes(keyword)));
  };
}

function tripleFinder<T extends Entry>(entries: readonly T[]): (text: string) => T[] {
  // Many entries share keywords, and each is searched for once.
  const texts = [...new Set(entries.flatMap(({ keywords }) => keywords))];
  const keywords = texts.map((text): Keyword => ({ text, triples: triplesOf(text) }));
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const prepared = entries.map((entry) => ({ entry, numbers: entry.keywords.map((text) => numbers.get(text)!) }));
  const seen = new Uint8Array(TRIPLES);
  const known = new Uint8Array(keywords.length);
  return (text) => {
    seen.fill(0);
    recordTriples(text, seen);
    known.fill(UNKNOWN);
    const isPresent = (number: number): boolean => {
      if (known[number] === UNKNOWN) {
        const keyword = keywords[number]!;
        known[number] = mayOccur(keyword.triples, seen) && text.includes(keyword.text) ? PRESENT : ABSENT;
      }
      return known[number] === PRESENT;
    };
    const found: T[] = [];
    for (const { entry, numbers } of prepared) if (numbers.some(isPresent)) found.push(entry);
    return found;
  };
}

function mayOccur(triples: Uint16Array, seen: Uint8Array): boolean {
  for (let at = 0; at < triples.length; at++) if (seen[triples[at]!] === 0) return false;
  return true;
}

/** Several triples share a number: this may record one too many, never one too few. */
const tripleOf = (first: number, second: number, third: number): number =>
  ((first * 37 + second) * 37 + third) & (TRIPLES - 1);

function recordTriples(text: string, seen: Uint8Array): void {
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = 2; at < text.length; at++) {
    const third = text.charCodeAt(at);
    seen[tripleOf(first, second, third)] = 1;
    first = second;
    second = third;
  }
}

function triplesOf(text: string): Uint16Array {
  const triples = new Uint16Array(Math.max(0, text.length - 2));
  for (let at = 0; at < triples.length; at++)
    triples[at] = tripleOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  return triples;
}

export type Redaction = { rule: string; count: number };
type Redacted = { text: string; redactions: Redaction[] };

type Span = { start: number; end: number; rule: string };
type Candidate = { start: number; end: number; value: string; name: string; meeting: Meeting };

const RULES: readonly SecretRule[] = [
  ...[...providerRules, ...recentRules, ...linkRules, ...shapeRules],
  ...[...commandRules, ...callRules, ...proseRules],
];
const FINDERS: readonly SecretFinder[] = [
  ...[tableFinder, kubeFinder, announcedFinder, printedFinder],
  ...[recoveryCodeFinder, serviceCallFinder],
];
const possibleIn = keywordFinder<SecretRule | SecretFinder>([...RULES, ...FINDERS]);
// A placeholder may give its neighbour the boundary it lacked, and that one the next. A text that chains more of them
// than this would cost a pass each: the rest of such a word is redacted completely.
const MAX_PASSES = 8;
const MAX_NAME_LENGTH = 64;
// Patterns are bounded; a value of these kinds that reaches the bound is extended to the end of its run.
const LONG_VALUE = 200;
const OPEN_ENDED: ReadonlySet<SecretRule["judge"]> = new Set(["assignment", "option", "typed", "header"]);
const RUN = /[^\s"'`<>\\,;]*/y;
// Looking back from the end of a name costs no more than the name is long.
const NAME_BEFORE = new RegExp(`(?<=([\\w.-]{0,${MAX_NAME_LENGTH}}))`, "y");
const WORD_BEFORE = new RegExp(`(?<=([\\w-]{0,${MAX_NAME_LENGTH - 1}} ?))`, "y");
// The text inside rejected matches is searched again. A text that nests them excessively would make that quadratic:
// once this many characters have been searched twice, long rejected values are redacted instead.
const LONG_REFUSED = 64;
const SEARCHED_TWICE_LIMIT = 3_000_000;

/** `keepsLines`: text after a multi-line secret stays on its line. `above`: the text that this one continues. */
export function redact(text: string, { keepsLines = false, above = "" } = {}): Redacted {
  const far = farRules(above);
  const counts = new Map<string, number>();
  let current = text;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const found = findInSeen(current, (seen) => findAll(seen, far));
    if (found.length === 0) break;
    const spans = pass < MAX_PASSES ? found : withWordsBefore(found, current);
    for (const { rule } of spans) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    current = replaceSpans(current, spans, keepsLines);
  }
  return { text: current, redactions: [...counts].map(([rule, count]) => ({ rule, count })) };
}

/**
 * Redacts many short texts, each on its own. Keywords are looked for in all of them at once: for short texts that takes
 * longer than the rest.
 */
export function redactEach(texts: readonly string[]): string[] {
  // What no phrase goes on behind.
  const all = texts.join("\n\0\n");
  // A phrase has no keyword, and characters that nobody sees or that are escaped hide one.
  if (hasUnseen(all) || mayBeEscaped(all) || seedPhrases(all).length > 0) return texts.map((text) => redact(text).text);
  const possible = keywordFinder(possibleIn(all.toLowerCase()));
  return texts.map((text) => (possible(text.toLowerCase()).length === 0 ? text : redact(text).text));
}

/** Finds secrets as they are written, those that string literals divide, and those among escaped signs. */
function findAll(text: string, far: readonly SecretRule[]): Span[] {
  const found = findSecrets(text, far);
  const divided = findDivided(text, (joined) => findSecrets(joined, far));
  const escaped = findEscaped(text, (meant) => findSecrets(meant, far));
  return divided.length + escaped.length === 0 ? found : merge([...found, ...divided, ...escaped].sort(byPlace));
}

function findSecrets(text: string, far: readonly SecretRule[]): Span[] {
  const found: Span[] = seedPhrases(text).map((span) => ({ ...span, rule: "seed-phrase" }));
  let searchedTwice = 0;
  let lines: Line[] | undefined;
  const rules = new Set(far);
  for (const one of possibleIn(text.toLowerCase())) {
    if ("find" in one)
      for (const { start, end } of one.find((lines ??= linesOf(text)))) found.push({ start, end, rule: one.name });
    else if (one.needs === undefined || text.includes(one.needs)) rules.add(one);
  }
  for (const rule of rules) searchedTwice = collect(rule, text, found, searchedTwice);
  for (const place of repeatsOf(found, text)) found.push({ ...place, rule: "repeated-secret" });
  return merge(found.map((span) => ({ ...span, end: endOfWrapped(text, span.start, span.end) })).sort(byPlace));
}

const byPlace = (one: Span, other: Span): number => one.start - other.start || other.end - one.end;

/** Rules triggered by keywords in another part of the text. */
export function farRules(elsewhere: string): SecretRule[] {
  if (elsewhere === "") return [];
  const lower = elsewhere.toLowerCase();
  return RULES.filter(({ isFar, keywords }) => isFar && keywords.some((keyword) => lower.includes(keyword)));
}

/** Adds the rule's findings. Takes and returns how many characters have been searched twice. */
function collect(rule: SecretRule, text: string, found: Span[], searchedTwice: number): number {
  const pattern = rule.pattern();
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const candidate = toCandidate(match, text);
    if (isBounded(rule, match, text) && isSecret(rule, candidate)) {
      const isCut = OPEN_ENDED.has(rule.judge) && candidate.value.length >= LONG_VALUE;
      const end = isCut ? endOfRun(text, candidate.end) : candidate.end;
      found.push({ start: candidate.start, end, rule: rule.name });
      pattern.lastIndex = Math.max(pattern.lastIndex, end);
      continue;
    }
    // A rejected match may contain the real one.
    const next = Math.max(candidate.start, match.index + 1);
    const swallowed = pattern.lastIndex - next;
    if (swallowed > LONG_REFUSED) searchedTwice += swallowed;
    if (swallowed > LONG_REFUSED && searchedTwice > SEARCHED_TWICE_LIMIT) {
      found.push({ start: candidate.start, end: candidate.end, rule: rule.name });
    } else {
      pattern.lastIndex = next;
    }
  }
  return searchedTwice;
}

function endOfRun(text: string, from: number): number {
  RUN.lastIndex = from;
  return from + (RUN.exec(text)?.[0].length ?? 0);
}

function toCandidate(match: RegExpExecArray, text: string): Candidate {
  const { groups, indices } = match;
  const range = indices?.groups?.["secret"] ?? indices?.groups?.["bare"] ?? indices?.groups?.["opening"];
  const start = range?.[0] ?? match.index;
  let value = groups?.["secret"] ?? groups?.["bare"] ?? (groups?.["opening"] ?? "") + match[0];
  if (groups?.["bare"] !== undefined) value = withoutTail(value);
  if (groups?.["mark"] !== undefined)
    value = value.replace(/[.,;:!?)\]]+$/, (tail) => (tail.startsWith("!") ? "!" : ""));
  const name = groups?.["key"] ?? (groups?.["end"] === undefined ? "" : readName(text, match.index, groups["end"]));
  return { start, end: start + value.length, value, name, meeting: meetingOf(match, text) };
}

/** A bare value without what closes the text around it, or begins the next parameter of an address. */
function withoutTail(value: string): string {
  const parameter = value.search(/&[\w.-]{1,60}=/);
  const own = parameter > 0 ? value.slice(0, parameter) : value;
  return own.endsWith("..") ? own : own.replace(/[)\]}.:]+$/, "");
}

function meetingOf({ groups, index, 0: matched }: RegExpExecArray, text: string): Meeting {
  // Quoted neighbours in a list are seldom a name and its value.
  const quoted = Boolean(groups?.["mark"]) || (groups?.["quote"] !== undefined && groups["comma"] === undefined);
  // A bare value on the next line has that line to itself.
  const isBelow = groups?.["below"] !== undefined;
  if (
    isBelow &&
    groups?.["bare"] !== undefined &&
    !/^[)\]}.:,;]{0,3}[ \t]{0,8}(?:\r?\n|$)/.test(text.slice(index + matched.length, index + matched.length + 16))
  )
    return { quoted: false, nothing: true };
  // The parts of a resource's name are divided by colons.
  if (groups?.["link"] === ":" && /\barn:[\w:./-]{0,120}$/.test(text.slice(Math.max(0, index - 128), index)))
    return { quoted: false, nothing: true };
  const loose = groups?.["loose"] ?? groups?.["around"] ?? groups?.["random"] ?? (isBelow && !quoted ? "" : undefined);
  const tight = groups?.["link"] === "=" && !isBelow;
  // "token == LPAREN", "the token is refreshed".
  const indirect = /^\s*(?:[=!~]{2,4}|!|->|<-|is)$/i.test(groups?.["link"] ?? "");
  const isParameter = tight && /(?<![&?])[?&][\w.-]{0,40}$/.test(text.slice(Math.max(0, index - 42), index));
  return { quoted: quoted || isParameter, tight, loose: loose !== undefined, indirect };
}

function readName(text: string, at: number, end: string): string {
  const before = textBefore(NAME_BEFORE, text, at);
  if (before !== "" || end.toLowerCase() !== "key") return before + end;
  // In prose the word that makes a key a secret is separate: "API key".
  return textBefore(WORD_BEFORE, text, at) + end;
}

function textBefore(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1] ?? "";
}

/** A vendor's prefix in the middle of a word or blob is a coincidence. */
function isBounded({ judge, pattern }: SecretRule, { index, 0: matched }: RegExpExecArray, text: string): boolean {
  if (judge !== "shape" && judge !== "random" && judge !== "mask") return true;
  if (/[A-Za-z0-9]/.test(text.charAt(index + matched.length))) return false;
  if (pattern().hasIndices) return true;
  if (!/\w/.test(text.charAt(index - 1))) return true;
  // The last letter of an escaped line break, an encoded character or a terminal colour is also a boundary.
  return /\\[nrt]$|%[0-9A-Fa-f]{2}$|\[[\d;]{1,8}m$/.test(text.slice(Math.max(0, index - 10), index));
}

function isSecret({ judge, minEntropy }: SecretRule, { value, name, meeting }: Candidate): boolean {
  switch (judge) {
    case "shape":
      return isVaried(value, minEntropy) && !isPlaceholder(value);
    case "mask":
      return true;
    case "block":
      return /[A-Za-z0-9+/]{24}/.test(value);
    case "random":
      return isVaried(value, minEntropy) && !isPlaceholder(value) && !readsLikeWords(value);
    case "password":
      return isPassword(value, name);
    case "typed":
      return isAssignedSecret("password", value, { quoted: true });
    case "header":
      return isCredential(value) && (name === "" || /auth$/i.test(name) || nameKind(name) !== undefined);
    case "login":
      return encodesLogin(value);
    case "encoded-key":
      return encodesPrivateKey(value);
    case "cell":
      return isAssignedSecret(name, value, { quoted: false, tight: true });
    case "option":
      return isAssignedSecret(name, value, { quoted: true });
    case "assignment":
      return isAssignedSecret(name, value, meeting);
    case "said":
      return isSaidPassword(value, meeting);
    case "token":
      return isIssuedToken(value);
  }
}

function isVaried(value: string, minEntropy: number): boolean {
  return minEntropy === 0 || shannonEntropy(value) >= minEntropy;
}

/**
 * The earliest, then longest, span names the placeholder; it covers every span it overlaps, so no part of a secret
 * remains.
 */
function merge(sorted: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Extends each span over the word characters before it, so that nothing is left there to be found again. */
function withWordsBefore(spans: readonly Span[], text: string): Span[] {
  let done = 0;
  return spans.map((span) => {
    let { start } = span;
    while (start > done && /[\w-]/.test(text.charAt(start - 1))) start--;
    done = span.end;
    return { ...span, start };
  });
}

function replaceSpans(text: string, spans: readonly Span[], keepsLines: boolean): string {
  let result = "";
  let done = 0;
  for (const { start, end, rule } of spans) {
    const ends = keepsLines ? text.slice(start, end).replaceAll(/[^\n]+/g, "") : "";
    result += `${text.slice(done, start)}[redacted:${rule}]${ends}`;
    done = end;
  }
  return result + text.slice(done);
}
