/**
 * Writes data about files that is not in their items: state, symbols, references, ranks.
 *
 * None of it is journaled, because indexing the files again restores it. Rows that belong to
 * an item are removed with it by foreign keys in the schema.
 */
import type { CodeSymbol } from "../../../model/corpus/corpus.ts";
import type { Change, ChangeKind } from "../../../model/journal/change.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import { CHANGES, LAST_LOOK, RANKED } from "../../rows/care/fact-keys.ts";
import { nameParts } from "../../rows/corpus/symbol-parts.ts";
import type { Database } from "../connection/database.ts";

type Of<Kind extends ChangeKind> = Extract<Change, { kind: Kind }>;

export function corpusWriter(db: Database) {
  const statements = { ...prepareFiles(db), ...prepareLinks(db) };
  const putSymbols = symbolWriter(db);
  return {
    async note_files({ files }: Of<"note_files">): Promise<null> {
      for (const file of files) await statements.note.run({ ...file });
      return null;
    },
    async drop_files({ paths }: Of<"drop_files">): Promise<null> {
      await statements.drop.run({ paths });
      return null;
    },
    async note_look({ at, checkout, changes }: Of<"note_look">): Promise<null> {
      await statements.putFact.run({ key: LAST_LOOK, value: JSON.stringify({ at, checkout, changes }) });
      return null;
    },
    async put_symbols({ itemId, symbols }: Of<"put_symbols">): Promise<string | null> {
      const seq = await statements.code.get({ itemId });
      if (seq === undefined) return `code ${handleOf(itemId)} is gone`;
      await putSymbols(seq, symbols);
      return null;
    },
    async put_references({ itemId, written }: Of<"put_references">): Promise<string | null> {
      const seq = await statements.document.get({ itemId });
      if (seq === undefined) return `document ${handleOf(itemId)} is gone`;
      // Remaining references keep their targets until the next ranking.
      await statements.dropReferences.run({ seq, written });
      await statements.addReferences.run({ seq, written: [...new Set(written)] });
      await statements.countChange.run({ key: CHANGES });
      return null;
    },
    async rank_documents({ ranks, links, upTo }: Of<"rank_documents">): Promise<null> {
      await statements.dropRanks.run();
      await statements.rank.run({ ids: ranks.map(({ id }) => id), ranks: ranks.map(({ rank }) => rank) });
      await statements.link.run({
        ids: links.map(({ itemId }) => itemId),
        written: links.map(({ written }) => written),
        targets: links.map(({ target }) => target),
      });
      await statements.putFact.run({ key: RANKED, value: String(upTo) });
      return null;
    },
    async count_together({ ids, at }: Of<"count_together">): Promise<null> {
      await statements.count.run({ ids, at });
      return null;
    },
  };
}

/** Replaces the symbols of a file. Each name is kept once, with its trigrams. */
function symbolWriter(db: Database): (seq: number, symbols: readonly CodeSymbol[]) => Promise<void> {
  const last = db.prepareColumn<number | null>(`select max(seq) from symbol`);
  const addNames = db.prepare<{ seq: number; name: string }>(`
    insert into symbol_name (name) select distinct name from unnest(@names::text[]) name
    on conflict (md5(name)) do nothing returning seq, name`);
  const addParts = db.prepare(`
    insert into symbol_part (part, name_seq)
    select part, name_seq from unnest(@parts::text[], @seqs::bigint[]) shared (part, name_seq) on conflict do nothing`);
  const add = db.prepare(`
    insert into symbol (item_seq, name_seq, kind, container, start_line, end_line, signature, doc)
    select @seq, named.seq, defined.kind, container, start_line, end_line, signature, doc
    from unnest(@names::text[], @kinds::text[], @containers::text[], @starts::integer[], @ends::integer[],
      @signatures::text[], @docs::text[]) with ordinality
      defined (name, kind, container, start_line, end_line, signature, doc, place)
    join symbol_name named on md5(named.name) = md5(defined.name) order by place`);
  const drop = db.prepare(`delete from symbol where item_seq = @seq and seq <= @last`);
  return async (seq, symbols) => {
    const before = (await last.get()) ?? 0;
    if (symbols.length > 0) {
      const names = symbols.map(({ name }) => name);
      const parts = (await addNames.all({ names })).flatMap((named) =>
        nameParts([...named.name]).map((part) => ({ part: part.toLowerCase(), seq: named.seq })),
      );
      if (parts.length > 0)
        await addParts.run({ parts: parts.map(({ part }) => part), seqs: parts.map((part) => part.seq) });
      await add.run({
        ...{ seq, names },
        kinds: symbols.map(({ kind }) => kind),
        containers: symbols.map(({ container }) => container),
        starts: symbols.map(({ startLine }) => startLine),
        ends: symbols.map(({ endLine }) => endLine),
        signatures: symbols.map(({ signature }) => signature),
        docs: symbols.map(({ doc }) => doc),
      });
    }
    // Old symbols are deleted last, so that a name still in use is not removed from the index and added again.
    await drop.run({ seq, last: before });
  };
}

function prepareFiles(db: Database) {
  return {
    note: db.prepare(`
      insert into file (path, shelf, item_id, reason, bytes, modified_at, hash, rules, looked_at)
      values (@path, @shelf, @itemId, @reason, @bytes, @modifiedAt, @hash, @rules, @lookedAt)
      on conflict (md5(path)) do update set shelf = excluded.shelf, item_id = excluded.item_id, reason = excluded.reason,
        bytes = excluded.bytes, modified_at = excluded.modified_at, hash = excluded.hash, rules = excluded.rules,
        looked_at = excluded.looked_at`),
    drop: db.prepare(`delete from file where md5(path) in (select md5(one) from unnest(@paths::text[]) one)`),
    putFact: db.prepare(`
      insert into fact (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value`),
    countChange: db.prepare(`
      insert into fact (key, value) values (@key, '1')
      on conflict (key) do update set value = (fact.value::bigint + 1)::text`),
    code: db.prepareColumn<number>(`select seq from code_item where id = @itemId`),
    document: db.prepareColumn<number>(`select seq from document_item where id = @itemId`),
  };
}

function prepareLinks(db: Database) {
  return {
    dropReferences: db.prepare(`delete from reference where item_seq = @seq and not written = any (@written::text[])`),
    addReferences: db.prepare(`
      insert into reference (item_seq, written) select @seq, one from unnest(@written::text[]) one on conflict do nothing`),
    link: db.prepare(`
      update reference set target = linked.target
      from unnest(@ids::text[], @written::text[], @targets::text[]) linked (id, written, target)
      join document_item item on item.id = linked.id
      where reference.item_seq = item.seq and reference.written = linked.written`),
    dropRanks: db.prepare(`delete from document_rank`),
    rank: db.prepare(`
      insert into document_rank (item_seq, rank)
      select item.seq, ranked.rank from unnest(@ids::text[], @ranks::double precision[]) ranked (id, rank)
      join document_item item on item.id = ranked.id`),
    count: db.prepare(`
      with found as materialized (select seq from document_item where id = any (@ids::text[]))
      insert into document_together (first_seq, second_seq, times, last_at)
      select one.seq, other.seq, 1, @at::bigint from found one join found other on one.seq < other.seq
      on conflict (first_seq, second_seq) do update
      set times = document_together.times + 1, last_at = greatest(document_together.last_at, excluded.last_at)`),
  };
}
