/** Replaces the symbols of a file. Each name is kept once, with its trigrams. */
import type { CodeSymbol } from "../../files/corpus.ts";
import type { Change } from "../../journal/change.ts";
import { handleOf } from "../../memory/handles.ts";
import { nameParts } from "../symbols.ts";
import type { Database } from "./database.ts";

export function symbolWriter(db: Database) {
  const code = db.prepareColumn<number>(`select seq from code_item where id = @itemId`);
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
  async function put(seq: number, symbols: readonly CodeSymbol[]): Promise<void> {
    const before = (await last.get()) ?? 0;
    if (symbols.length > 0) {
      const names = symbols.map(({ name }) => name);
      const parts = (await addNames.all({ names })).flatMap((named) =>
        nameParts([...named.name]).map((part) => ({ part: part.toLowerCase(), seq: named.seq })),
      );
      if (parts.length > 0)
        await addParts.run({ parts: parts.map(({ part }) => part), seqs: parts.map((part) => part.seq) });
      await add.run({
        seq,
        names,
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
  }
  return {
    async put_symbols({ itemId, symbols }: Extract<Change, { kind: "put_symbols" }>): Promise<string | null> {
      const seq = await code.get({ itemId });
      if (seq === undefined) return `code ${handleOf(itemId)} is gone`;
      await put(seq, symbols);
      return null;
    },
  };
}
