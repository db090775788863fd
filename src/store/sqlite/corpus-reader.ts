/** Reads what is known of files beside their items: their state, what they refer to, what is found with them. */
import type { FileState } from "../../model/corpus.ts";
import type { FileQuery, Linked, Reference, Together } from "../../model/search.ts";
import { LAST_LOOK } from "./corpus-writer.ts";
import type { Database } from "./database.ts";

export interface CorpusReader {
  states(which?: FileQuery): FileState[];
  lastLook(): { rules: string; at: number } | null;
  references(): Reference[];
  linkedTo(path: string): Linked[];
  linksFrom(itemId: string): string[];
  oftenWith(itemId: string, limit: number): Together[];
}

export function corpusReader(db: Database): CorpusReader {
  const files = prepareFiles(db);
  const links = prepareLinks(db);
  return {
    states(which) {
      if (!which) return files.all.all();
      if ("shelf" in which) return files.ofShelf.all(which.shelf);
      if ("under" in which) return files.between.all(...within(which.under));
      if ("paths" in which) return files.byPath.all(JSON.stringify(which.paths));
      if ("itemIds" in which) return files.byItem.all(JSON.stringify(which.itemIds));
      return files.byHash.all(JSON.stringify(which.hashes));
    },
    lastLook() {
      const look = files.fact.get(LAST_LOOK);
      return look === undefined ? null : (JSON.parse(look) as { rules: string; at: number });
    },
    references: () => links.all.all(),
    linkedTo: (path) => links.to.all(path),
    linksFrom: (itemId) => links.from.all(itemId),
    oftenWith: (itemId, limit) => links.together.all({ itemId, limit }),
  };
}

/** The paths in a folder lie between it and whatever follows a slash: "src/" and "src0". */
function within(folder: string): [string, string] {
  const bare = folder.replace(/\/+$/, "");
  return bare === "" || bare === "." ? ["", LAST_PATH] : [`${bare}/`, `${bare}0`];
}

const LAST_PATH = "\u{10ffff}";

function prepareFiles(db: Database) {
  const columns = `path, shelf, item_id as itemId, reason, bytes, modified_at as modifiedAt, hash`;
  const files = <Parameters extends string[]>(condition: string) =>
    db.prepare<Parameters, FileState>(`select ${columns} from file ${condition} order by path`);
  return {
    all: files<[]>(""),
    ofShelf: files<[string]>("where shelf = ?"),
    between: files<[string, string]>("where path >= ? and path < ?"),
    byPath: files<[string]>("where path in (select value from json_each(?))"),
    // Where a partial index is not named, SQLite plans the statement anew for every value bound.
    byItem: files<[string]>(
      "indexed by file_item where item_id in (select value from json_each(?)) and item_id is not null",
    ),
    byHash: files<[string]>("indexed by file_hash where hash in (select value from json_each(?)) and hash <> ''"),
    fact: db.prepare<[string], string>(`select value from fact where key = ?`).pluck(),
  };
}

function prepareLinks(db: Database) {
  const source = `document_item item on item.seq = reference.item_seq and item.status = 'active'`;
  return {
    all: db.prepare<[], Reference>(`
      select item.id as itemId, item.path, reference.target from reference join ${source}
      order by reference.item_seq, reference.target`),
    to: db.prepare<[string], Linked>(`
      select item.id as itemId, item.path from reference join ${source} where reference.target = ? order by item.path`),
    from: db
      .prepare<
        [string],
        string
      >(`select target from reference where item_seq = (select seq from document_item where id = ?) order by target`)
      .pluck(),
    together: db.prepare<[object], Together>(`
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
