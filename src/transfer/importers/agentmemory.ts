/**
 * agentmemory: the file of its standalone server (`standalone.json`), or the JSON that its export returns.
 *
 * Earlier versions of a memory and what was deleted are left out. Of what it observed, only errors, discoveries and
 * decisions are kept: the rest is a record of tool calls.
 */
import type { MemoryType } from "../../memory/item.ts";
import { ofProject, type ProjectChoice } from "./foreign-files.ts";
import type { ForeignLink, ForeignMemory, ForeignRecord, LeftOut, Reading } from "./foreign-memory.ts";
import { isRecord, momentIn, numberIn, recordsIn, textIn, textsIn, typeNamed, valueIn } from "./record.ts";

type Make = (record: ForeignRecord) => Omit<ForeignMemory, "createdAt" | "files" | "background" | "tags">[];

/** What each list of an export contains; everything else in it is bookkeeping. */
const LISTS: readonly (readonly [list: string, make: Make])[] = [
  ["memories", remembered],
  ["semanticMemories", (one) => said(one, "fact", textIn(one, "fact"), null)],
  ["proceduralMemories", procedure],
  ["lessons", (one) => said(one, "pattern", textIn(one, "content"), null)],
  ["insights", (one) => said(one, "fact", textIn(one, "content"), textIn(one, "title"))],
  ["summaries", summary],
  ["observations", observed],
];

export function readAgentmemory(parsed: unknown, choice: ProjectChoice): Reading {
  if (!isRecord(parsed)) return { fault: "it is not a JSON object" };
  const lists = new Map(LISTS.map(([list]) => [list, listIn(parsed, list)]));
  if ([...lists.values()].every((records) => records === null)) {
    return { fault: "it has neither memories nor mem:memories" };
  }
  const leftOut: LeftOut[] = [];
  const memories: ForeignMemory[] = [];
  const links: ForeignLink[] = [];
  for (const [list, make] of LISTS) {
    const current = (lists.get(list) ?? []).filter((record) => isCurrent(record, leftOut));
    const { chosen, leftOut: others } = ofProject(current, choice);
    leftOut.push(...others);
    for (const record of chosen) {
      const made = make(record).map((memory) => ({ ...memory, ...circumstances(record) }));
      if (made.length === 0) leftOut.push({ what: `one of ${list}`, reason: "is a record of a call, or says nothing" });
      memories.push(...made);
      for (const target of textsIn(record, "relatedIds")) {
        links.push({ source: keyOf(record), target, relation: "relates_to", strength: 1 });
      }
    }
  }
  return { memories, links, leftOut };
}

/** An export has lists; the standalone server keeps records by their ids; observations are grouped by session. */
function listIn(parsed: ForeignRecord, list: string): ForeignRecord[] | null {
  const value = valueIn(parsed, list) ?? valueIn(parsed, `mem:${list}`);
  if (Array.isArray(value)) return recordsIn(value);
  if (!isRecord(value)) return null;
  return Object.values(value).flatMap((one) => (Array.isArray(one) ? recordsIn(one) : recordsIn([one])));
}

function isCurrent(record: ForeignRecord, leftOut: LeftOut[]): boolean {
  const isOlder = valueIn(record, "isLatest") === false || valueIn(record, "deleted") === true;
  if (isOlder) leftOut.push({ what: "a memory", reason: "was replaced or deleted there" });
  return !isOlder;
}

/** A summary has no id but its session's. */
const keyOf = (record: ForeignRecord): string => textIn(record, "id") ?? `session ${textIn(record, "sessionId") ?? ""}`;

function circumstances(
  record: ForeignRecord,
): Pick<ForeignMemory, "createdAt" | "files" | "background" | "tags" | "expiresAt" | "session"> {
  const expiresAt = momentIn(record, "forgetAfter");
  const session = textIn(record, "sessionId") ?? textsIn(record, "sessionIds")[0];
  return {
    createdAt: momentIn(record, "createdAt", "timestamp"),
    files: textsIn(record, "files", "filesModified"),
    background: textIn(record, "context", "triggerCondition"),
    tags: textsIn(record, "concepts", "tags"),
    ...(expiresAt !== null && { expiresAt }),
    ...(session !== undefined && { session }),
  };
}

function said(record: ForeignRecord, type: MemoryType, content: string | null, title: string | null): ReturnType<Make> {
  const confidence = numberIn(record, "confidence");
  const isRepeated = title !== null && content?.startsWith(title.replace(/(?:\.\.\.|…)$/, ""));
  return content === null
    ? []
    : [
        {
          key: keyOf(record),
          type,
          title: isRepeated ? null : title,
          content,
          ...(confidence !== null && { confidence }),
        },
      ];
}

function remembered(record: ForeignRecord): ReturnType<Make> {
  return said(record, typeNamed(textIn(record, "type")) ?? "fact", textIn(record, "content"), textIn(record, "title"));
}

function procedure(record: ForeignRecord): ReturnType<Make> {
  const steps = textsIn(record, "steps").map((step, index) => `${index + 1}. ${step}`);
  const outcome = textIn(record, "expectedOutcome");
  const content = [...steps, ...(outcome === null ? [] : [`Outcome: ${outcome}`])].join("\n");
  return said(record, "convention", content || null, textIn(record, "name"));
}

function summary(record: ForeignRecord): ReturnType<Make> {
  const decisions = textsIn(record, "keyDecisions").map((decision) => `- ${decision}`);
  const content = [textIn(record, "narrative"), ...decisions].filter(Boolean).join("\n");
  return said(record, "summary", content || null, textIn(record, "title"));
}

const KEPT_OBSERVATIONS: Readonly<Record<string, MemoryType>> = {
  error: "error",
  discovery: "observation",
  decision: "decision",
};

function observed(record: ForeignRecord): ReturnType<Make> {
  const type = KEPT_OBSERVATIONS[textIn(record, "type") ?? ""];
  const content = [textIn(record, "narrative"), ...textsIn(record, "facts").map((fact) => `- ${fact}`)];
  const text = content.filter(Boolean).join("\n");
  return type === undefined ? [] : said(record, type, text || null, textIn(record, "title"));
}
