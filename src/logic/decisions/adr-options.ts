/**
 * The alternatives that a decision record rejected.
 *
 * A list of alternatives holds rejected ones only; a list of considered options also holds the chosen one. If the
 * chosen one cannot be identified, none counts as rejected.
 */
import { type Section, nested, plainText } from "../text/markdown-sections.ts";
import { summaryOf } from "../text/summary.ts";
import { fold, words } from "../text/words.ts";

const OPTIONS_MOST = 20;
const EMPTY = /^(?:none|n\/?a|tbd|not applicable|no alternatives?.{0,30})\W*$/i;
const CHOSEN =
  /\bchosen(?: (?:option|alternative|solution|approach)s?\W{0,6}(?:(?:is|was)\W{1,6})?|\s?:\s?)([^\n]{1,300})/i;

/** The options under a heading: its subheadings, else its list items, else its text. */
export function optionsUnder(sections: readonly Section[], index: number): string[] {
  const below = nested(sections, index);
  const level = Math.min(...below.map((section) => section.level));
  const headings = below.filter((section) => section.level === level).map(({ heading }) => heading);
  const body = sections[index]?.body ?? "";
  const listed = headings.length > 0 ? headings : listItems(body);
  const options = listed.length > 0 ? listed : [body];
  return options
    .slice(0, OPTIONS_MOST)
    .map((option) => summaryOf(plainText(option.slice(0, 2_000))))
    .filter((option) => option !== "" && !EMPTY.test(option));
}

/** Only the outer list: nested items describe an option. */
function listItems(body: string): string[] {
  return body.split("\n").flatMap((line) => {
    const mark = /^ ?(?:[*+-]|\d{1,3}[.)])\s+/.exec(line);
    return mark ? [line.slice(mark[0].length)] : [];
  });
}

/** All options but the chosen one. */
export function turnedDown(options: readonly string[], decision: string, areAllTurnedDown: boolean): string[] {
  const chosen = chosenAmong(options, plainText(decision));
  if (chosen !== null) return options.filter((option) => option !== chosen);
  return areAllTurnedDown ? [...options] : [];
}

function chosenAmong(options: readonly string[], decision: string): string | null {
  const named = CHOSEN.exec(decision)?.[1];
  if (named) {
    const name = keyOf(/^["“'‘«]?([^"”»]{1,200}?)(?:["”»]|,|;|\.\s|\.$|\bbecause\b|$)/i.exec(named)?.[1] ?? named);
    const fits = options.filter((option) => startsAlike(keyOf(option), name));
    return fits.length === 1 ? fits[0]! : (fits.find((option) => keyOf(option) === name) ?? null);
  }
  const text = ` ${keyOf(decision)} `;
  const mentioned = options.filter((option) => text.includes(` ${keyOf(option)} `));
  return mentioned.length === 1 ? mentioned[0]! : null;
}

const keyOf = (text: string): string => words(text).map(fold).join(" ");

const startsAlike = (one: string, two: string): boolean =>
  one !== "" && two !== "" && (`${one} `.startsWith(`${two} `) || `${two} `.startsWith(`${one} `));
