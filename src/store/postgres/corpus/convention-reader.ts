/** Counts how code is named and exported, over the files that were indexed last. Only the counts leave the store. */
import type { ExportCount, StyleCount } from "../../../model/corpus/convention.ts";
import type { CorpusReads } from "../../../ports/store/corpus.ts";
import type { Database } from "../connection/database.ts";

const PATHS_MOST = 20_000;

export function conventionReader(db: Database): Pick<CorpusReads, "conventionCounts"> {
  const statements = prepare(db);
  return {
    conventionCounts: async (files) => ({
      paths: await statements.paths.all({ limit: PATHS_MOST }),
      styles: await statements.styles.all({ files }),
      exports: await statements.exports.all({ files }),
    }),
  };
}

const STYLE = `case
  when named.name ~ '[^a-zA-Z0-9_]' or named.name ~ '^_' or named.name ~ '_$' then 'other'
  when named.name ~ '^[a-z]' and named.name !~ '[A-Z_]' then 'plain'
  when named.name ~ '^[a-z]' and named.name !~ '_' then 'camelCase'
  when named.name ~ '^[a-z]' and named.name !~ '[A-Z]' then 'snake_case'
  when named.name ~ '^[A-Z]' and named.name !~ '[a-z]' and length(named.name) > 1 then 'UPPER_CASE'
  when named.name ~ '^[A-Z]' and named.name !~ '_' then 'PascalCase'
  else 'other' end`;

const NAMED = `case
  when symbol.kind in ('function', 'method') then 'functions'
  when symbol.kind = 'constant' then 'constants' else 'types' end`;

function prepare(db: Database) {
  const recent = `(
    select seq, path, language from code_item where status = 'active' and path is not null
    order by seq desc limit @files)`;
  return {
    paths: db.prepareColumn<string>(
      `select path from code_item where status = 'active' and path is not null order by path limit @limit`,
    ),
    // The path and the line are those of the symbol with the least number.
    styles: db.prepare<StyleCount>(`
      select counted.language, named, style, names, files, item.path, symbol.start_line as line from (
        select item.language, ${NAMED} as named, ${STYLE} as style, count(*) as names,
          count(distinct item.seq) as files, min(symbol.seq) as example
        from ${recent} item join symbol on symbol.item_seq = item.seq
        join symbol_name named on named.seq = symbol.name_seq
        where symbol.kind in ('function', 'method', 'class', 'interface', 'type', 'enum', 'constant')
        group by 1, 2, 3
      ) counted join symbol on symbol.seq = example join code_item item on item.seq = symbol.item_seq
      order by names desc, counted.language nulls first, named, style`),
    exports: db.prepare<ExportCount>(`
      select counted.language, "isDefault", files, item.path, symbol.start_line as line from (
        select item.language, starts_with(symbol.signature, 'export default ') as "isDefault",
          count(distinct item.seq) as files, min(symbol.seq) as example
        from ${recent} item join symbol on symbol.item_seq = item.seq
        where starts_with(symbol.signature, 'export ')
        group by 1, 2
      ) counted join symbol on symbol.seq = example join code_item item on item.seq = symbol.item_seq
      order by files desc, counted.language nulls first, "isDefault"`),
  };
}
