/**
 * Reads the values of foreign records.
 *
 * Nothing about them is known, not even that a field is the record's own: a file may contain the key `__proto__`. A value
 * of another kind counts as absent.
 */
import type { Relation } from "../../graph/edges.ts";
import type { MemoryType } from "../../memory/item.ts";
import { MEMORY_TYPES } from "../../memory/shelves.ts";
import type { ForeignRecord } from "./foreign-memory.ts";

export function isRecord(value: unknown): value is ForeignRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const recordsIn = (value: unknown): ForeignRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const valueIn = (record: ForeignRecord, field: string): unknown =>
  Object.hasOwn(record, field) ? record[field] : undefined;

/** The first of these fields that is text; null if none is, or it is blank. */
export function textIn(record: ForeignRecord, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = valueIn(record, field);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

export function numberIn(record: ForeignRecord, field: string): number | null {
  const value = valueIn(record, field);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A list of texts: as such, as JSON, or with commas between them. */
export function textsIn(record: ForeignRecord, ...fields: readonly string[]): string[] {
  return fields.flatMap((field) => textsOf(valueIn(record, field)));
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.filter((one) => typeof one === "string" && one.trim() !== "").map((one: string) => one.trim());
  }
  if (typeof value !== "string") return [];
  const list = value.trimStart().startsWith("[") ? parsedJson(value) : undefined;
  if (Array.isArray(list)) return textsOf(list);
  return textsOf(value.split(","));
}

/** A field that is a record, or one written as JSON. */
export function recordIn(record: ForeignRecord, field: string): ForeignRecord {
  const value = valueIn(record, field);
  const read = typeof value === "string" ? parsedJson(value) : value;
  return isRecord(read) ? read : {};
}

/** Undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers up to this are seconds since 1970, larger ones milliseconds: as milliseconds it would still be January 1973. */
const MOST_SECONDS = 1e11;

/** A moment written as ISO 8601, or in seconds or milliseconds since 1970. */
export function momentIn(record: ForeignRecord, ...fields: readonly string[]): number | null {
  for (const field of fields) {
    const value = valueIn(record, field);
    const at = typeof value === "number" ? (value <= MOST_SECONDS ? value * 1000 : value) : momentOf(value);
    if (Number.isFinite(at) && at > 0) return Math.round(at);
  }
  return null;
}

/** Words that `Date.parse` takes for a date, such as "draft 1", are none. */
const momentOf = (value: unknown): number =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value.trim()) ? Date.parse(value.trim()) : NaN;

/**
 * The types and relations of other tools, in our words.
 *
 * A type that the source states counts if its name is known. Otherwise the text decides, by a few words.
 */
const NAMES: Readonly<Record<string, MemoryType>> = {
  ...Object.fromEntries(MEMORY_TYPES.map((type) => [type, type])),
  ...named("decision", "adr choice"),
  ...named("architecture", "design structure component service system technology tech stack"),
  ...named("convention", "rule guideline standard workflow process policy constraint requirement practice feedback"),
  ...named("pattern", "code_pattern approach technique method solution lesson best_practice"),
  ...named("bug_fix", "bug bugfix fix issue problem_solution"),
  ...named("gotcha", "caveat warning pitfall risk limitation problem security security_alert security_note"),
  ...named("error", "failure exception"),
  ...named("preference", "preferences user_preference user_preferences relationship user"),
  ...named("fact", "learning discovery insight knowledge definition note info"),
  ...named("context", "project background person organization organisation"),
  ...named("progress", "task todos status milestone feature change refactor plan goal"),
  ...named("documentation", "reference doc docs resource command tool"),
  ...named("code_description", "how_it_works module function"),
  ...named("summary", "session session_summary meeting"),
};

function named(type: MemoryType, words: string): Record<string, MemoryType> {
  return Object.fromEntries(words.split(" ").map((word) => [word, type]));
}

/** Null if no type has this name. Types that hold for an hour only become observations. */
export function typeNamed(name: string | null): MemoryType | null {
  const key = (name ?? "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const type = [key, `${key}s`].map((one) => (Object.hasOwn(NAMES, one) ? NAMES[one]! : null)).find(Boolean) ?? null;
  return type !== null && PASSING.includes(type) ? "observation" : type;
}

const PASSING: readonly MemoryType[] = ["message", "thought", "scratchpad"];

const CAUTION =
  /\b(?:gotcha|caveat|edge case|note that|beware|careful|unless|except|pre-existing|silently|(?:can|does|do|is|was|are)n't|cannot|not (?:required|supported|possible|available))\b/i;
/** "Never call it" is a rule, "it is never called" a description. */
const RULE =
  /\bmust(?:n't)?\b(?!(?: have| be (?:because|why|due))\b|'ve)|\b(?:shouldn't|should (?:not|always|never)|conventions?|by convention|required by)\b|(?:^|[.;:!—]\s|\b(?:please|you|we|to) )(?:always|never|do not|don't) (?!I\b)\w/i;
const DECIDED =
  /\b(?:we|i)(?:'ve| have)? (?:decided|agreed) (?:to(?: \w+)?|on|that|against)\b|(?:^|[.!?] )(?:decision|decided|agreed): /i;
const PREFERS =
  /\b(?:i|the user|user) (?:strongly )?(?:prefers?|likes?|dislikes?|wants?|would rather)\b|\bi'd rather\b/i;
/** Instructions are also written as plain imperatives. */
const ORDERS =
  /^(?:please )?(?:use|prefer|keep|avoid|write|run|add|put|make sure|ensure|follow|check|update|create|define|validate|include|do|only|wrap|treat|favou?r|leave|never|always|no)\b(?!-)|\b(?:should|prefer|avoid)\b/i;

const withoutMarks = (text: string): string => text.replace(/^(?:[\s*_`>#-]|\[[ x]\])+/i, "");

/** Whether it tells somebody to do something. */
export const isRule = (text: string): boolean => RULE.test(text) || ORDERS.test(withoutMarks(text));

/** What a text is, by its words; `otherwise` where they do not tell. */
export function typeOfText(text: string, otherwise: MemoryType = "fact"): MemoryType {
  const words = withoutMarks(text);
  if (DECIDED.test(words) && !words.includes("?")) return "decision";
  if (PREFERS.test(words)) return "preference";
  if (isRule(text)) return "convention";
  return CAUTION.test(words) ? "gotcha" : otherwise;
}

const RELATIONS_NAMED: readonly (readonly [RegExp, Relation])[] = [
  [/contradict|conflict|oppos|contrast/, "contradicts"],
  [/derive|based_on|inspired|originat/, "derived_from"],
  [/exempl|example|instance_of|implements/, "exemplifies"],
  [/refine|extend|improve|elaborat|special/, "refines"],
  [/source_of|causes|leads_to|produces/, "source_of"],
];

/**
 * Any other relation is a plain one. So is "supersedes": it would close its target, and a source that keeps both means
 * both to be found.
 */
export function relationNamed(name: string): Relation {
  const key = name.toLowerCase().replace(/[\s-]+/g, "_");
  return RELATIONS_NAMED.find(([pattern]) => pattern.test(key))?.[1] ?? "relates_to";
}
