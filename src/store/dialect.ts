/**
 * Where the two databases say the same thing in other words.
 *
 * On Postgres, long texts are indexed by their hash, lists are arrays, and JSON is read only where it is known to be valid
 * there, because Postgres refuses some of what JSON may hold.
 */
import { type Part, type Sql, asJson, either, join, raw, sql } from "./sql.ts";

type List = readonly (string | number)[];

/** After a column: whether its value is one of these. */
export const among = (list: List): Sql => either(sql`in (select value from json_each(${list}))`, sql`= any (${list})`);

/** Whether a text that may be longer than an entry of an index equals this. */
export const isText = (column: string, text: Part): Sql =>
  either(sql`${raw(column)} = ${text}`, sql`md5(${raw(column)}) = md5(${text}) and ${raw(column)} = ${text}`);

/** What makes a row unique, if it is a text that may be longer than an entry of an index. */
export const uniqueBy = (column: string): Sql => either(raw(column), raw(`md5(${column})`));

/** The texts of a list as rows with a `value`. */
export const each = (list: readonly string[], alias: string): Sql =>
  either(sql`json_each(${list}) ${raw(alias)}`, sql`unnest(cast(${list} as text[])) ${raw(alias)} (value)`);

/** The texts of a column that holds a JSON list, as rows with a `value`. */
export const eachIn = (column: string, alias: string): Sql =>
  either(raw(`json_each(${column}) ${alias}`), raw(`json_array_elements_text(${column}::json) ${alias} (value)`));

/** Whether a column that was bound to a list holds this. */
export const holds = (column: string, value: Part): Sql =>
  either(
    sql`exists (select 1 from json_each(${raw(column)}) where value = ${value})`,
    sql`${value} = any (${raw(column)})`,
  );

/** Of a group, the value of the row with the latest time. SQLite finds it beside `max` of the time. */
export const latest = (column: string, time: string): Sql =>
  either(raw(column), raw(`(array_agg(${column} order by ${time} desc))[1]`));

/** Whether a text contains another one, letter by letter. */
export const contains = (column: string, text: Part): Sql =>
  either(sql`instr(${raw(column)}, ${text}) > 0`, sql`strpos(${raw(column)}, ${text}) > 0`);

/** The greater of two numbers. */
export const greater = (one: Part, other: Part): Sql =>
  either(sql`max(${one}, ${other})`, sql`greatest(${one}, ${other})`);

/** Tells SQLite how to go about it; Postgres needs no telling. */
export const hint = (words: string): Sql => either(raw(words), raw(""));

/** At most so many rows. A bare parameter would make SQLite plan the statement again for every number. */
export const upTo = (limit: number): Sql => sql`limit cast(${limit} as bigint)`;

/** Whether a text that may be longer than an entry of an index is one of these. */
export const amongTexts = (column: string, list: readonly string[]): Sql =>
  either(
    sql`${raw(column)} ${among(list)}`,
    sql`md5(${raw(column)}) in (select md5(value) from ${each(list, "given")}) and ${raw(column)} ${among(list)}`,
  );

/** Rows as a table, with the types of its columns. */
export function table(
  alias: string,
  columns: Readonly<Record<string, string>>,
  all: readonly (readonly (string | number | null)[])[],
): Sql {
  const names = Object.keys(columns);
  const read = names.map((name, index) => raw(`value ->> ${index} as ${name}`));
  const given = Object.values(columns).map(
    (type, index) => sql`cast(${all.map((row) => row[index]!)} as ${raw(type)}[])`,
  );
  return either(
    sql`(select ${join(read, ", ")} from json_each(${asJson(all)})) ${raw(alias)}`,
    sql`unnest(${join(given, ", ")}) ${raw(alias)} (${raw(names.join(", "))})`,
  );
}

/** Whether a text begins with another one, letter by letter. */
export const begins = (column: string, text: string): Sql =>
  either(sql`substr(${raw(column)}, 1, length(${text})) = ${text}`, sql`starts_with(${raw(column)}, ${text})`);

/** Bytes as hexadecimal digits; null if there are none. */
export const hexOf = (column: string): Sql =>
  either(raw(`case when ${column} is null then null else lower(hex(${column})) end`), raw(`encode(${column}, 'hex')`));

/** Whether columns together are one of these rows, with the types of the columns. */
export const rowAmong = (
  columns: Readonly<Record<string, string>>,
  all: readonly (readonly (string | number | null)[])[],
): Sql => sql`(${raw(Object.keys(columns).join(", "))}) in (select * from ${table("named", columns, all)})`;
