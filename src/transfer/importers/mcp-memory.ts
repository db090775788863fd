/**
 * mcp-memory-service: its SQLite file, a table of memories and one of associations between them.
 *
 * Memories that were deleted or replaced there stay in the table for a while; they are left out.
 */
import { isSymmetric } from "../../graph/edges.ts";
import type {
  ForeignLink,
  ForeignMemory,
  ForeignReading,
  ForeignRecord,
  ForeignRows,
  ForeignTable,
  LeftOut,
} from "./foreign-memory.ts";
import {
  momentIn,
  numberIn,
  recordIn,
  relationNamed,
  textIn,
  textsIn,
  typeNamed,
  typeOfText,
  valueIn,
} from "./record.ts";

export const MCP_MEMORY_TABLES: readonly ForeignTable[] = [
  {
    name: "memories",
    columns: ["content_hash", "content"],
    later: [
      ...["tags", "memory_type", "metadata", "created_at", "created_at_iso", "deleted_at"],
      ...["superseded_by", "confidence"],
    ],
  },
  {
    name: "memory_graph",
    columns: ["source_hash", "target_hash", "similarity"],
    later: ["relationship_type"],
    isLater: true,
  },
];

export function readMcpMemory(rows: ForeignRows): ForeignReading {
  const leftOut: LeftOut[] = [];
  const memories = (rows.get("memories") ?? []).flatMap((row) => {
    const isGone = [valueIn(row, "deleted_at"), textIn(row, "superseded_by")].some((value) => value != null);
    if (isGone) leftOut.push({ what: "a memory", reason: "was replaced or deleted there" });
    return isGone ? [] : remembered(row);
  });
  return { memories, links: linksIn(rows.get("memory_graph") ?? []), leftOut };
}

function remembered(row: ForeignRecord): ForeignMemory[] {
  const [key, content] = [textIn(row, "content_hash"), textIn(row, "content")];
  if (key === null || content === null) return [];
  const confidence = numberIn(row, "confidence");
  return [
    {
      key,
      content,
      title: null,
      background: null,
      type: typeNamed(textIn(row, "memory_type")) ?? typeOfText(content),
      tags: textsIn(row, "tags"),
      files: textsIn(recordIn(row, "metadata"), "files", "file_path"),
      createdAt: momentIn(row, "created_at", "created_at_iso"),
      // A memory that nobody judged has 1, which says nothing.
      ...(confidence !== null && confidence < 1 && { confidence }),
    },
  ];
}

/** Relations that hold both ways are stored in both directions. */
function linksIn(rows: readonly ForeignRecord[]): ForeignLink[] {
  const links = new Map<string, ForeignLink>();
  for (const row of rows) {
    const [source, target] = [textIn(row, "source_hash"), textIn(row, "target_hash")];
    if (source === null || target === null || source === target) continue;
    const relation = relationNamed(textIn(row, "relationship_type") ?? "related");
    const ends = isSymmetric(relation) ? [source, target].sort() : [source, target];
    const strength = Math.min(1, Math.max(0, numberIn(row, "similarity") ?? 1));
    links.set(JSON.stringify([...ends, relation]), { source, target, relation, strength });
  }
  return [...links.values()];
}
