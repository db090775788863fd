/** The audit trail as a person reads it: one entry for each call, with what it changed. */
import type { Answer } from "../client/api.ts";
import { seenText } from "./matched-text.ts";
import { type Difference, wordDiff } from "./word-diff.ts";

export type JournalEntry = Answer<"audit">["entries"][number];

export interface Call {
  /** Null for changes from before calls were recorded; those cannot be undone. */
  readonly call: string | null;
  readonly key: string;
  readonly at: string;
  readonly verb: string;
  readonly host: string;
  readonly session: string;
  readonly entries: readonly JournalEntry[];
}

/** Entries of one call belong together wherever they stand; the newest call first. */
export function callsIn(entries: readonly JournalEntry[]): Call[] {
  const keyOf = ({ call, store, number }: JournalEntry) => call ?? `${store}-${number}`;
  return [...Map.groupBy(entries, keyOf)].map(([key, own]) => {
    const { call, at, verb, host, session } = own[0]!;
    return { call, key, at, verb, host, session, entries: own };
  });
}

const VERBS: Readonly<Record<string, string>> = {
  remember: "remembered",
  update: "changed",
  forget: "forgot",
  promote: "moved",
  propose: "proposed",
  ratify: "ratified",
  reject: "rejected",
  merge: "merged",
  link: "related",
  unlink: "took back a relation of",
  log: "kept as evidence",
  observe: "noted",
  rollback: "undid",
  maintain: "tidied up",
  extract: "captured",
};

/** Hosts that a person uses; the session of a server or a terminal says nothing. */
export const isPerson = (host: string): boolean => host === "cli" || host === "http";

/** "claude-code remembered". */
export function deedOf({ verb, host }: Pick<Call, "verb" | "host">): string {
  const who = isPerson(host) ? "You" : host === "" ? "Somebody" : host;
  return `${who} ${VERBS[verb] ?? `ran ${verb.replaceAll("_", " ")} on`}`;
}

export interface FieldChange {
  readonly field: string;
  readonly pieces: readonly Difference[];
}

/** What a new item says; everything else of it is as usual. */
const SAID: readonly string[] = ["title", "content", "background", "type", "tags", "relation", "source", "target"];
const READABLE: readonly string[] = [
  ...[...SAID, "scope", "status", "priority", "confidence", "pinned", "strength", "validUntil", "supersededBy"],
];

/** What changed, field by field, those that people read first; times and counters are left out. */
export function fieldChanges({ before, after }: Pick<JournalEntry, "before" | "after">): FieldChange[] {
  const [old, now] = [before ?? {}, after ?? {}];
  const isRelation = "relation" in now || "relation" in old;
  // Of a memory, `source` says how it came here; of a relation, where it begins.
  const fields = (before === null ? SAID : READABLE).filter((field) => field !== "source" || isRelation);
  return fields.flatMap((field) => {
    const [one, two] = [shown(old[field]), shown(now[field])];
    return one === two ? [] : [{ field, pieces: wordDiff(one, two) }];
  });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = Array.isArray(value)
    ? value.join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
  return seenText(text);
}

/** What an entry is about, in a line. */
export function subjectOf({ before, after, handle }: Pick<JournalEntry, "before" | "after" | "handle">): string {
  const fields = { ...before, ...after };
  const text = [fields["title"], fields["content"], fields["summary"]].find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof text === "string" ? text : handle;
}
