/**
 * Decision records: the status of one, and which records it supersedes, is superseded by or relates to.
 *
 * People write a status in many ways; if it cannot be determined it is null, never a guess. A record is named by its
 * number: as ADR-12, as a link to `0012-title.md`, or, where only a record can be meant, as 12.
 */
import { writtenDate } from "../time/written-date.ts";

export type AdrStatus = "proposed" | "accepted" | "rejected" | "deprecated" | "superseded";

const STATUS_WORDS: readonly [RegExp, AdrStatus][] = [
  [/^(?:super[sc]eded|replaced)$/, "superseded"],
  [/^(?:deprecated|obsolete|obsoleted|archived|retired|outdated)$/, "deprecated"],
  [/^(?:rejected|declined|abandoned|withdrawn|cancelled|canceled)$/, "rejected"],
  [/^(?:draft|proposed|proposal|pending|discussion|review|wip|open|rfc)$/, "proposed"],
  [/^(?:accepted|approved|adopted|decided|agreed|active|implemented|final|done|current)$/, "accepted"],
];

/** A status is short, so only this much of a line is read. */
const LINE_LIMIT = 400;
const LINES_MOST = 60;

export interface References {
  supersedes: number[];
  supersededBy: number[];
}

/** The status stated in a text such as "Accepted. Work has started", a dated list, or "Superseded by ADR-7". */
export function statusOf(text: string): AdrStatus | null {
  const stated = linesOf(text).flatMap((line) => {
    const status = statusOfLine(line);
    return status ? [{ status, isDated: writtenDate(line) !== null }] : [];
  });
  if (stated.some(({ status }) => status === "superseded")) return "superseded";
  const isHistory = stated.length > 1 && stated.every(({ isDated }) => isDated);
  return stated.at(isHistory ? -1 : 0)?.status ?? null;
}

/** Whether the text lists several statuses, as a template that was never filled in does. */
export function offersChoice(text: string): boolean {
  const line = linesOf(text)[0] ?? "";
  return line.split(/[|/]/).filter((part) => statusOfLine(part) !== null).length > 1;
}

function statusOfLine(line: string): AdrStatus | null {
  for (const { 0: word, index } of line.matchAll(/[a-z]+/gi)) {
    const found = STATUS_WORDS.find(([pattern]) => pattern.test(word.toLowerCase()));
    if (found && (found[1] !== "superseded" || isOfWhole(line.slice(0, index)))) return found[1];
  }
  return null;
}

const WHOLE = /(?:^|[^\p{L}\p{N}\s]\s*|\b(?:and|but|now|then|later|since)\s+)$/iu;
const THIS = /\bthis(?: (?:adr|decision|record|document))?(?: (?:is|was|has been))?(?: now)? $/i;

/** Whether "superseded" after these words means the whole record, unlike in "the routing part is superseded". */
const isOfWhole = (before: string): boolean => WHOLE.test(before) || THIS.test(before);

const linesOf = (text: string): string[] =>
  text
    .split("\n", LINES_MOST)
    .map((line) => line.slice(0, LINE_LIMIT).trim())
    .filter((line) => line !== "");

const SUCCESSION = /\b(?:super[sc]ed|replac)(ed|es|ing)(?:[\s-]+by)?\b/gi;
/** After bullets, marks and perhaps a date: in mid-sentence it may be about other records. */
const LEADING = /^[\s>|*+_-]*(?:[\d\w][\w\s.,/-]{5,20}:\s*)?(?=(?:super[sc]ed|replac)(?:ed|es))/i;

/** References in a text about this record alone, such as its status. */
export function referencesIn(text: string): References {
  return merged(linesOf(text).map((line) => referencesOfLine(line, true)));
}

/** References at the beginning of any line of the record. */
export function leadingReferences(lines: readonly string[]): References {
  return merged(
    lines.flatMap((line) => {
      const start = line.length <= LINE_LIMIT ? LEADING.exec(line) : null;
      return start ? [referencesOfLine(line.slice(start[0].length), false)] : [];
    }),
  );
}

export function merged(all: readonly References[], own: number | null = null): References {
  const distinct = (key: keyof References) => [...new Set(all.flatMap((one) => one[key]))].filter((one) => one !== own);
  return { supersedes: distinct("supersedes"), supersededBy: distinct("supersededBy") };
}

function referencesOfLine(line: string, mayBeBare: boolean): References {
  const found: References = { supersedes: [], supersededBy: [] };
  const matches = [...line.matchAll(SUCCESSION)];
  for (const [position, match] of matches.entries()) {
    const isBy = match[1]!.toLowerCase() === "ed";
    if (isBy && !isOfWhole(line.slice(0, match.index))) continue;
    const segment = line.slice(match.index + match[0].length, matches[position + 1]?.index ?? line.length);
    const numbers = recordNumbers(segment, mayBeBare || /^[\s*_]*:/.test(segment));
    found[isBy ? "supersededBy" : "supersedes"].push(...numbers);
  }
  return found;
}

/** Common phrases of people and tools, in both directions. */
const RELATION =
  /^[\s>|*+_-]*\[?(?:amend(?:s|ed by)|clarifie(?:s|d by)|complement(?:s|ed by)|extend(?:s|ed by)|refine(?:s|d by)|depends on|builds on|relates to|related(?: to| adrs?| decisions?| records?)?)\b[\s*_]*(:?)/i;

/** Records named as related at the beginning of lines. In a line about this record alone, a bare number counts. */
export function relatedRecords(lines: readonly string[], isOwn: boolean): number[] {
  return lines.flatMap((line) => {
    const start = line.length <= LINE_LIMIT ? RELATION.exec(line) : null;
    if (!start) return [];
    const named = recordNumbers(line, false);
    return named.length > 0 ? named : recordNumbers(line.slice(start[0].length), isOwn || start[1] === ":");
  });
}

const REFERENCE = /\[([^[\]\n]{0,300})\]\(([^()\n]{1,300})\)|\badr[\s_#:-]{0,3}(\d{1,5})(?!\d)/gi;
const BARE = /^[\s:*_#"'[-]{0,8}(\d{1,5})(?![\d-])(?:\s*(?:,|and|&)\s*#?(\d{1,5})(?![\d-]))?/;
const FIRST_WITHIN = 60;
/** Separators between the records of a list. */
const LISTED = /^[\s,;&*_\])]*(?:and\s+)?[\s*_[(]*$/i;

/** The numbers of the records named at the beginning of a text, each once; records mentioned later do not count. */
export function recordNumbers(text: string, mayBeBare: boolean): number[] {
  const numbers: number[] = [];
  let end: number | null = null;
  for (const match of text.matchAll(REFERENCE)) {
    if (end === null ? match.index > FIRST_WITHIN : !LISTED.test(text.slice(end, match.index))) break;
    end = match.index + match[0].length;
    const [, label = "", target = "", digits] = match;
    const number = digits ?? numberOfPath(target) ?? /^(?:adr[\s_#:-]{0,3})?(\d{1,5})\b/i.exec(label)?.[1];
    if (number !== undefined) numbers.push(Number(number));
  }
  if (numbers.length === 0 && mayBeBare) {
    for (const digits of BARE.exec(text)?.slice(1) ?? []) if (digits) numbers.push(Number(digits));
  }
  return [...new Set(numbers)];
}

/** `docs/0012-title.md` and `adr-012.md` → 12; a date is not a record number. */
export function numberOfPath(path: string): number | null {
  const name = path.split(/[#?]/)[0]!.split(/[/\\]/).at(-1) ?? "";
  if (writtenDate(name.slice(0, 10)) !== null) return null;
  const digits = /^(?:adr|decision)?(?:[-_ ]|%20)?(\d{1,5})(?=[-_. ]|%20)/i.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
