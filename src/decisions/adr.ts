/**
 * Architecture decision records: reads a Markdown file as a decision that can be proposed.
 *
 * Handles the Nygard and MADR formats and mixtures of them: front matter, "Status:" lines or sections. Only the opening
 * of a long section is used, because a person reads the proposal and the file remains as evidence. A file that is not a
 * record, or an empty template, is returned with the reason.
 */
import { type MarkdownText, nested, plainText, readMarkdown, type Section, wholeBody } from "../text/markdown.ts";
import { cutPassages } from "../text/passages.ts";
import { summaryOf } from "../text/short-text.ts";
import { textFault } from "../text/text.ts";
import { fold, words } from "../text/words.ts";
import { writtenDate } from "../time/dates-in-text.ts";

/**
 * The alternatives that a decision record rejected.
 *
 * A list of alternatives holds rejected ones only; a list of considered options also holds the chosen one. If the
 * chosen one cannot be identified, none counts as rejected.
 */
const OPTIONS_MOST = 20;
const EMPTY = /^(?:none|n\/?a|tbd|not applicable|no alternatives?.{0,30})\W*$/i;
const CHOSEN =
  /\bchosen(?: (?:option|alternative|solution|approach)s?\W{0,6}(?:(?:is|was)\W{1,6})?|\s?:\s?)([^\n]{1,300})/i;

/** The options under a heading: its subheadings, else its list items, else its text. */
function optionsUnder(sections: readonly Section[], index: number): string[] {
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

/**
 * Decision records: the status of one, and which records it supersedes, is superseded by or relates to.
 *
 * People write a status in many ways; if it cannot be determined it is null, never a guess. A record is named by its
 * number: as ADR-12, as a link to `0012-title.md`, or, where only a record can be meant, as 12.
 */
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

interface References {
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
function offersChoice(text: string): boolean {
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
function referencesIn(text: string): References {
  return merged(linesOf(text).map((line) => referencesOfLine(line, true)));
}

/** References at the beginning of any line of the record. */
function leadingReferences(lines: readonly string[]): References {
  return merged(
    lines.flatMap((line) => {
      const start = line.length <= LINE_LIMIT ? LEADING.exec(line) : null;
      return start ? [referencesOfLine(line.slice(start[0].length), false)] : [];
    }),
  );
}

function merged(all: readonly References[], own: number | null = null): References {
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
function relatedRecords(lines: readonly string[], isOwn: boolean): number[] {
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

export interface Adr {
  number: number | null;
  title: string;
  status: AdrStatus | null;
  /** For example 2026-01-31. */
  date: string | null;
  subject: string;
  decision: string;
  rationale: string | null;
  rejected: string[];
  supersedes: number[];
  supersededBy: number[];
  /** Records named as related that it neither supersedes nor is superseded by. */
  relates: number[];
}

type AdrReading = { adr: Adr } | { reason: string };

const TITLE_LIMIT = 200;
const SUBJECT_LIMIT = 120;
const DECISION_LIMIT = 1_200;
const RATIONALE_LIMIT = 1_500;
const KEY_LINES_MOST = 40;
const NUMBERED = /^\W{0,3}adr[\s_#-]{0,3}\d{1,5}\s?[\]:.–—|-]/i;

const named = (...names: string[]): ReadonlySet<string> => new Set(names);
const DECISION = named("decision", "decisions", "decision outcome", "the decision", "our decision", "outcome");
const PROPOSAL = named(
  "resolution",
  "proposed decision",
  "proposed solution",
  "proposal",
  "solution",
  "recommendation",
);
const ABSTRACT = named("abstract", "summary", "tl dr", "tldr", "overview");
const CONTEXT = named(
  "context",
  "context and problem statement",
  "context and problem",
  "problem statement",
  "problem",
  "background",
  "motivation",
  "issue",
);
const DRIVERS = named("decision drivers", "drivers", "forces");
const RATIONALE = named("rationale", "justification", "decision rationale", "argument", "arguments", "reasons");
const CONSEQUENCES = named("consequences", "positive consequences", "implications", "impact");
const OPTIONS = named("considered options", "options considered", "options", "solutions", "proposals");
const ALTERNATIVES = named(
  "alternatives",
  "alternatives considered",
  "considered alternatives",
  "rejected alternatives",
  "rejected options",
  "other options",
);
const CHANGES = named("changelog", "change log", "history", "revision history");

export function readAdr(text: string, path: string | null): AdrReading {
  const fault = textFault(text);
  if (fault) return { reason: fault };
  const record = recordOf(text);
  if (record.sections.filter(({ level, heading }) => level > 1 && NUMBERED.test(heading)).length > 1)
    return { reason: "holds several records" };
  const titled = titleOf(record, path);
  if (!titled) return { reason: "has no title" };
  const statusText = statusTextOf(record);
  if (/^[[{<].*[\]}>]$|\{[^{}]{0,200}\}$/.test(titled.title) || offersChoice(statusText))
    return { reason: "is an empty template" };
  const status = statusOf(statusText);
  const decision = decisionOf(record);
  const isArgued = [CONTEXT, CONSEQUENCES, OPTIONS, ALTERNATIVES, ABSTRACT].some((names) => find(record, names) >= 0);
  if (decision === null && status === null) return { reason: "has neither a status nor a decision" };
  if (status === null && !isArgued) return { reason: "has a decision, but neither a status nor a context" };
  if (decision === null && !isArgued) return { reason: "has a status, but neither a decision nor a context" };
  const number = titled.number ?? (path === null ? null : numberOfPath(path));
  const references = referencesOf(record, statusText, number);
  const isReplaced = references.supersededBy.length > 0 && (status === null || status === "accepted");
  return {
    adr: {
      number,
      title: titled.title,
      status: isReplaced ? "superseded" : status,
      date: dateOf(record, statusText, path),
      subject: opening(titled.title, SUBJECT_LIMIT),
      // Without a decision section the title states the decision, as it often does anyway.
      decision: decision ?? titled.title,
      rationale: rationaleOf(record),
      rejected: rejectedOf(record, decision ?? ""),
      ...references,
      relates: relatesOf(record, statusText, [...references.supersedes, ...references.supersededBy, number]),
    },
  };
}

/** Normalises a heading to its words: numbering, markup and text in brackets do not make it another section. */
function nameOf({ heading }: Section): string {
  return words(fold(plainText(heading).replace(/^\d{1,2}(?:\.\d{1,2})?[.)]?\s|[[(][^\])]{0,40}[\])]/g, ""))).join(" ");
}

/** A record with its sections indexed by name; the first section of each name counts. */
interface AdrText extends MarkdownText {
  places: ReadonlyMap<string, number>;
}

function recordOf(text: string): AdrText {
  const markdown = readMarkdown(text);
  const places = new Map<string, number>();
  for (const [index, section] of markdown.sections.entries()) {
    const name = section.level > 0 ? nameOf(section) : "";
    if (name !== "" && !places.has(name)) places.set(name, index);
  }
  return { ...markdown, places };
}

/** The first section with one of these names, or -1. */
function find({ places }: Pick<AdrText, "places">, names: ReadonlySet<string>): number {
  const found = [...names].flatMap((name) => places.get(name) ?? []);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** The beginning of a text, up to a natural break. */
function opening(text: string, limit: number): string {
  return cutPassages(text.trim().slice(0, limit + 1), limit)[0]?.text ?? "";
}

const KNOWN = [DECISION, PROPOSAL, ABSTRACT, CONTEXT, CONSEQUENCES, OPTIONS, ALTERNATIVES, CHANGES, named("status")];

function titleOf(record: AdrText, path: string | null): { title: string; number: number | null } | null {
  const { front } = record;
  const raw = plainText(front.get("title") || headingOf(record) || nameOfFile(path));
  const prefix =
    /^(?:\[?adr[\s_#-]{0,3}(\d{1,5})\]?[\s:.)|–—-]*|(\d{1,5})\s?(?:[:.)]|\s[|–—-])\s+|adr\s?[:–—-]\s*)/i.exec(raw);
  const title = opening(raw.slice(prefix?.[0].length ?? 0), TITLE_LIMIT);
  const digits = prefix?.[1] ?? prefix?.[2] ?? /^\d{1,5}$/.exec(front.get("number") ?? front.get("adr") ?? "")?.[0];
  return title === "" ? null : { title, number: digits === undefined ? null : Number(digits) };
}

/** Some templates have a generic heading and the title below it. */
function headingOf(record: AdrText): string {
  const { sections } = record;
  const isTitle = (section: Section) => section.heading !== "" && !KNOWN.some((names) => names.has(nameOf(section)));
  const heading =
    sections.find((section) => section.level === 1 && isTitle(section)) ?? firstHeading(sections, isTitle);
  const titled = sections[find(record, named("title"))];
  const isForm =
    !heading || heading === titled || /^(?:adr|archite\w+ decision records?|decision record)$/.test(nameOf(heading));
  return (isForm && titled?.body.split("\n", 1)[0]?.replace(/^>\s*/, "")) || (heading?.heading ?? "");
}

function nameOfFile(path: string | null): string {
  const name = path?.split(/[/\\]/).at(-1) ?? "";
  const bare = name.replace(/\.\w{1,10}$/, "").replace(/[-_]+/g, " ");
  return bare.replace(/^(?:adr ?)?\d{1,5} /i, "");
}

/** Without a top-level heading the first heading is the title, unless it names a section. */
function firstHeading(sections: readonly Section[], isTitle: (section: Section) => boolean): Section | undefined {
  const first = sections.find(({ level }) => level > 0);
  return first && isTitle(first) ? first : undefined;
}

/** The lines before the first section, where "Status: accepted" and the like are. */
function keyLines(sections: readonly Section[]): string[] {
  const preamble = sections.slice(0, 2).filter(({ level }) => level < 2);
  return preamble.flatMap(({ body }) => body.split("\n", KEY_LINES_MOST)).filter((line) => line.length <= 400);
}

/** The first text that states a status. */
function statusTextOf({ front, sections }: MarkdownText): string {
  const given = front.get("status");
  if (given) return given;
  const line = keyLines(sections).find((one) => /^[\s>|*+_-]*status[\s*_]*[:|]/i.test(one));
  if (line) return line.replace(/^[\s>|*+_-]*status[\s*_]*[:|]/i, "").replace(/\|\s*$/, "");
  const section = sections.find(({ heading }) => /^(?:\d{1,2}[.)]?\s+)?[*_]*status\b[*_]*\s*(?::|$)/i.test(heading));
  const own = section?.heading.split(":").slice(1).join(":").trim();
  return own || section?.body || "";
}

function decisionOf(record: AdrText): string | null {
  const { sections } = record;
  for (const names of [DECISION, PROPOSAL, ABSTRACT]) {
    const section = sections[find(record, names)];
    // The section's own text states the decision; nested sections explain how.
    const text = section ? opening(section.body || wholeBody(sections, sections.indexOf(section)), DECISION_LIMIT) : "";
    if (text !== "") return text;
  }
  return null;
}

function rationaleOf(record: AdrText): string | null {
  const { sections } = record;
  const parts = [RATIONALE, CONTEXT, DRIVERS, CONSEQUENCES].flatMap((names) => {
    const index = find(record, names);
    const text = index < 0 ? "" : opening(wholeBody(sections, index), RATIONALE_LIMIT);
    return text === "" ? [] : [`${plainText(sections[index]!.heading)}: ${text}`];
  });
  return parts.length === 0 ? null : parts.join("\n\n");
}

function rejectedOf(record: AdrText, decision: string): string[] {
  const { sections } = record;
  for (const names of [OPTIONS, ALTERNATIVES]) {
    const index = find(record, names);
    if (index >= 0) return turnedDown(optionsUnder(sections, index), decision, names === ALTERNATIVES);
  }
  return [];
}

/** The date of the decision, else the date it was first written. */
function dateOf(record: AdrText, statusText: string, path: string | null): string | null {
  const { front, sections } = record;
  const lines = keyLines(sections);
  const keyed = [/\bdate[\s*_]*[:|](.*)/i, /\b(?:accepted|approved|decided)(?: on)?[\s*_]*[:|](.*)/i].map((key) =>
    lines.map((line) => key.exec(line)?.[1]).find((value) => value !== undefined),
  );
  const section = sections[find(record, named("date"))]?.body;
  const change = sections[find(record, CHANGES)]?.body.split("\n", KEY_LINES_MOST) ?? [];
  const accepted = change.find((line) => /\b(?:accepted|approved)\b/i.test(line));
  const written = [front.get("created"), path?.split(/[/\\]/).at(-1)];
  const places = [front.get("date"), ...keyed, section, statusText, accepted, ...change, ...written];
  for (const place of places) {
    const date = place ? writtenDate(place.slice(0, 400)) : null;
    if (date) return date;
  }
  return null;
}

function referencesOf({ front, sections }: MarkdownText, statusText: string, own: number | null): References {
  const keyed = (...keys: string[]) =>
    keys.flatMap((key) => (front.get(key) ?? "").split(",").flatMap((value) => frontNumber(value.trim())));
  const fromFront = {
    supersedes: keyed("supersedes", "replaces"),
    supersededBy: keyed("superseded-by", "superseded", "replaced-by"),
  };
  const lines = sections.flatMap(({ body }) => body.split("\n"));
  return merged([fromFront, referencesIn(statusText), leadingReferences(lines)], own);
}

function relatesOf(
  { front, sections }: MarkdownText,
  statusText: string,
  others: readonly (number | null)[],
): number[] {
  const keyed = ["relates-to", "relates", "related", "amends", "refines"].flatMap((key) =>
    (front.get(key) ?? "").split(",").flatMap((value) => frontNumber(value.trim())),
  );
  const lines = sections.flatMap(({ body }) => body.split("\n"));
  const numbers = [...keyed, ...relatedRecords(statusText.split("\n"), true), ...relatedRecords(lines, false)];
  return [...new Set(numbers)].filter((number) => !others.includes(number));
}

function frontNumber(value: string): number[] {
  const number = numberOfPath(`${value}.`);
  return number === null ? recordNumbers(value, true) : [number];
}
