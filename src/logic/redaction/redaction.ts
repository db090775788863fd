/**
 * Redacts secrets before a text is stored, indexed, logged or embedded.
 *
 * Rules find candidates, checks drop those that are no secrets, and overlapping candidates become one placeholder that
 * covers them all. No rule matches a placeholder, so redacting twice changes nothing. Refused: keeping or reporting
 * what was redacted.
 */

import { shannonEntropy } from "./entropy.ts";
import { keywordFinder } from "./keyword-finder.ts";
import { isAssignedSecret, isCredential, isPassword, isPlaceholder, readsLikeWords } from "./secret-likeness.ts";
import { providerRules, type SecretRule } from "./secret-rules.ts";
import { shapeRules } from "./secret-shape-rules.ts";

export type Redaction = { rule: string; count: number };
export type Redacted = { text: string; redactions: Redaction[] };

type Span = { start: number; end: number; rule: string };
type Candidate = { start: number; end: number; value: string; name: string; quoted: boolean };

const RULES: readonly SecretRule[] = [...providerRules, ...shapeRules];
const rulesFor = keywordFinder(RULES);
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
    const found = findSecrets(current, far);
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
  const possible = keywordFinder(rulesFor(texts.join("\n").toLowerCase()));
  return texts.map((text) => (possible(text.toLowerCase()).length === 0 ? text : redact(text).text));
}

/** Raised when the checking code changes, so that text redacted by older code is redacted again. */
const CHECKS_VERSION = 1;

/** Changes whenever the definition of a secret does. */
export const rulesText = (): string =>
  JSON.stringify([CHECKS_VERSION, ...RULES.map((rule) => ({ ...rule, pattern: String(rule.pattern) }))]);

function findSecrets(text: string, far: readonly SecretRule[]): Span[] {
  const found: Span[] = [];
  let searchedTwice = 0;
  const rules = new Set([...rulesFor(text.toLowerCase()), ...far]);
  for (const rule of rules) searchedTwice = collect(rule, text, found, searchedTwice);
  return merge(found.sort((a, b) => a.start - b.start || b.end - a.end));
}

/** Rules triggered by keywords in another part of the text. */
export function farRules(elsewhere: string): SecretRule[] {
  if (elsewhere === "") return [];
  const lower = elsewhere.toLowerCase();
  return RULES.filter(({ isFar, keywords }) => isFar && keywords.some((keyword) => lower.includes(keyword)));
}

/** Adds the rule's findings. Takes and returns how many characters have been searched twice. */
function collect(rule: SecretRule, text: string, found: Span[], searchedTwice: number): number {
  const { pattern } = rule;
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
  const range = indices?.groups?.["secret"] ?? indices?.groups?.["bare"];
  const start = range?.[0] ?? match.index;
  let value = groups?.["secret"] ?? groups?.["bare"] ?? match[0];
  if (groups?.["bare"] !== undefined && !value.endsWith("..")) value = value.replace(/[)\]}.:]+$/, "");
  const name = groups?.["key"] ?? (groups?.["end"] === undefined ? "" : readName(text, match.index, groups["end"]));
  // Quoted neighbours in a list are seldom a name and its value.
  const quoted = groups?.["quote"] !== undefined && groups["comma"] === undefined;
  return { start, end: start + value.length, value, name, quoted };
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
  if (pattern.hasIndices) return true;
  if (!/\w/.test(text.charAt(index - 1))) return true;
  // The last letter of an escaped line break, an encoded character or a terminal colour is also a boundary.
  return /\\[nrt]$|%[0-9A-Fa-f]{2}$|\[[\d;]{1,8}m$/.test(text.slice(Math.max(0, index - 10), index));
}

function isSecret({ judge, minEntropy }: SecretRule, { value, name, quoted }: Candidate): boolean {
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
      return isAssignedSecret("password", value, true);
    case "header":
      return isCredential(value);
    case "option":
      return isAssignedSecret(name, value, true);
    case "assignment":
      return isAssignedSecret(name, value, quoted);
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
