/** The floor: what plain FTS5 finds, one row a document, an OR of the question's words, nothing else. */
import Sqlite from "better-sqlite3-multiple-ciphers";
import type { Document, QuestionSet } from "./data.ts";

export type Ranking = (question: { text: string; group?: string }) => string[];

export function plainFts5({ documents }: QuestionSet): Ranking {
  const indexes = new Map<string, (words: string) => string[]>();
  for (const [group, own] of Map.groupBy(documents, ({ group = "" }) => group)) indexes.set(group, indexOf(own));
  return ({ text, group = "" }) => {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    if (words.size === 0) return [];
    return indexes.get(group)?.([...words].map((word) => `"${word}"`).join(" OR ")) ?? [];
  };
}

function indexOf(documents: readonly Document[]): (expression: string) => string[] {
  const db = new Sqlite(":memory:");
  db.exec("create virtual table row using fts5 (title, text, tokenize = 'porter unicode61')");
  const insert = db.prepare<[number, string, string]>("insert into row (rowid, title, text) values (?, ?, ?)");
  db.transaction(() => documents.forEach(({ title = "", text }, index) => insert.run(index, title, text)))();
  const match = db.prepare<[string], number>("select rowid from row where row match ? order by rank limit 50").pluck();
  return (expression) => match.all(expression).map((index) => documents[index]!.id);
}
