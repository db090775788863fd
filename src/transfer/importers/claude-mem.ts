/**
 * The database of claude-mem: observations that a model made of tool calls, and summaries of sessions.
 *
 * It holds all projects of a person. Prompts are left alone: they are what was asked, not what was learnt.
 */
import type { MemoryType } from "../../memory/item.ts";
import { ofProject, type ProjectChoice } from "./foreign-files.ts";
import type { ForeignMemory, ForeignReading, ForeignRecord, ForeignRows, ForeignTable } from "./foreign-memory.ts";
import { momentIn, numberIn, textIn, textsIn, typeNamed } from "./record.ts";

export const CLAUDE_MEM_TABLES: readonly ForeignTable[] = [
  {
    name: "observations",
    columns: ["id", "project", "type", "created_at_epoch"],
    later: [
      ...["memory_session_id", "text", "title", "subtitle", "facts", "narrative", "concepts"],
      ...["files_read", "files_modified"],
    ],
  },
  {
    name: "session_summaries",
    columns: ["id", "project", "created_at_epoch"],
    later: [
      ...["memory_session_id", "request", "investigated", "learned", "completed", "next_steps", "notes"],
      ...["files_edited"],
    ],
    isLater: true,
  },
];

export function readClaudeMem(rows: ForeignRows, choice: ProjectChoice): ForeignReading {
  const observations = ofProject(rows.get("observations") ?? [], choice);
  const summaries = ofProject(rows.get("session_summaries") ?? [], choice);
  const memories = [...observations.chosen.flatMap(observed), ...summaries.chosen.flatMap(summarised)];
  return { memories, links: [], leftOut: [...observations.leftOut, ...summaries.leftOut] };
}

/** What a concept says more exactly than the type of a discovery does. */
const TELLING_CONCEPTS: readonly (readonly [string, MemoryType])[] = [
  ["gotcha", "gotcha"],
  ["pattern", "pattern"],
  ["how-it-works", "code_description"],
];

function observed(row: ForeignRecord): ForeignMemory[] {
  const [title, narrative] = [textIn(row, "title"), textIn(row, "narrative", "text", "subtitle")];
  const facts = textsIn(row, "facts").filter((fact) => !narrative?.includes(fact));
  const content = [narrative ?? title, facts.map((fact) => `- ${fact}`).join("\n")].filter(Boolean).join("\n\n");
  const concepts = textsIn(row, "concepts");
  const stated = typeNamed(textIn(row, "type")) ?? "observation";
  const told = stated === "fact" ? TELLING_CONCEPTS.find(([concept]) => concepts.includes(concept))?.[1] : undefined;
  return content === ""
    ? []
    : [
        {
          ...originOf("observation", row),
          type: told ?? stated,
          title: content === title ? null : title,
          content,
          tags: concepts,
          files: textsIn(row, "files_modified", "files_read"),
        },
      ];
}

const PARTS: readonly (readonly [field: string, label: string])[] = [
  ["investigated", "Investigated"],
  ["learned", "Learned"],
  ["completed", "Completed"],
  ["next_steps", "Next steps"],
  ["notes", "Notes"],
];

function summarised(row: ForeignRecord): ForeignMemory[] {
  const parts = PARTS.flatMap(([field, label]) => {
    const text = textIn(row, field);
    return text === null ? [] : [`${label}: ${text}`];
  });
  if (parts.length === 0) return [];
  const said = { type: "summary" as const, title: textIn(row, "request"), content: parts.join("\n") };
  return [{ ...originOf("summary", row), ...said, tags: [], files: textsIn(row, "files_edited") }];
}

function originOf(
  kind: string,
  row: ForeignRecord,
): Pick<ForeignMemory, "key" | "createdAt" | "background" | "session"> {
  const session = textIn(row, "memory_session_id");
  return {
    key: `${kind} ${numberIn(row, "id")}`,
    createdAt: momentIn(row, "created_at_epoch"),
    background: null,
    ...(session !== null && { session }),
  };
}
