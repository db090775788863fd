/**
 * What the rows of a shared space may say, as constraints of Postgres: a writer's SQL cannot make a memory look like a decision,
 * nor store what nobody could read.
 *
 * They are not in the schema, because a store takes whatever its only owner puts into it. Rows that break them, from before
 * they were there, are corrected first. Running it again changes nothing.
 */
import { SOURCES } from "../../../model/memory/item-fields.ts";
import { MEMORY_TYPES } from "../../../model/memory/memory-types.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";

interface Allowed {
  table: string;
  column: string;
  values: readonly string[];
  /** In the place of what is not allowed. */
  otherwise: string;
}

/** The statuses of what is neither proposed nor decided. */
const PLAIN = { column: "status", values: ["active", "archived", "superseded", "pruned"], otherwise: "archived" };

const TABLES = SHELVES.map((shelf) => `${shelf}_item`);

const ALLOWED: readonly Allowed[] = [
  ...TABLES.map((table) => ({ table, column: "source", values: SOURCES, otherwise: "system_auto" })),
  { table: "memory_item", ...PLAIN },
  { table: "evidence_item", ...PLAIN },
  {
    table: "memory_item",
    column: "type",
    values: MEMORY_TYPES.filter((type) => type !== "decision"),
    otherwise: "fact",
  },
  { table: "evidence_item", column: "type", values: ["evidence"], otherwise: "evidence" },
];

export const constraintsSql = (): string =>
  [...ALLOWED.map(allowedSql), ...TABLES.flatMap((table) => [jsonSql(table), numbersSql(table)])].join("\n");

const JSON_COLUMNS = { tags: ["array", "[]"], context: ["object", "{}"], details: ["object", "{}"] } as const;

/** Only the kind of the whole is checked: to look inside, Postgres would have to represent \u0000, which it cannot. */
function jsonSql(table: string): string {
  const columns = Object.entries(JSON_COLUMNS);
  const isKind = (column: string, kind: string) => `json_typeof(${column}::json) = '${kind}'`;
  const corrected = columns.map(
    ([column, [kind, empty]]) => `
        begin
          is_sound := (select ${isKind(column, kind)} from ${table} where seq = one.seq);
        exception when invalid_text_representation then
          is_sound := false;
        end;
        if not is_sound then
          update ${table} set ${column} = '${empty}' where seq = one.seq;
        end if;`,
  );
  const name = `${table}_json`;
  return `
    do $$
    declare
      one record;
      is_sound boolean;
    begin
      if exists (select 1 from pg_constraint where conname = '${name}' and conrelid = '${table}'::regclass) then
        return;
      end if;
      for one in select seq from ${table} loop${corrected.join("")}
      end loop;
      alter table ${table} add constraint ${name} check (${columns.map(([column, [kind]]) => isKind(column, kind)).join(" and ")});
    end $$;`;
}

function allowedSql({ table, column, values, otherwise }: Allowed): string {
  const isAllowed = `${column} in (${values.map((value) => `'${value}'`).join(", ")})`;
  const name = `${table}_${column}_of_shelf`;
  return `
    update ${table} set ${column} = '${otherwise}' where not ${isAllowed};
    alter table ${table} drop constraint if exists ${name}, add constraint ${name} check (${isAllowed});`;
}

/** The times that a date can be, and the numbers that are exact. */
const BOUNDS = {
  ...{ created_at: 8.64e15, updated_at: 8.64e15, accessed_at: 8.64e15, expires_at: 8.64e15 },
  ...{ valid_from: 8.64e15, valid_until: 8.64e15, version: 1e9, access_count: 1e9 },
};

function numbersSql(table: string): string {
  const name = `${table}_numbers`;
  const bounds = Object.entries(BOUNDS);
  const all = bounds.map(([column, most]) => `coalesce(${column}, 0) between -${most} and ${most}`).join(" and ");
  // Of nothing and a bound the bound would be the greater.
  const corrected = bounds.map(
    ([column, most]) =>
      `${column} = case when abs(${column}::numeric) > ${most} then sign(${column}::numeric) * ${most} else ${column} end`,
  );
  return `
    update ${table} set ${corrected.join(", ")} where not (${all});
    alter table ${table} drop constraint if exists ${name}, add constraint ${name} check (${all});`;
}
