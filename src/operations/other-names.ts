/**
 * Other names for fields and values, in the words of other tools and of people.
 *
 * They are not accepted, which would give one thing two names, but an error names what was meant.
 */

import type { AnyOperation } from "./operation.ts";

/** Which field is meant depends on those a verb has: the first of these. */
const MEANT_FIELDS: readonly (readonly [names: readonly string[], meant: readonly string[]])[] = [
  [
    ["text", "body", "note", "memory", "message", "value", "data", "observation"],
    ["content", "decision", "query"],
  ],
  [
    ["q", "question", "search", "searchquery", "keywords", "prompt", "topic", "about"],
    ["query", "subject", "target"],
  ],
  [
    ["memoryid", "itemid", "uuid", "handle", "ref", "name"],
    ["id", "target", "subject", "title"],
  ],
  [["id"], ["target"]],
  [["query"], ["subject", "target"]],
  [["k", "topk", "n", "count", "max", "maxresults", "numresults", "pagesize", "size", "top"], ["limit"]],
  [
    ["category", "kind", "memorytype"],
    ["type", "event"],
  ],
  [
    ["tag", "labels", "label"],
    ["tags", "tag"],
  ],
  [["tags"], ["tag"]],
  [["minscore", "score", "similarity", "minrelevance"], ["threshold"]],
  [
    ["reason", "why", "because", "motivation"],
    ["rationale", "background", "context"],
  ],
  [["alternatives", "options"], ["rejected"]],
  [["replaces", "supersede", "updates"], ["supersedes"]],
  [
    ["from", "start", "startdate"],
    ["since", "after"],
  ],
  [
    ["to", "end", "enddate"],
    ["until", "before"],
  ],
  [["importance", "weight"], ["priority"]],
  [
    ["filepath", "file", "folder", "directory"],
    ["path", "files"],
  ],
  [["summary", "heading"], ["title"]],
];

/** Words for the values of a field, none of them a value itself. */
const MEANT_VALUES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    fact: ["note", "info", "information", "knowledge", "memory", "learning", "semantic", "reference"],
    progress: ["todos", "task", "status", "plan", "next", "milestone"],
    convention: ["rule", "guideline", "standard", "style", "policy", "instruction"],
    gotcha: ["tip", "warning", "caveat", "pitfall", "lesson", "trap"],
    bug_fix: ["bug", "fix", "bugfix", "issue", "solution"],
    preference: ["user", "feedback", "preferences", "personal"],
    architecture: ["design", "structure"],
    documentation: ["doc", "docs"],
    thought: ["idea"],
    pattern: ["insight"],
    observation: ["event"],
    project: ["repo", "repository", "workspace", "local", "long-term", "permanent"],
    global: ["user-wide", "everywhere", "all"],
    working: ["session", "temporary", "short-term"],
  }).flatMap(([value, words]) => words.map((word) => [singular(word), value])),
);

/** Still read, but not advertised: one thing has one name. */
const SECOND_NAMES: ReadonlySet<string> = new Set(["importance", "weight"]);
export const isAdvertised = (field: string): boolean => !SECOND_NAMES.has(field);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");
function singular(word: string): string {
  return word.toLowerCase().replace(/s$/, "");
}

/** The field of a verb that somebody means by this name, or null. */
export function meantField(name: string, fields: readonly string[]): string | null {
  const candidates = MEANT_FIELDS.flatMap(([names, meant]) => (names.includes(plain(name)) ? meant : []));
  const spelt = fields.find((field) => plain(field) === plain(name));
  return spelt ?? candidates.find((field) => fields.includes(field)) ?? null;
}

/** The value that somebody means by this word, or null. */
export function meantValue(word: string, values: readonly string[]): string | null {
  const meant = MEANT_VALUES.get(singular(word));
  return values.find((value) => value === meant || value.split("_").includes(word.toLowerCase())) ?? null;
}

/** What to do instead of using a field that an earlier version had; null if it had none of this name. */
export function goneField({ gone = {} }: Pick<AnyOperation, "gone">, name: string): string | null {
  const known = Object.keys(gone).find((field) => plain(field) === plain(name));
  return known === undefined ? null : gone[known]!;
}
