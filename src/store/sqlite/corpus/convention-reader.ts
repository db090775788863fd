/**
 * Counts how code is named and exported, over the files that were indexed last.
 *
 * Names are told apart by SQLite's own patterns, so only the counts leave the store.
 */
import type { ExportCount, StyleCount } from "../../../model/corpus/convention.ts";
import type { CorpusReads } from "../../../ports/store/corpus.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

/** Paths are read from an index alone. */
const PATHS_MOST = 20_000;

export function conventionReader(db: Database): Pick<Sync<CorpusReads>, "conventionCounts"> {
  const statements = prepare(db);
  return {
    conventionCounts: (files) => ({
      paths: statements.paths.all(PATHS_MOST),
      styles: statements.styles.all(files),
      exports: statements.exports
        .all(files)
        .map(({ isDefault, ...count }) => ({ ...count, isDefault: isDefault === 1 })),
    }),
  };
}

const STYLE = `case
  when named.name glob '*[^a-zA-Z0-9_]*' or named.name glob '_*' or named.name glob '*_' then 'other'
  when named.name glob '[a-z]*' and named.name not glob '*[A-Z_]*' then 'plain'
  when named.name glob '[a-z]*' and named.name not glob '*_*' then 'camelCase'
  when named.name glob '[a-z]*' and named.name not glob '*[A-Z]*' then 'snake_case'
  when named.name glob '[A-Z]*' and named.name not glob '*[a-z]*' and length(named.name) > 1 then 'UPPER_CASE'
  when named.name glob '[A-Z]*' and named.name not glob '*_*' then 'PascalCase'
  else 'other' end`;

const NAMED = `case
  when symbol.kind in ('function', 'method') then 'functions'
  when symbol.kind = 'constant' then 'constants' else 'types' end`;

function prepare(db: Database) {
  const recent = `(
    select seq, path, context ->> 'language' as language from code_item
    where status = 'active' and path is not null order by seq desc limit ?)`;
  return {
    paths: db
      .prepare<
        [number],
        string
      >(`select path from code_item indexed by code_item_once where status = 'active' and path is not null order by path limit ?`)
      .pluck(),
    // The path and the line are those of the symbol with the least number.
    styles: db.prepare<[number], StyleCount>(`
      select language, named, style, names, files, item.path, symbol.start_line as line from (
        select item.language, ${NAMED} as named, ${STYLE} as style, count(*) as names,
          count(distinct item.seq) as files, min(symbol.seq) as example
        from ${recent} item join symbol on symbol.item_seq = item.seq
        join symbol_name named on named.seq = symbol.name_seq
        where symbol.kind in ('function', 'method', 'class', 'interface', 'type', 'enum', 'constant')
        group by 1, 2, 3
      ) join symbol on symbol.seq = example join code_item item on item.seq = symbol.item_seq
      order by names desc, language, named, style`),
    exports: db.prepare<[number], Omit<ExportCount, "isDefault"> & { isDefault: number }>(`
      select language, isDefault, files, item.path, symbol.start_line as line from (
        select item.language, symbol.signature glob 'export default *' as isDefault,
          count(distinct item.seq) as files, min(symbol.seq) as example
        from ${recent} item join symbol on symbol.item_seq = item.seq
        where symbol.signature glob 'export *'
        group by 1, 2
      ) join symbol on symbol.seq = example join code_item item on item.seq = symbol.item_seq
      order by files desc, language, isDefault`),
  };
}
