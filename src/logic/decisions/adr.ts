/**
 * Architecture decision records: reads a Markdown file as a decision that can be proposed.
 *
 * Handles the Nygard and MADR formats and mixtures of them: front matter, "Status:" lines or sections. Only the opening
 * of a long section is used, because a person reads the proposal and the file remains as evidence. A file that is not a
 * record, or an empty template, is returned with the reason.
 */
import { textFault } from "../../model/text/text.ts";
import { optionsUnder, turnedDown } from "./adr-options.ts";
import {
  type AdrStatus,
  type References,
  leadingReferences,
  merged,
  numberOfPath,
  offersChoice,
  recordNumbers,
  referencesIn,
  relatedRecords,
  statusOf,
} from "./adr-status.ts";
import { type MarkdownText, type Section, plainText, readMarkdown, wholeBody } from "../text/markdown-sections.ts";
import { cutPassages } from "../text/passages.ts";
import { fold, words } from "../text/words.ts";
import { writtenDate } from "../time/written-date.ts";

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

export type AdrReading = { adr: Adr } | { reason: string };

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
