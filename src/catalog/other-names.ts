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

/**
 * What people type for a verb that has another name, and what they are told.
 *
 * The few that everybody tries first are aliases in the catalog. For the others a hint is better: it teaches the name,
 * and an edit distance would guess by letters what was meant by sense.
 */
export const MEANT_VERBS: readonly (readonly [words: string, purpose: string, command: string])[] = [
  ["note save store memo memorize memorise create new put write insert learn", "keep something", "remember TEXT"],
  ["find query ask grep lookup question", "find what is remembered", "recall QUESTION"],
  ["delete del remove erase purge drop archive unremember", "forget something", "forget HANDLE"],
  ["view cat read print item memory fetch", "read one item", "get HANDLE"],
  ["change modify set correct rename revise amend replace tag", "change a memory", "update HANDLE"],
  ["dir all memories notes items recent", "list memories", "list"],
  ["tags labels", "list the items of a tag", "list --tag TAG"],
  ["undo revert back", "undo the last call", "rollback --last 1"],
  ["history journal changes blame", "see what changed", "audit"],
  ["stats statistics info usage size disk", "see what is stored", "inspect"],
  ["summary overview brief start hello project whatsup", "see where the project stands", "orient"],
  ["decide decision propound", "put a decision up for ratification", "propose"],
  ["approve accept agree confirm", "ratify a proposal", "ratify HANDLE"],
  ["decline refuse deny dismiss", "reject a proposal", "reject HANDLE"],
  ["pending review inbox", "see what waits for ratification", "proposals"],
  ["reason reasons because rationale", "find the reasons for a decision", "why QUESTION"],
  ["code source symbol function", "find code", "search-code WORDS"],
  ["docs doc document documents documentation", "find documents", "search-docs WORDS"],
  ["reindex scan crawl watch ingest", "index the project's files", "index"],
  ["graph links neighbours neighbors", "see what an item is linked to", "traverse HANDLE"],
  ["dump save-all download", "write everything to a file", "export FILE"],
  ["load upload migrate", "read a file of memories", "import FILE"],
  ["clean cleanup gc prune vacuum tidy optimize optimise compact", "tidy the stores", "maintain"],
  ["dedupe duplicates deduplicate similar", "find near duplicates", "consolidate"],
  ["embed vectors embeddings", "embed what waits for it", "backfill"],
  ["snapshot", "take a backup", "backup"],
  ["recover repair fix verify diagnose health test", "check and repair the installation", "doctor"],
  ["setup install connect configure register hosts uninstall disconnect", "connect a host", "init"],
  ["server start-server daemon run", "serve a host over MCP", "mcp"],
  ["capture stop mute off disable", "stop recording sessions here", "pause"],
  ["unpause continue on enable", "record sessions here again", "resume"],
  ["date now when clock", "tell the time", "time"],
  ["complete completions autocomplete", "complete commands in a shell", "completion bash|zsh|fish"],
];

/** What to do instead of typing this word, as a sentence; null if nothing is known about it. */
export function meantVerb(word: string): string | null {
  const plain = word.toLowerCase().replaceAll("_", "-");
  const found = MEANT_VERBS.find(([words]) => words.split(" ").includes(plain));
  return found === undefined ? null : `To ${found[1]}: \`stele ${found[2]}\`.`;
}
