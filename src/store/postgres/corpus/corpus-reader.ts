/** Reads data about files that is not in their items: state, references, and documents found together. */
import type { FileState, LastLook } from "../../../model/corpus/corpus.ts";
import type { FoundTogether, Linked, Reference } from "../../../model/recall/search.ts";
import type { CorpusReads, WrittenFile } from "../../../ports/store/corpus.ts";
import { CHANGES, LAST_LOOK, RANKED } from "../../rows/care/fact-keys.ts";
import type { Database } from "../connection/database.ts";

export function corpusReader(db: Database): Omit<CorpusReads, "symbols" | "symbolsOf" | "conventionCounts"> {
  const files = prepareFiles(db);
  const links = prepareLinks(db);
  return {
    async fileStates(which) {
      if (!which) return files.all.all();
      return "shelf" in which ? files.ofShelf.all(which) : files.byPath.all(which);
    },
    async lastLook() {
      const look = await files.fact.get({ key: LAST_LOOK });
      return look === undefined ? null : (JSON.parse(look) as LastLook);
    },
    filesWrittenAfter: async (time, limit) => ({
      files: await files.written.all({ time, limit }),
      total: (await files.writtenCount.get({ time })) ?? 0,
    }),
    references: () => links.all.all(),
    unranked: async () => (await links.unranked.get({ changes: CHANGES, ranked: RANKED })) ?? null,
    linkedTo: (path) => links.to.all({ path }),
    linksFrom: (itemId) => links.from.all({ itemId }),
    foundTogetherWith: (itemId, limit) => links.together.all({ itemId, limit }),
  };
}

function prepareFiles(db: Database) {
  const columns = `path, shelf, item_id as "itemId", reason, bytes, modified_at as "modifiedAt", hash, rules,
    looked_at as "lookedAt"`;
  const files = (condition: string) => db.prepare<FileState>(`select ${columns} from file ${condition} order by path`);
  // Of a file that only got another time, the item is as old as before.
  const updated = (table: string) => `select 1 from ${table} item where item.id = item_id and item.updated_at > @time`;
  const isWritten = `modified_at > @time and shelf <> 'memory'
    and exists (${updated("document_item")} union all ${updated("code_item")})`;
  return {
    all: files(""),
    ofShelf: files("where shelf = @shelf"),
    byPath: files("where md5(path) in (select md5(one) from unnest(@paths::text[]) one) and path = any (@paths)"),
    written: db.prepare<WrittenFile>(`
      select path, modified_at as "modifiedAt" from file where ${isWritten} order by modified_at desc, path limit @limit`),
    writtenCount: db.prepareColumn<number>(`select count(*) from file where ${isWritten}`),
    fact: db.prepareColumn<string>(`select value from fact where key = @key`),
  };
}

function prepareLinks(db: Database) {
  const source = `document_item item on item.seq = reference.item_seq and item.status = 'active'`;
  return {
    all: db.prepare<Reference>(`
      select item.id as "itemId", item.path, reference.written, reference.target from reference join ${source}
      order by reference.item_seq, reference.written`),
    unranked: db.prepareColumn<number>(`
      select value::bigint from fact
      where key = @changes and value is distinct from (select value from fact where key = @ranked)`),
    to: db.prepare<Linked>(`
      select distinct item.id as "itemId", item.path from reference join ${source}
      where md5(reference.target) = md5(@path) and reference.target = @path order by item.path`),
    from: db.prepareColumn<string>(`
      select distinct target from reference
      where item_seq = (select seq from document_item where id = @itemId) and target is not null order by target`),
    together: db.prepare<FoundTogether>(`
      with own as (select seq from document_item where id = @itemId), pair as (
        select second_seq as seq, times, last_at from document_together where first_seq = (select seq from own)
        union all
        select first_seq, times, last_at from document_together where second_seq = (select seq from own)
      )
      select item.id as "itemId", item.path, pair.times, pair.last_at as "lastAt"
      from pair join document_item item on item.seq = pair.seq
      where item.status = 'active' order by pair.times desc, pair.last_at desc, item.id limit @limit`),
  };
}
