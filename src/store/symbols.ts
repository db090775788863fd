/**
 * Finds symbols by name, exact, by prefix, or similar, and counts how code is named and exported.
 *
 * Similarity is the share of trigrams that two names have in common. It only gathers candidates; the caller ranks them.
 * Names are compared without case: by their collation in SQLite, by an index of their lower case on Postgres.
 */
import type { ExportCount, StyleCount } from "../files/corpus.ts";
import type { FoundSymbol, SymbolQuery } from "../recall/search.ts";
import { among, begins, contains, each, greater, hint, upTo } from "./dialect.ts";
import { allOf, column, either, raw, type Room, rows, type Sql, sql, together } from "./sql.ts";
import type { CorpusReads } from "./store.ts";

// Names of symbols as trigrams: by how many two names share, similar ones are found.

/** Of a longer name only the first trigrams are compared. */
const COMPARED_PARTS = 64;
/** Similar names share at least one in this many trigrams. */
const PARTS_FOR_ONE_IN_COMMON = 4;
/** One typo can leave a name this short without a common trigram, so first letter and length decide instead. */
const SHORT_NAME_CHARACTERS = 5;
const LENGTH_DIFFERENCE = 2;
/** Names beyond these are too dissimilar to matter. */
const CANDIDATE_NAMES = 500;

/** The distinct trigrams of a name, as they are written. */
export function nameParts(characters: readonly string[]): string[] {
  const parts = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  return [...new Map(parts.map((part) => [part.toLowerCase(), part])).values()];
}

const comparedParts = (characters: readonly string[]): string[] => nameParts(characters).slice(0, COMPARED_PARTS);

/** Sorts after every name that begins alike. */
const LAST_CHARACTER = "\u{10ffff}";
/** Paths are read from an index alone. */
const PATHS_MOST = 20_000;

const LANGUAGE = either(raw("item.context ->> 'language'"), raw("item.language"));
const COLUMNS = raw(`symbol.kind, named.name, symbol.container, symbol.start_line as "startLine",
  symbol.end_line as "endLine", symbol.signature, symbol.doc, item.id as "itemId", item.path`);
const NAMED_SYMBOLS = raw(
  `join symbol on symbol.name_seq = named.seq join code_item item on item.seq = symbol.item_seq`,
);
/** In the order of names without case. */
const NAME_ORDER = either(raw("named.name"), raw("lower(named.name)"));

/** On Postgres: the beginning of a name, as it is indexed. */
const beginning = (name: Sql) => sql`lower(left(${name}, 200))`;
const asked = (name: string) => sql`cast(${name} as text) collate "C"`;
const equals = (name: string) => either(sql`named.name = ${name}`, sql`lower(named.name) = lower(${asked(name)})`);

const passes = ({ kinds, languages, pathPrefix }: Partial<SymbolQuery>) =>
  allOf([
    sql`item.status = 'active'`,
    kinds && kinds.length > 0 && sql`symbol.kind ${among(kinds)}`,
    languages && languages.length > 0 && sql`${LANGUAGE} ${among(languages)}`,
    pathPrefix !== undefined && begins("item.path", pathPrefix),
  ]);

const exactly = (name: string): [condition: Sql, order: Sql] => [
  either(
    sql`named.name = ${name}`,
    sql`${beginning(raw("named.name"))} = ${beginning(asked(name))} and ${equals(name)}`,
  ),
  either(sql`named.name = ${name} collate binary desc`, sql`named.name = ${asked(name)} desc`),
];

function byPrefix(name: string): [condition: Sql, order: Sql] {
  const [own, first] = [beginning(raw("named.name")), beginning(asked(name))];
  return [
    either(
      sql`named.name >= ${name} and named.name < ${name + LAST_CHARACTER}`,
      sql`${own} >= ${first} and ${own} < ${first} || ${LAST_CHARACTER}
        and starts_with(lower(named.name), lower(${asked(name)}))`,
    ),
    either(
      sql`substr(named.name, 1, length(${name})) = ${name} collate binary desc, length(named.name), named.name`,
      sql`starts_with(named.name, ${asked(name)}) desc, length(named.name), lower(named.name)`,
    ),
  ];
}

/** A NUL would end the expression early. */
const quoted = (part: string) => `"${part.replaceAll("\0", " ").replaceAll('"', '""')}"`;

function similar(name: string, limit: number, condition: Sql) {
  const characters = [...name];
  const parts = comparedParts(characters);
  const isShort = characters.length <= SHORT_NAME_CHARACTERS;
  const first = characters[0]!;
  const least = Math.ceil(parts.length / PARTS_FOR_ONE_IN_COMMON);
  const letters = isShort ? characters.map((character) => character.toLowerCase()) : [];
  const length = sql`cast(${characters.length} as bigint)`;
  const sharing = either(
    sql`select symbol_fts.rowid, count(*) from ${each(parts.map(quoted), "part")}
      join symbol_fts on symbol_fts match part.value group by symbol_fts.rowid having count(*) >= ${least}`,
    sql`select name_seq, count(*) from symbol_part where part ${among(parts.map((part) => part.toLowerCase()))}
      group by name_seq having count(*) >= ${least}`,
  );
  const beginsAlike = either(
    sql`name >= ${first} and name < ${first + LAST_CHARACTER}`,
    sql`starts_with(${beginning(raw("name"))}, lower(${asked(first)}))`,
  );
  return rows<FoundSymbol>(sql`
    with sharing (seq, parts) as (
      ${sharing}
      union all
      select seq, 0 from symbol_name
      where ${isShort ? beginsAlike : raw("false")} and abs(length(name) - ${length}) <= ${LENGTH_DIFFERENCE}
    ), candidate as materialized (
      select named.seq, named.name, ${equals(name)} as equal,
        2.0 * max(parts) / (cast(${parts.length} as bigint) + ${greater(raw("length(named.name) - 2"), raw("1"))}) as share,
        (select count(*) from ${each(letters, "letter")} where ${contains("lower(named.name)", raw("letter.value"))}) as letters,
        abs(length(named.name) - ${length}) as difference
      from sharing join symbol_name named on named.seq = sharing.seq
      group by named.seq order by equal desc, share desc, letters desc, difference, ${NAME_ORDER} ${upTo(CANDIDATE_NAMES)}
    )
    select ${COLUMNS} from candidate named ${NAMED_SYMBOLS}
    where ${condition}
    order by named.equal desc, named.share desc, named.letters desc, named.difference, ${NAME_ORDER}, item.path,
      symbol.start_line, symbol.seq
    ${upTo(limit)}`);
}

const STYLE = either(
  raw(`case
    when named.name glob '*[^a-zA-Z0-9_]*' or named.name glob '_*' or named.name glob '*_' then 'other'
    when named.name glob '[a-z]*' and named.name not glob '*[A-Z_]*' then 'plain'
    when named.name glob '[a-z]*' and named.name not glob '*_*' then 'camelCase'
    when named.name glob '[a-z]*' and named.name not glob '*[A-Z]*' then 'snake_case'
    when named.name glob '[A-Z]*' and named.name not glob '*[a-z]*' and length(named.name) > 1 then 'UPPER_CASE'
    when named.name glob '[A-Z]*' and named.name not glob '*_*' then 'PascalCase'
    else 'other' end`),
  raw(`case
    when named.name ~ '[^a-zA-Z0-9_]' or named.name ~ '^_' or named.name ~ '_$' then 'other'
    when named.name ~ '^[a-z]' and named.name !~ '[A-Z_]' then 'plain'
    when named.name ~ '^[a-z]' and named.name !~ '_' then 'camelCase'
    when named.name ~ '^[a-z]' and named.name !~ '[A-Z]' then 'snake_case'
    when named.name ~ '^[A-Z]' and named.name !~ '[a-z]' and length(named.name) > 1 then 'UPPER_CASE'
    when named.name ~ '^[A-Z]' and named.name !~ '_' then 'PascalCase'
    else 'other' end`),
);

/** What is written of a count, with the path and the line of the symbol with the least number. */
const EXAMPLE = raw(`counted join symbol on symbol.seq = example join code_item item on item.seq = symbol.item_seq`);

type ExportRow = Omit<ExportCount, "isDefault"> & { isDefault: number };

export const symbolReads: Room<Pick<CorpusReads, "symbols" | "symbolsOf" | "conventionCounts">> = {
  *symbols({ name, how, ...filter }, limit) {
    if (name === "") return [];
    if (how === "similar") return yield* similar(name, limit, passes(filter));
    const [condition, order] = how === "exact" ? exactly(name) : byPrefix(name);
    return yield* rows<FoundSymbol>(sql`
      select ${COLUMNS} from symbol_name named ${NAMED_SYMBOLS}
      where ${condition} and ${passes(filter)} order by ${order}, item.path, symbol.start_line, symbol.seq ${upTo(limit)}`);
  },
  symbolsOf: (itemIds) =>
    rows(sql`
      select ${COLUMNS} from code_item item
      join symbol on symbol.item_seq = item.seq join symbol_name named on named.seq = symbol.name_seq
      where item.id ${among(itemIds)} order by item.path, item.id, symbol.start_line, symbol.seq`),
  *conventionCounts(files) {
    const recent = sql`(
      select seq, path, ${LANGUAGE} as language from code_item item where status = 'active' and path is not null
      order by seq desc ${upTo(files)}) item`;
    const [paths, styles, exports] = yield* together(
      column<string>(sql`
        select path from code_item ${hint("indexed by code_item_once")} where status = 'active' and path is not null
        order by path ${upTo(PATHS_MOST)}`),
      rows<StyleCount>(sql`
        select counted.language, named, style, names, files, item.path, symbol.start_line as line from (
          select item.language, case
              when symbol.kind in ('function', 'method') then 'functions'
              when symbol.kind = 'constant' then 'constants' else 'types' end as named,
            ${STYLE} as style, count(*) as names, count(distinct item.seq) as files, min(symbol.seq) as example
          from ${recent} join symbol on symbol.item_seq = item.seq
          join symbol_name named on named.seq = symbol.name_seq
          where symbol.kind in ('function', 'method', 'class', 'interface', 'type', 'enum', 'constant')
          group by 1, 2, 3
        ) ${EXAMPLE} order by names desc, counted.language nulls first, named, style`),
      rows<ExportRow>(sql`
        select counted.language, "isDefault", files, item.path, symbol.start_line as line from (
          select item.language, ${begins("symbol.signature", "export default ")} as "isDefault",
            count(distinct item.seq) as files, min(symbol.seq) as example
          from ${recent} join symbol on symbol.item_seq = item.seq
          where ${begins("symbol.signature", "export ")}
          group by 1, 2
        ) ${EXAMPLE} order by files desc, counted.language nulls first, "isDefault"`),
    );
    return { paths, styles, exports: exports.map((row) => ({ ...row, isDefault: Boolean(row.isDefault) })) };
  },
};
