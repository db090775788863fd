/** Replaces the symbols of a file. Each name is kept once, and a trigger keeps its trigrams. */
import type { Change } from "../../journal/change.ts";
import { handleOf } from "../../memory/handles.ts";
import type { Database } from "./database.ts";

type Values = (string | number | null)[];

export function symbolWriter(db: Database) {
  const statements = prepare(db);

  function nameNumber(name: string): number | null {
    const known = statements.nameNumber.get(name, name);
    if (known !== undefined) return known;
    statements.addName.run(name);
    return statements.nameNumber.get(name, name) ?? null;
  }

  return {
    put_symbols({ itemId, symbols }: Extract<Change, { kind: "put_symbols" }>): string | null {
      const seq = statements.code.get(itemId);
      if (seq === undefined) return `code ${handleOf(itemId)} is gone`;
      const last = statements.lastSymbol.get() ?? 0;
      for (const { kind, name, container, startLine, endLine, signature, doc } of symbols) {
        statements.addSymbol.run(seq, nameNumber(name), kind, container, startLine, endLine, signature, doc);
      }
      // Old symbols are deleted last, so that a name still in use is not removed from the index and added again.
      statements.dropSymbols.run(seq, last);
      return null;
    },
  };
}

function prepare(db: Database) {
  return {
    code: db.prepare<[string], number>(`select seq from code_item where id = ?`).pluck(),
    lastSymbol: db.prepare<[], number | null>(`select max(seq) from symbol`).pluck(),
    dropSymbols: db.prepare<[number, number]>(`delete from symbol where item_seq = ? and seq <= ?`),
    nameNumber: db
      .prepare<[string, string], number>(`select seq from symbol_name where name = ? and name = ? collate binary`)
      .pluck(),
    addName: db.prepare<[string]>(`insert into symbol_name (name) values (?)`),
    addSymbol: db.prepare<Values>(`
      insert into symbol (item_seq, name_seq, kind, container, start_line, end_line, signature, doc)
      values (?, ?, ?, ?, ?, ?, ?, ?)`),
  };
}
