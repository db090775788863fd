/**
 * Words: how text becomes searchable terms.
 *
 * Rows and queries follow the same rules: identifiers are also split into parts, and runs of Chinese, Japanese and
 * Korean into bigrams, because the index sees such a run as one word. A query is only ever a list of words; nothing in
 * it is read as syntax.
 */
import type { IndexedText } from "../memory/shelves.ts";

/**
 * ASCII texts have patterns of their own.
 *
 * Preparing a pattern with the letters of all scripts takes about a millisecond in a new process, and most texts are
 * ASCII, for which a plain pattern finds the same.
 */
const ASCII = /^[\x00-\x7f]*$/;

export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * Porter's stemmer, as the keyword index applies it.
 *
 * Words are compared here as in the index, so that coverage and word statistics refer to the words that were matched.
 * The rules are for English, but the index applies them to the bytes of any word: digits and foreign letters are
 * consonants.
 */
const VOWEL = "[aeiouy]";
const CONSONANT_RUN = "[^aeiou][^aeiouy]*";
const VOWEL_RUN = "[aeiouy][aeiou]*";
/** A y at the start is a consonant. */
const START = `^(?:${CONSONANT_RUN}|(?=[aeiou]))`;
const MEASURE_ABOVE_0 = new RegExp(`${START}${VOWEL_RUN}${CONSONANT_RUN}`);
const MEASURE_IS_1 = new RegExp(`${START}${VOWEL_RUN}${CONSONANT_RUN}(${VOWEL_RUN})?$`);
const MEASURE_ABOVE_1 = new RegExp(`${START}${VOWEL_RUN}${CONSONANT_RUN}${VOWEL_RUN}${CONSONANT_RUN}`);
const HAS_VOWEL = new RegExp(`${START}${VOWEL}`);
const SHORT_END = new RegExp(`^${CONSONANT_RUN}${VOWEL}[^aeiouwxy]$`);

const STEP_2: readonly [string, string][] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const STEP_3: readonly [string, string][] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const STEP_4 = /(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|(?<=[st])ion$/;

export function stem(word: string): string {
  if (isAscii(word)) return stemBytes(word);
  return Buffer.from(stemBytes(Buffer.from(word).toString("latin1")), "latin1").toString();
}

/**
 * The prefix shared by all words of this stem: endings are removed or replaced, which may change the last two letters.
 */
export const stemBeginning = (stemmed: string): string => stemmed.slice(0, -2);

/** One character per byte. */
function stemBytes(word: string): string {
  if (word.length < 3 || word.length > 64) return word;
  let result = stepOne(word);
  if (result.endsWith("y") && HAS_VOWEL.test(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  result = replaceSuffix(replaceSuffix(result, STEP_2), STEP_3);
  const ending = STEP_4.exec(result)?.[0];
  if (ending && MEASURE_ABOVE_1.test(result.slice(0, -ending.length))) result = result.slice(0, -ending.length);
  return stepFive(result);
}

function stepOne(word: string): string {
  let result = word;
  if (/.(ss|i)es$/s.test(result)) result = result.slice(0, -2);
  else if (/[^s]s$/.test(result)) result = result.slice(0, -1);
  if (/.eed$/s.test(result)) return MEASURE_ABOVE_0.test(result.slice(0, -3)) ? result.slice(0, -1) : result;
  const ending = /(ed|ing)$/.exec(result)?.[0];
  if (!ending || !HAS_VOWEL.test(result.slice(0, -ending.length))) return result;
  result = result.slice(0, -ending.length);
  if (/(at|bl|iz)$/.test(result)) return `${result}e`;
  if (/([^aeioulsz])\1$/.test(result)) return result.slice(0, -1);
  return SHORT_END.test(result) ? `${result}e` : result;
}

function replaceSuffix(word: string, rules: readonly [string, string][]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const root = word.slice(0, -rule[0].length);
  return MEASURE_ABOVE_0.test(root) ? root + rule[1] : word;
}

function stepFive(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const root = result.slice(0, -1);
    if (MEASURE_ABOVE_1.test(root) || (MEASURE_IS_1.test(root) && !SHORT_END.test(root))) result = root;
  }
  return result.endsWith("ll") && MEASURE_ABOVE_1.test(result) ? result.slice(0, -1) : result;
}

/** Most words are plain; this spares them the costlier pattern. */
const PLAIN_WORD = /^[A-Z]?[a-z]+$/;
const ASCII_WORD = /[A-Za-z0-9]+/g;
/** In pure ASCII text, the only words that can have parts: those with a capital or a digit. */
const ASCII_COMPOUND = /(?<![A-Za-z0-9])[a-z]*[A-Z0-9][A-Za-z0-9]*/g;
const MAXIMUM_TERMS = 48;

/** Too common to distinguish texts; never part of a broad OR. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about above after again all am an and any are as at be because been before being below between both but by can " +
    "could did do does doing down during each few for from further had has have having he her here hers him his how i " +
    "if in into is it its itself just me more most my no nor not now of off on once only or other our out over own " +
    "same she should so some such than that the their them then there these they this those through to too under " +
    "until up us very was we were what when where which while who whom why will with would you your"
  ).split(" "),
);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(fold(word));

/**
 * The form in which the index compares words: lower case, and Latin letters without diacritics. In other scripts a mark
 * makes a different letter: й is not и.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFC")
    .replace(/[^\x00-\x7f]/gu, (letter) => /^[a-z]/i.exec(letter.normalize("NFD"))?.[0] ?? letter)
    .replace(/[\u0300-\u0331]/g, "")
    .toLowerCase()
    .replaceAll("ς", "σ");
}

export function words(text: string): string[] {
  return (isAscii(text) ? text.match(ASCII_WORD) : text.normalize("NFC").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) ?? [];
}

/** `getUserById` → get, user, by, id; `HTTPServer2` → http, server, 2; a plain word has no parts. */
export function identifierParts(word: string): string[] {
  if (PLAIN_WORD.test(word) || isNumberWithUnit(word)) return [];
  const parts =
    (isAscii(word)
      ? word.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g)
      : word.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu)) ?? [];
  return parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [];
}

/** `1990s`, `10ms`, `5th`: one word, whose ending alone means nothing. */
const isNumberWithUnit = (word: string): boolean =>
  isAscii(word) ? /^[0-9]+[a-z]{1,2}$/.test(word) : /^\p{N}+\p{Ll}{1,2}$/u.test(word);

/** 内存泄漏 → 内存 存泄 泄漏; a single character stays as it is. */
export function cjkBigrams(text: string): string[] {
  if (isAscii(text)) return [];
  const runs = text
    .normalize("NFC")
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu);
  return (runs ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => characters[index]! + character);
  });
}

/** The words of a passage, column by column, as the keyword index stores them. */
export function indexedText(passage: { title: string | null; text: string; tags: readonly string[] }): IndexedText {
  const whole = passage.title ? `${passage.title}\n${passage.text}` : passage.text;
  // Most text is plain; the patterns for all scripts cost more than writing the row.
  const isPlain = isAscii(whole);
  const compounds = isPlain ? (whole.match(ASCII_COMPOUND) ?? []) : words(whole);
  return {
    title: (passage.title ?? "").normalize("NFC"),
    text: isPlain ? passage.text : passage.text.normalize("NFC"),
    tags: passage.tags.join(" ").normalize("NFC"),
    split: compounds.flatMap(identifierParts).join(" "),
    cjk: isPlain ? "" : cjkBigrams(whole).join(" "),
  };
}

/** The distinct terms of a question. Stop words stay only when there is nothing else. */
export function queryTerms(query: string, most = MAXIMUM_TERMS): string[] {
  return tellingTerms(
    words(query).flatMap((word) => [...wholeTerms(word), ...partTerms(word)]),
    most,
  );
}

/** The terms an answer should cover: an identifier counts by its parts, so that its plain words cover it too. */
export function coveredTerms(query: string): string[] {
  return tellingTerms(
    words(query).flatMap((word) => {
      const parts = partTerms(word);
      return parts.length > 0 && cjkBigrams(word).length === 0 ? parts : [...wholeTerms(word), ...parts];
    }),
  );
}

function wholeTerms(word: string): string[] {
  const bigrams = cjkBigrams(word);
  return bigrams.length > 0 ? bigrams : [fold(word)];
}

function partTerms(word: string): string[] {
  const isMixed = cjkBigrams(word).length > 0;
  return identifierParts(word)
    .filter((part) => !isMixed || cjkBigrams(part).length === 0)
    .map(fold);
}

function tellingTerms(all: readonly string[], most = MAXIMUM_TERMS): string[] {
  const terms = new Set(all.filter((term) => term !== ""));
  const telling = [...terms].filter((term) => !STOP_WORDS.has(term));
  return (telling.length > 0 ? telling : [...terms]).slice(0, most);
}

/** The stemmed words of a text, identifiers' parts and bigrams included. */
export function stems(text: string, isWanted: (word: string) => boolean = () => true): Set<string> {
  const found = new Set<string>();
  const note = (word: string) => {
    const folded = fold(word);
    if (isWanted(folded)) found.add(stem(folded));
  };
  for (const word of words(text)) {
    note(word);
    for (const part of identifierParts(word)) note(part);
  }
  for (const bigram of cjkBigrams(text)) found.add(bigram);
  return found;
}

/** Shared stems over all stems, without stop words: 1 means the same words, 0 none in common. */
export function jaccard(a: string, b: string): number {
  const left = tellingStems(a);
  const right = tellingStems(b);
  if (left.size === 0 && right.size === 0) return a.trim() === b.trim() ? 1 : 0;
  return sharedPart(left, right);
}

/** The share of two sets that both have; one text can be compared with many without reading it again. */
export function sharedPart(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Stop words are removed before stemming: the stem of "this" is not a stop word. */
export function tellingStems(text: string): Set<string> {
  return stems(text, (word) => !STOP_WORDS.has(word));
}
