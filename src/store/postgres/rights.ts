/**
 * The rights in a shared space, as grants and triggers of Postgres: they hold whatever a client claims.
 *
 * Readers read. Writers write everything but decisions. Ratifiers write decisions too. All tables belong to a role that
 * nobody logs in as, because grants do not bind an owner. The journal takes entries and loses none; triggers put the role of
 * the session on each of them, and let it end only where its head says. Running it again changes nothing.
 */
import { Failure } from "../../errors.ts";
import { CHAIN_START, entryHash } from "../../journal/chain.ts";
import type { ChainEntry, ChainHead } from "../../journal/journal.ts";
import { SOURCES } from "../../memory/item-fields.ts";
import { MEMORY_TYPES, SHELVES } from "../../memory/shelves.ts";
import { roleOf } from "../../team/team.ts";
import { journalReads } from "../journal.ts";
import type { Database } from "./database.ts";

/**
 * What the rows of a shared space may say, as constraints of Postgres: a writer's SQL cannot make a memory look like a decision,
 * nor store what nobody could read.
 *
 * They are not in the schema, because a store takes whatever its only owner puts into it. Rows that break them, from before
 * they were there, are corrected first. Running it again changes nothing.
 */
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

const constraintsSql = (): string =>
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
  created_at: 8.64e15,
  updated_at: 8.64e15,
  accessed_at: 8.64e15,
  expires_at: 8.64e15,
  valid_from: 8.64e15,
  valid_until: 8.64e15,
  version: 1e9,
  access_count: 1e9,
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

// Makes the journal end where its head says, which triggers keep so afterwards.
//
// By raw SQL a writer could once lower the head, or put entries beyond it. Entries that continue the chain are the record of
// the team, so the head follows them. All others are moved to a table that no member reads. Nothing is deleted.

/** What stood beyond the head. */
export interface BeyondHead {
  continued: number;
  aside: number;
}

const ASIDE_TABLE = "journal_aside";

const ENTRIES_AT_ONCE = 500;

/** Before the triggers are made: the one that keeps states of decisions would refuse a manager who is no ratifier. */
export async function mendJournalEnd(db: Database): Promise<BeyondHead> {
  const head = await db.drive(journalReads.chainHead());
  const end = await endOfChain(db, head);
  const beyond = db.prepareColumn<number>(`select count(*) from journal where seq > @length`);
  const aside = (await beyond.get({ length: end.length })) ?? 0;
  if (aside > 0) await setAside(db, end.length);
  const continued = end.length - head.length;
  const move = db.prepare(`update journal_head set length = @length, hash = decode(@hash, 'hex') where one = 1`);
  if (continued > 0) await move.run({ ...end });
  return { continued, aside };
}

async function endOfChain(db: Database, head: ChainHead): Promise<ChainHead> {
  const chain = (from: number, limit: number) => db.drive(journalReads.chain(from, limit));
  const [last] = await chain(head.length, 1);
  // A head that was lowered may still have the hash of the entry where it was.
  const hash = head.length === 0 ? CHAIN_START : last?.seq === head.length ? last.hash : head.hash;
  for (let end: ChainHead = { length: head.length, hash }; ; ) {
    const entries = await chain(end.length + 1, ENTRIES_AT_ONCE);
    const broken = entries.findIndex((entry, index) => !follows(entries[index - 1] ?? null, entry, end));
    const good = entries.at(broken === -1 ? -1 : broken - 1);
    if (broken !== 0 && good) end = { length: good.seq, hash: good.hash };
    if (broken !== -1 || entries.length < ENTRIES_AT_ONCE) return end;
  }
}

const follows = (before: ChainEntry | null, entry: ChainEntry, end: ChainHead): boolean =>
  entry.seq === (before?.seq ?? end.length) + 1 && entry.hash === entryHash(before?.hash ?? end.hash, entry);

async function setAside(db: Database, length: number): Promise<void> {
  await db.exec(`
    create table if not exists ${ASIDE_TABLE} (
      seq      bigint generated always as identity primary key,
      moved_at timestamptz not null default now(),
      entry    jsonb not null,
      payload  jsonb
    );
    drop trigger if exists ratified_state_kept on journal_payload`);
  for (const sql of MOVING) await db.prepare(sql).run({ length });
}

const MOVING = [
  `insert into ${ASIDE_TABLE} (entry, payload)
   select to_jsonb(journal), to_jsonb(kept) from journal left join journal_payload kept on kept.seq = journal.seq
   where journal.seq > @length order by journal.seq`,
  `delete from journal_payload where seq > @length`,
  `delete from journal where seq > @length`,
];

/** Said as a failure, so that no script passes over it, although the space is made by then. */
export function foundBeyond(schema: string, { continued, aside }: BeyondHead): Failure | null {
  if (continued + aside === 0) return null;
  const found = [
    ...(continued > 0 ? [`Entries beyond it that continue the chain, and count again: ${continued}.`] : []),
    ...(aside > 0 ? [`Entries that do not, moved to ${schema}.${ASIDE_TABLE}: ${aside}.`] : []),
  ];
  return new Failure(
    "conflict",
    `The journal of ${schema} did not end where its head said: somebody wrote to it without Stele. ${found.join(" ")}`,
    "Nothing was deleted, and the space is up to date. Look at those entries and the roles that wrote them, then run this again.",
  );
}

/** What follows from decisions and may be made again by anybody: vectors. */
const DERIVED = "decision\\_vector\\_%";

export function rightsSql(schema: string): string {
  const [reader, writer, ratifier] = [roleOf(schema, "reader"), roleOf(schema, "writer"), roleOf(schema, "ratifier")];
  return `
    ${grantsSql({ schema, reader, writer, ratifier })}
    ${guardSql({ schema, ratifier, owner: roleOf(schema, "owner") })}
    ${journalSql(schema)}
    ${triggersSql()}
    ${constraintsSql()}`;
}

interface Names {
  schema: string;
  reader: string;
  writer: string;
  ratifier: string;
}

/** Names are checked by `isSchemaName`, so they need no escaping within quotes. */
function grantsSql({ schema, reader, writer, ratifier }: Names): string {
  return `
    revoke all on schema "${schema}" from public;
    revoke all on all tables in schema "${schema}" from public, "${reader}", "${writer}", "${ratifier}";
    revoke all on all functions in schema "${schema}" from public;
    grant usage on schema "${schema}" to "${reader}";
    grant execute on all functions in schema "${schema}" to "${reader}";
    grant select on all tables in schema "${schema}" to "${reader}";
    do $$
    declare
      one record;
      name text;
    begin
      for one in select relname from pg_class where relnamespace = '"${schema}"'::regnamespace and relkind in ('r', 'p') loop
        name := one.relname;
        if name = '${ASIDE_TABLE}' then
          execute format('revoke all on "${schema}".%I from "${reader}"', name);
        elsif name in ('schema_version', 'journal', 'journal_head', 'journal_payload') then
          continue;
        elsif name like 'decision\\_%' and name not like '${DERIVED}' then
          execute format('grant insert, update, delete on "${schema}".%I to "${ratifier}"', name);
        else
          execute format('grant insert, update, delete on "${schema}".%I to "${writer}"', name);
        end if;
      end loop;
    end $$;
    grant insert on "${schema}".journal to "${writer}";
    grant insert, delete on "${schema}".journal_payload to "${writer}";
    grant update on "${schema}".journal_head to "${writer}";
    grant update (accessed_at, access_count, confidence) on "${schema}".decision_item to "${writer}";`;
}

/** The path is fixed, so that no session can put a function of its own in the place of one that is meant. */
const fixed = "set search_path = pg_catalog, pg_temp";

function guardSql({ schema, ratifier, owner }: Record<"schema" | "ratifier" | "owner", string>): string {
  return `
    create or replace function only_a_ratifier() returns trigger language plpgsql ${fixed} as $$
    begin
      if not pg_has_role(session_user, '${ratifier}', 'member') then
        raise exception 'only a ratifier may change decisions' using errcode = 'insufficient_privilege';
      end if;
      if tg_op = 'DELETE' then
        return old;
      end if;
      return new;
    end $$;
    create or replace function journal_says_who() returns trigger language plpgsql ${fixed} as $$
    begin
      new.role := session_user;
      if new.shelf = 'decision' and not pg_has_role(session_user, '${ratifier}', 'member') then
        raise exception 'only a ratifier may change decisions' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$;
    create or replace function keep_decision_states() returns trigger language plpgsql ${fixed} as $$
    declare
      one record := case when tg_op = 'DELETE' then old else new end;
    begin
      if exists (select 1 from "${schema}".journal where seq = one.seq and shelf = 'decision')
        and not pg_has_role(session_user, '${ratifier}', 'member') then
        raise exception 'only a ratifier may change decisions' using errcode = 'insufficient_privilege';
      end if;
      return one;
    end $$;
    create or replace function only_the_manager() returns trigger language plpgsql ${fixed} as $$
    begin
      if not pg_has_role(session_user, '${owner}', 'member') then
        raise exception 'only who manages the server says which project it is' using errcode = 'insufficient_privilege';
      end if;
      if tg_op = 'DELETE' then
        return old;
      end if;
      return new;
    end $$;`;
}

/**
 * Entries and head are written by one statement, and must agree when it ends: an entry beyond the head would stand where the
 * next writer's belongs. `journal-end.ts` sees to those from before the triggers were there.
 */
function journalSql(schema: string): string {
  const refused = `raise exception 'the journal must end where its head says' using errcode = 'check_violation', constraint = 'journal_continues'`;
  return `
    create or replace function journal_ends() returns trigger language plpgsql ${fixed} as $$
    begin
      if (select max(seq) from "${schema}".journal) is distinct from (select length from "${schema}".journal_head) then
        ${refused};
      end if;
      return null;
    end $$;
    create or replace function journal_continues() returns trigger language plpgsql ${fixed} as $$
    begin
      if (select count(*) from "${schema}".journal where seq > old.length) <> new.length - old.length
        or (select hash from "${schema}".journal where seq = new.length) is distinct from new.hash then
        ${refused};
      end if;
      return null;
    end $$;
    create or replace trigger journal_ended after insert on journal for each statement execute function journal_ends();
    create or replace trigger journal_continued after update on journal_head
    for each row execute function journal_continues();`;
}

/** Everything but what reading it changes. */
const said = (row: string) => `(to_jsonb(${row}) - '{accessed_at,access_count,confidence}'::text[])`;

/** Each guards rows that grants alone cannot tell apart. */
const TRIGGERS: readonly [name: string, table: string, when: string, condition: string][] = [
  ["edge_made", "edge", "insert", `new.shelf = 'decision'`],
  ["edge_changed", "edge", "update", `'decision' in (old.shelf, new.shelf)`],
  ["edge_removed", "edge", "delete", `old.shelf = 'decision'`],
  ["evidence_linked", "evidence_link", "insert or update or delete", "true"],
  ["proposal_made", "proposal_item", "insert", `new.status = 'ratified'`],
  [
    "proposal_changed",
    "proposal_item",
    "update",
    `'ratified' in (old.status, new.status) and ${said("old")} is distinct from ${said("new")}`,
  ],
  ["proposal_removed", "proposal_item", "delete", `old.status = 'ratified'`],
  ["decision_doubted", "decision_item", "update", `old.confidence is distinct from new.confidence`],
];

function triggersSql(): string {
  const guards = TRIGGERS.map(
    ([name, table, when, condition]) => `
    create or replace trigger ratified_${name} before ${when} on ${table}
    for each row when (${condition}) execute function only_a_ratifier();`,
  );
  return `${guards.join("")}
    create or replace trigger journal_who before insert on journal for each row execute function journal_says_who();
    create or replace trigger ratified_state_kept before insert or delete on journal_payload
    for each row execute function keep_decision_states();
    create or replace trigger project_named before insert on fact
    for each row when (starts_with(new.key, 'team_')) execute function only_the_manager();
    create or replace trigger project_renamed before update on fact
    for each row when (starts_with(old.key, 'team_') or starts_with(new.key, 'team_')) execute function only_the_manager();
    create or replace trigger project_unnamed before delete on fact
    for each row when (starts_with(old.key, 'team_')) execute function only_the_manager();`;
}
