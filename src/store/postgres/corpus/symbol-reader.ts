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

/** Sorts after every name that begins alike. */
const LAST_CHARACTER = "\u{10ffff}";

export function symbolReader(db: Database): Pick<CorpusReads, "symbols" | "symbolsOf"> {
  const statements = prepare(db);
  return {
    async symbols({ name, how, kinds, languages, pathPrefix }, limit) {
      if (name === "") return [];
      const list = (values: readonly string[] | undefined) => (values?.length ? values : null);
      const filter = { name, kinds: list(kinds), languages: list(languages), pathPrefix, limit };
      if (how === "exact") return statements.exact.all(filter);
      if (how === "prefix") return statements.prefix.all({ ...filter, last: LAST_CHARACTER });
      const characters = [...name];
      const parts = comparedParts(characters);
      const isShort = characters.length <= SHORT_NAME_CHARACTERS;
      return statements.similar.all({
        ...filter,
        parts: parts.map((part) => part.toLowerCase()),
        count: parts.length,
        least: Math.ceil(parts.length / PARTS_FOR_ONE_IN_COMMON),
        first: isShort ? characters[0]! : null,
        characters: characters.length,
        letters: isShort ? characters.map((character) => character.toLowerCase()) : [],
      });
    },
    symbolsOf: (itemIds) => statements.ofItems.all({ itemIds }),
  };
}

/** The beginning of a name, as it is indexed. */
const beginning = (name: string) => `lower(left(${name}, 200))`;
const ASKED = `@name::text collate "C"`;

function prepare(db: Database) {
  const columns = `symbol.kind, named.name, symbol.container, symbol.start_line as "startLine",
    symbol.end_line as "endLine", symbol.signature, symbol.doc, item.id as "itemId", item.path`;
  const joined = `join symbol on symbol.name_seq = named.seq join code_item item on item.seq = symbol.item_seq`;
  const passes = `item.status = 'active'
    and (@kinds::text[] is null or symbol.kind = any (@kinds))
    and (@languages::text[] is null or item.language = any (@languages))
    and (@pathPrefix::text is null or starts_with(item.path, @pathPrefix))`;
  const where = (condition: string, order: string) =>
    db.prepare<FoundSymbol>(`
      select ${columns} from symbol_name named ${joined}
      where ${condition} and ${passes} order by ${order}, item.path, symbol.start_line, symbol.seq limit @limit`);
  return {
    exact: where(
      `${beginning("named.name")} = ${beginning(ASKED)} and lower(named.name) = lower(${ASKED})`,
      `named.name = ${ASKED} desc`,
    ),
    prefix: where(
      `${beginning("named.name")} >= ${beginning(ASKED)} and ${beginning("named.name")} < ${beginning(ASKED)} || @last::text
        and starts_with(lower(named.name), lower(${ASKED}))`,
      `starts_with(named.name, ${ASKED}) desc, length(named.name), lower(named.name)`,
    ),
    similar: db.prepare<FoundSymbol>(`
      with sharing (seq, parts) as (
        select name_seq, count(*) from symbol_part where part = any (@parts::text[])
        group by name_seq having count(*) >= @least::integer
        union all
        select seq, 0 from symbol_name where @first::text is not null
          and starts_with(${beginning("name")}, lower(@first collate "C"))
          and abs(length(name) - @characters::integer) <= ${LENGTH_DIFFERENCE}
      ), candidate as materialized (
        select named.seq, named.name, lower(named.name) = lower(${ASKED}) as equal,
          2.0 * max(parts) / (@count::integer + greatest(length(named.name) - 2, 1)) as share,
          (select count(*) from unnest(@letters::text[]) letter where strpos(lower(named.name), letter) > 0) as letters,
          abs(length(named.name) - @characters) as difference
        from sharing join symbol_name named on named.seq = sharing.seq
        group by named.seq order by equal desc, share desc, letters desc, difference, lower(named.name)
        limit ${CANDIDATE_NAMES}
      )
      select ${columns} from candidate named ${joined}
      where ${passes}
      order by named.equal desc, named.share desc, named.letters desc, named.difference, lower(named.name), item.path,
        symbol.start_line, symbol.seq
      limit @limit`),
    ofItems: db.prepare<FoundSymbol>(`
      select ${columns} from symbol_name named ${joined}
      where item.id = any (@itemIds::text[]) order by item.path, item.id, symbol.start_line, symbol.seq`),
  };
}
