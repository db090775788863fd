/** Reads data about files that is not in their items: state, references, and documents found together. */
import type { FileState, LastLook } from "../../../model/corpus/corpus.ts";
import type { FoundTogether, Linked, Reference } from "../../../model/recall/search.ts";
import { CHANGES, LAST_LOOK, RANKED } from "../../rows/care/fact-keys.ts";
import type { CorpusReads, WrittenFile } from "../../../ports/store/corpus.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import type { SymbolReader } from "./symbol-reader.ts";

export function corpusReader(db: Database): Omit<Sync<CorpusReads>, keyof SymbolReader | "conventionCounts"> {
  const files = prepareFiles(db);
  const links = prepareLinks(db);
  return {
    fileStates(which) {
      if (!which) return files.all.all();
      if ("shelf" in which) return files.ofShelf.all(which.shelf);
      return files.byPath.all(JSON.stringify(which.paths));
    },
    lastLook() {
      const look = files.fact.get(LAST_LOOK);
      return look === undefined ? null : (JSON.parse(look) as LastLook);
    },
    filesWrittenAfter: (time, limit) => ({
      files: files.written.all({ time, limit }),
      total: files.writtenCount.get({ time }) ?? 0,
    }),
    references: () => links.all.all(),
    unranked: () => links.unranked.get(CHANGES, RANKED) ?? null,
    linkedTo: (path) => links.to.all(path),
    linksFrom: (itemId) => links.from.all(itemId),
    foundTogetherWith: (itemId, limit) => links.together.all({ itemId, limit }),
  };
}

function prepareFiles(db: Database) {
  const columns = `path, shelf, item_id as itemId, reason, bytes, modified_at as modifiedAt, hash, rules,
    looked_at as lookedAt`;
  const files = <Parameters extends string[]>(condition: string) =>
    db.prepare<Parameters, FileState>(`select ${columns} from file ${condition} order by path`);
  // Of a file that only got another time, the item is as old as before.
  const updated = (table: string) => `select 1 from ${table} item where item.id = item_id and item.updated_at > @time`;
  const isWritten = `modified_at > @time and shelf <> 'memory'
    and exists (${updated("document_item")} union all ${updated("code_item")})`;
  return {
    all: files<[]>(""),
    ofShelf: files<[string]>("where shelf = ?"),
    byPath: files<[string]>("where path in (select value from json_each(?))"),
    written: db.prepare<[{ time: number; limit: number }], WrittenFile>(`
      select path, modified_at as modifiedAt from file where ${isWritten} order by modified_at desc, path limit @limit`),
    writtenCount: db.prepare<[{ time: number }], number>(`select count(*) from file where ${isWritten}`).pluck(),
    fact: db.prepare<[string], string>(`select value from fact where key = ?`).pluck(),
  };
}

function prepareLinks(db: Database) {
  const source = `document_item item on item.seq = reference.item_seq and item.status = 'active'`;
  return {
    all: db.prepare<[], Reference>(`
      select item.id as itemId, item.path, reference.written, reference.target from reference join ${source}
      order by reference.item_seq, reference.written`),
    unranked: db
      .prepare<[string, string], number>(
        `select cast(value as integer) from fact
        where key = ? and value is not (select value from fact where key = ?)`,
      )
      .pluck(),
    to: db.prepare<[string], Linked>(`
      select distinct item.id as itemId, item.path from reference join ${source}
      where reference.target = ? order by item.path`),
    from: db
      .prepare<[string], string>(
        `select distinct target from reference
        where item_seq = (select seq from document_item where id = ?) and target is not null order by target`,
      )
      .pluck(),
    together: db.prepare<[object], FoundTogether>(`
      with own as (select seq from document_item where id = @itemId), pair as (
        select second_seq as seq, times, last_at from document_together where first_seq = (select seq from own)
        union all
        select first_seq, times, last_at from document_together where second_seq = (select seq from own)
      )
      select item.id as itemId, item.path, pair.times, pair.last_at as lastAt
      from pair join document_item item on item.seq = pair.seq
      where item.status = 'active' order by pair.times desc, pair.last_at desc, item.id limit @limit`),
  };
}
