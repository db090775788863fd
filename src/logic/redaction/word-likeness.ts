/**
 * Tells words and names of code from letters and digits that were drawn at random, without a list of words.
 *
 * In words of any language some letters seldom follow others, capitals begin a word or fill it, and digits stand
 * together. Refused: judging fewer than eight characters, too few for any of that to show.
 */

/**
 * How often a letter follows another in words of English, some thirty other languages that use these letters, and names
 * of code: a row for the first, from a to z, a digit for the second, from 0, hardly ever, each one twice as often.
 */
const PAIRS = `
  26763462614868161879553353 84548322842853850875732150 81538227706632821758610061 73359343832544730663642150
  63785552412768463887453631 82328722902733831746712150 73238456702646630764611050 83449212801554830656513070
  65866561203669852677360305 83449303620035953065904020 74459434804636740575524141 83458330803742840266640170
  86339312802463880253720050 72778583724334730378551032 55663463514779570877755532 82448337703733860867621150
  52200024400603320545900000 84559453804465840576542060 61638326804453662278613050 72429317901533730765603160
  66766460603878460888220222 92139211902222730333400020 94448207802527830664223240 71737205811342682448400560
  53656241502766670577312123 93049424802445720132520075`.replaceAll(/\s/g, "");
const LETTERS = 26;
const A = 97;

const LEAST_LENGTH = 8;
/** Parts of a name are longer than this on average; for what they lack, their letters must be the likelier. */
const USUAL_HUMP = 4;
/** The parts of a name: a word with its capital, or capitals alone. */
const HUMP = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** A number after or before hardly any letters is an id, a version or an amount. */
const NUMBER = /^[A-Za-z]{0,3}\d+[A-Za-z]{0,3}$/;

/** `YYYYMMDD`, `sooooo`, `AbCdFG123`: typed to fill a place. */
const FILLED = /([A-Za-z])\1{3}|\D123(?:4(?:56?)?)?$/;

/** How readily a text is taken for random: of names in code, one in two hundred falls below the first, one in two thousand below the second. */
export const READILY = 5.4;
export const RELUCTANTLY = 4.7;

/** Whether a part of the value looks drawn at random. Words that signs join are a name. */
export function isScrambled(value: string, least: number): boolean {
  const parts = value.split(/[-_.:]/);
  const likely = parts.length > 1 ? Math.min(least, RELUCTANTLY) : least;
  return parts.some((part) => isScrambledPart(part.replaceAll(/[^A-Za-z0-9]/g, ""), likely));
}

function isScrambledPart(part: string, least: number): boolean {
  if (part.length < LEAST_LENGTH || NUMBER.test(part) || FILLED.test(part) || isCounted(part)) return false;
  const numbers = part.match(/\d+/g) ?? [];
  if (numbers.length > 2) return true;
  const letters = part.replaceAll(/\d+/g, " ");
  const humps = letters.match(HUMP) ?? [];
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
      sum += Number(PAIRS[(lower.charCodeAt(at - 1) - A) * LETTERS + lower.charCodeAt(at) - A]);
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
