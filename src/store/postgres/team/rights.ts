/**
 * The rights in a shared space, as grants and triggers of Postgres: they hold whatever a client claims.
 *
 * Readers read. Writers write everything but decisions. Ratifiers write decisions too. All tables belong to a role that
 * nobody logs in as, because grants do not bind an owner. The journal takes entries and loses none; triggers put the role of
 * the session on each of them, and let it end only where its head says. Running it again changes nothing.
 */
import { roleOf } from "../../../model/care/team.ts";
import { constraintsSql } from "./constraints.ts";
import { ASIDE_TABLE } from "./journal-end.ts";

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
