/**
 * Porter's stemmer, as the keyword index applies it.
 *
 * Words are compared here as in the index, so that coverage and word statistics refer to the words that were matched.
 * The rules are for English, but the index applies them to the bytes of any word: digits and foreign letters are
 * consonants.
 */
import { isAscii } from "./ascii.ts";

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
