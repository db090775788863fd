/** The floor: plain FTS5, one row per document, an OR of the question's words, nothing else. */
import Sqlite from "better-sqlite3-multiple-ciphers";
import type { Document, QuestionSet } from "./data.ts";

export type Ranking = (question: { text: string; group?: string }, limit: number) => string[];

type Index = (expression: string, limit: number) => string[];

export function plainFts5({ documents }: QuestionSet): Ranking {
  const indexes = new Map<string, Index>();
  for (const [group, own] of Map.groupBy(documents, ({ group = "" }) => group)) indexes.set(group, indexOf(own));
  return ({ text, group = "" }, limit) => {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    if (words.size === 0) return [];
    return indexes.get(group)?.([...words].map((word) => `"${word}"`).join(" OR "), limit) ?? [];
  };
}

function indexOf(documents: readonly Document[]): Index {
  const db = new Sqlite(":memory:");
  db.exec("create virtual table row using fts5 (title, text, tokenize = 'porter unicode61')");
  const insert = db.prepare<[number, string, string]>("insert into row (rowid, title, text) values (?, ?, ?)");
  db.transaction(() => documents.forEach(({ title = "", text }, index) => insert.run(index, title, text)))();
  const select = "select rowid from row where row match ? order by rank limit ?";
  const match = db.prepare<[string, number], number>(select).pluck();
  return (expression, limit) => match.all(expression, limit).map((index) => documents[index]!.id);
}
