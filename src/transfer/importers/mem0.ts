/**
 * mem0: the JSON that `get_all` returns, one page or several, or the bare list of memories in it.
 *
 * Relations of its graph connect names, not memories, and repeat what the memories say, so they are left out.
 */
import type { MemoryType } from "../../memory/item.ts";
import type { ForeignMemory, ForeignRecord, LeftOut, Reading } from "./foreign-memory.ts";
import { isRecord, momentIn, recordIn, recordsIn, textIn, textsIn, typeNamed, typeOfText, valueIn } from "./record.ts";

export function readMem0(parsed: unknown): Reading {
  const pages = Array.isArray(parsed) ? parsed.filter((one) => isRecord(one) && Array.isArray(one["results"])) : [];
  const lists = pages.length > 0 ? pages : [Array.isArray(parsed) ? { results: parsed } : parsed];
  const isList = lists.every((page) => isRecord(page) && Array.isArray(valueIn(page, "results")));
  if (!isList) return { fault: "it is neither a list of memories nor an object with the list results" };
  const records = lists.flatMap((page) => recordsIn((page as ForeignRecord)["results"]));
  const memories = records.flatMap(remembered);
  if (records.length > 0 && memories.length === 0) return { fault: "none of its results has the text memory" };
  const leftOut: LeftOut[] = Array.from({ length: records.length - memories.length }, () => ({
    what: "a result",
    reason: "has no text",
  }));
  const relations = lists.flatMap((page) => recordsIn((page as ForeignRecord)["relations"]));
  leftOut.push(...relations.map(() => ({ what: "a relation of its graph", reason: "repeats what memories say" })));
  return { memories, links: [], leftOut };
}

function remembered(record: ForeignRecord): ForeignMemory[] {
  const content = textIn(record, "memory", "text", "content");
  const id = textIn(record, "id", "hash");
  if (content === null) return [];
  const metadata = recordIn(record, "metadata");
  const categories = textsIn(record, "categories");
  const session = textIn(record, "run_id", "session_id");
  const expiresAt = momentIn(record, "expiration_date");
  return [
    {
      key: id ?? content,
      type: typeOf(content, metadata, categories),
      title: null,
      content,
      background: null,
      tags: [...categories, ...textsIn(metadata, "tags", "category")],
      files: textsIn(metadata, "files", "file"),
      createdAt: momentIn(record, "created_at"),
      ...(session !== null && { session }),
      ...(expiresAt !== null && { expiresAt }),
    },
  ];
}

function typeOf(content: string, metadata: ForeignRecord, categories: readonly string[]): MemoryType {
  const names = [textIn(metadata, "type"), textIn(metadata, "category"), ...categories];
  return names.map(typeNamed).find((type) => type !== null) ?? typeOfText(content);
}
