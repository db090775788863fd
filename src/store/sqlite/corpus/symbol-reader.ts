/**
 * Finds symbols by name: exact, by prefix, or similar.
 *
 * Similarity is the share of trigrams that two names have in common. It only gathers
 * candidates; the caller ranks them.
 */
import type { FoundSymbol } from "../../../model/recall/search.ts";
import type { CorpusReads } from "../../../ports/store/corpus.ts";
import {
  CANDIDATE_NAMES,
  LENGTH_DIFFERENCE,
  PARTS_FOR_ONE_IN_COMMON,
  SHORT_NAME_CHARACTERS,
  comparedParts,
} from "../../rows/corpus/symbol-parts.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

const LAST_CHARACTER = "\u{10ffff}";

export type SymbolReader = Pick<Sync<CorpusReads>, "symbols" | "symbolsOf">;

export function symbolReader(db: Database): SymbolReader {
  const statements = prepare(db);
  return {
    symbols({ name, how, kinds, languages, pathPrefix }, limit) {
      if (name === "") return [];
      const list = (values: readonly string[] | undefined) => (values?.length ? JSON.stringify(values) : null);
      const filter = { kinds: list(kinds), languages: list(languages), pathPrefix: pathPrefix ?? null, limit };
      if (how === "exact") return statements.exact.all({ ...filter, name });
      if (how === "prefix") return statements.prefix.all({ ...filter, name, end: name + LAST_CHARACTER });
      const characters = [...name];
      const parts = comparedParts(characters);
      const [first] = characters;
      const isShort = characters.length <= SHORT_NAME_CHARACTERS;
      return statements.similar.all({
        ...filter,
        parts: JSON.stringify(parts.map(quoted)),
        count: parts.length,
        least: Math.ceil(parts.length / PARTS_FOR_ONE_IN_COMMON),
        // An empty range for longer names.
        first: isShort ? first : LAST_CHARACTER,
        end: isShort ? first + LAST_CHARACTER : LAST_CHARACTER,
        characters: characters.length,
        letters: JSON.stringify(isShort ? characters.map((character) => character.toLowerCase()) : []),
        name,
      });
    },
    symbolsOf: (itemIds) => statements.ofItems.all(JSON.stringify(itemIds)),
  };
}

/** A NUL would end the expression early. */
const quoted = (part: string) => `"${part.replaceAll("\0", " ").replaceAll('"', '""')}"`;

function prepare(db: Database) {
  const columns = `symbol.kind, named.name, symbol.container, symbol.start_line as startLine,
    symbol.end_line as endLine, symbol.signature, symbol.doc, item.id as itemId, item.path`;
  const passes = `item.status = 'active'
    and (@kinds is null or symbol.kind in (select value from json_each(@kinds)))
    and (@languages is null or item.context ->> 'language' in (select value from json_each(@languages)))
    and (@pathPrefix is null or substr(item.path, 1, length(@pathPrefix)) = @pathPrefix)`;
  const where = (condition: string, order: string) =>
    db.prepare<[object], FoundSymbol>(`
      select ${columns} from symbol_name named
      join symbol on symbol.name_seq = named.seq join code_item item on item.seq = symbol.item_seq
      where ${condition} and ${passes} order by ${order}, item.path, symbol.start_line, symbol.seq limit @limit`);
  return {
    exact: where("named.name = @name", "named.name = @name collate binary desc"),
    prefix: where(
      "named.name >= @name and named.name < @end",
      `substr(named.name, 1, length(@name)) = @name collate binary desc, length(named.name), named.name`,
    ),
    similar: db.prepare<[object], FoundSymbol>(`
      with sharing (seq, parts) as (
        select symbol_fts.rowid, count(*) from json_each(@parts) part join symbol_fts on symbol_fts match part.value
        group by symbol_fts.rowid having count(*) >= @least
        union all
        select seq, 0 from symbol_name where name >= @first and name < @end
          and abs(length(name) - @characters) <= ${LENGTH_DIFFERENCE}
      ), candidate as materialized (
        select named.seq, named.name, named.name = @name as equal,
          2.0 * max(parts) / (@count + max(length(named.name) - 2, 1)) as share,
          case @letters when '[]' then 0 else (
            select count(*) from json_each(@letters) letter where instr(lower(named.name), letter.value) > 0
          ) end as letters,
          abs(length(named.name) - @characters) as difference
        from sharing join symbol_name named on named.seq = sharing.seq
        group by named.seq order by equal desc, share desc, letters desc, difference, named.name limit ${CANDIDATE_NAMES}
      )
      select ${columns} from candidate named
      join symbol on symbol.name_seq = named.seq join code_item item on item.seq = symbol.item_seq
      where ${passes}
      order by named.equal desc, named.share desc, named.letters desc, named.difference, named.name, item.path,
        symbol.start_line, symbol.seq
      limit @limit`),
    ofItems: db.prepare<[string], FoundSymbol>(`
      select ${columns} from code_item item
      join symbol on symbol.item_seq = item.seq join symbol_name named on named.seq = symbol.name_seq
      where item.id in (select value from json_each(?)) order by item.path, item.id, symbol.start_line, symbol.seq`),
  };
}
