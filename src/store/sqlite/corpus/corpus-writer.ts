/**
 * Writes data about files that is not in their items: state, symbols, references, ranks.
 *
 * None of it is journaled, because indexing the files again restores it. Rows that belong to
 * an item are removed with it by foreign keys in the schema.
 */
import type { Change, ChangeKind } from "../../../model/journal/change.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import { CHANGES, LAST_LOOK, RANKED } from "../../rows/care/fact-keys.ts";
import type { Database } from "../connection/database.ts";

export { LAST_LOOK };

type Of<Kind extends ChangeKind> = Extract<Change, { kind: Kind }>;

export function corpusWriter(db: Database) {
  const statements = prepare(db);

  function nameNumber(name: string): number | null {
    const known = statements.nameNumber.get(name, name);
    if (known !== undefined) return known;
    statements.addName.run(name);
    return statements.nameNumber.get(name, name) ?? null;
  }

  return {
    note_files({ files }: Of<"note_files">): null {
      for (const { path, shelf, itemId, reason, bytes, modifiedAt, hash, rules, lookedAt } of files) {
        statements.note.run(path, shelf, itemId, reason, bytes, modifiedAt, hash, rules, lookedAt);
      }
      return null;
    },
    drop_files({ paths }: Of<"drop_files">): null {
      statements.drop.run(JSON.stringify(paths));
      return null;
    },
    note_look({ at, checkout, changes }: Of<"note_look">): null {
      statements.putFact.run(LAST_LOOK, JSON.stringify({ at, checkout, changes }));
      return null;
    },
    put_symbols({ itemId, symbols }: Of<"put_symbols">): string | null {
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
    put_references({ itemId, written }: Of<"put_references">): string | null {
      const seq = statements.document.get(itemId);
      if (seq === undefined) return `document ${handleOf(itemId)} is gone`;
      // Remaining references keep their targets until the next ranking.
      statements.dropReferences.run(seq, JSON.stringify(written));
      for (const reference of new Set(written)) statements.addReference.run(seq, reference);
      statements.countChange.run(CHANGES);
      return null;
    },
    rank_documents({ ranks, links, upTo }: Of<"rank_documents">): null {
      statements.dropRanks.run();
      for (const { id, rank } of ranks) statements.rank.run(rank, id);
      for (const { itemId, written, target } of links) statements.link.run(target, itemId, written);
      statements.putFact.run(RANKED, String(upTo));
      return null;
    },
    count_together({ ids, at }: Of<"count_together">): null {
      statements.count.run({ ids: JSON.stringify(ids), at });
      return null;
    },
  };
}

type Values = (string | number | null)[];

function prepare(db: Database) {
  return {
    note: db.prepare<Values>(`
      insert into file (path, shelf, item_id, reason, bytes, modified_at, hash, rules, looked_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (path) do update set shelf = excluded.shelf, item_id = excluded.item_id, reason = excluded.reason,
        bytes = excluded.bytes, modified_at = excluded.modified_at, hash = excluded.hash, rules = excluded.rules,
        looked_at = excluded.looked_at`),
    drop: db.prepare<[string]>(`delete from file where path in (select value from json_each(?))`),
    putFact: db.prepare<[string, string]>(
      `insert into fact (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
    ),
    code: db.prepare<[string], number>(`select seq from code_item where id = ?`).pluck(),
    document: db.prepare<[string], number>(`select seq from document_item where id = ?`).pluck(),
    lastSymbol: db.prepare<[], number | null>(`select max(seq) from symbol`).pluck(),
    dropSymbols: db.prepare<[number, number]>(`delete from symbol where item_seq = ? and seq <= ?`),
    nameNumber: db
      .prepare<[string, string], number>(`select seq from symbol_name where name = ? and name = ? collate binary`)
      .pluck(),
    addName: db.prepare<[string]>(`insert into symbol_name (name) values (?)`),
    addSymbol: db.prepare<Values>(`
      insert into symbol (item_seq, name_seq, kind, container, start_line, end_line, signature, doc)
      values (?, ?, ?, ?, ?, ?, ?, ?)`),
    dropReferences: db.prepare<[number, string]>(
      `delete from reference where item_seq = ? and written not in (select value from json_each(?))`,
    ),
    addReference: db.prepare<[number, string]>(
      `insert into reference (item_seq, written) values (?, ?) on conflict do nothing`,
    ),
    link: db.prepare<Values>(
      `update reference set target = ? where item_seq = (select seq from document_item where id = ?) and written = ?`,
    ),
    countChange: db.prepare<[string]>(`
      insert into fact (key, value) values (?, '1')
      on conflict (key) do update set value = cast(cast(value as integer) + 1 as text)`),
    dropRanks: db.prepare(`delete from document_rank`),
    rank: db.prepare<[number, string]>(
      `insert into document_rank (item_seq, rank) select seq, ? from document_item where id = ?`,
    ),
    // Materialized, because joining the whole table with itself would read it for every pair.
    count: db.prepare(`
      with found as materialized (select seq from document_item where id in (select value from json_each(@ids)))
      insert into document_together (first_seq, second_seq, times, last_at)
      select one.seq, other.seq, 1, @at from found one join found other on one.seq < other.seq
      where true
      on conflict (first_seq, second_seq) do update set times = times + 1, last_at = max(last_at, excluded.last_at)`),
  };
}
