/** Reads and writes what is made of sessions. An erasure in a session drops all of it; what is left is made again. */
import type {
  Handover,
  MetError,
  Note,
  NoteVerdict,
  ReadSession,
  RecurringError,
  SessionCard,
} from "../sessions/card.ts";
import { among, contains, eachIn, hint, holds, isText, latest, upTo } from "./dialect.ts";
import { allOf, column, count, either, type Room, rows, rowsAs, send, sql, type Steps, type Writers } from "./sql.ts";
import type { SessionReads } from "./store.ts";

/** Converts what is made of sessions from rows, whichever database they come from. */
type SessionRow = Record<"card" | "notes", string> & Pick<ReadSession, "turns" | "rules">;
type HandoverRow = Omit<Handover, "sources" | "files"> & Record<"sources" | "files", string>;

const toSession = ({ card, notes, turns, rules }: SessionRow): ReadSession => ({
  card: JSON.parse(card) as SessionCard,
  notes: JSON.parse(notes) as Note[],
  turns,
  rules,
});

const toHandover = (row: HandoverRow): Handover => ({
  ...row,
  sources: JSON.parse(row.sources) as string[],
  files: JSON.parse(row.files) as string[],
});

/** Hand-overs kept; the oldest are dropped. */
export const HANDOVERS_KEPT = 5_000;

const EVIDENCE = sql`from evidence_item where source = 'extraction' and status in ('active', 'archived')`;
const DAYS = sql`count(distinct at / 86400000)`;
/** Details are not read as JSON on Postgres, because it refuses some of what JSON may hold. */
const IS_AS_CAPTURED = either(
  sql`details ->> '$.evidence' is not null and details ->> '$.by' is null and details ->> '$.made' is null`,
  sql`details like '%"evidence":[%' and details not like '%"by":%' and details not like '%"made":%'`,
);

export const sessionReads: Room<SessionReads> = {
  evidenceOf: (session) =>
    column(sql`select id ${EVIDENCE} and ${isText("session", session)} order by created_at, seq`),
  // Only what is given, because a condition that may be absent would keep SQLite from using an index.
  sessionCards: ({ branch, sessions, note, limit }) =>
    rowsAs<SessionRow, ReturnType<typeof toSession>>(
      toSession,
      sql`select card, notes, turns, rules from session_card
      where ${allOf([
        branch !== undefined && holds("branches", branch),
        sessions && sql`session ${among(sessions)}`,
        // As it is written in JSON, in which no text of a note can say the same.
        note !== undefined && contains("notes", `"id":${JSON.stringify(note).slice(0, -1)}`),
      ])}
      order by ended_at desc, session ${upTo(limit)}`,
    ),
  staleSessions: (rules, limit) =>
    column(sql`
      select made.session from (select session, count(*) as turns ${EVIDENCE} group by session) made
      left join session_card card on card.session = made.session
      where card.session is null or card.turns <> made.turns or card.rules <> ${rules}
      union select session from session_card where session not in (select session ${EVIDENCE})
      ${upTo(limit)}`),
  errorsMet: (key, limit) =>
    rows<MetError>(sql`
      select session, key, line, at, changed from session_error
      where ${isText("key", key)} order by at desc, session ${upTo(limit)}`),
  recurringErrors: ({ sessions, days }, limit) =>
    rows<RecurringError>(sql`
      select key, count(*) as sessions, ${DAYS} as days, max(at) as at,
        ${latest("line", "at")} as line, ${latest("session", "at")} as session,
        (select changed from session_error gone where ${isText("gone.key", sql`met.key`)} and changed is not null
          order by at desc limit 1) as changed
      from session_error met group by key
      having count(*) >= ${sessions} and ${DAYS} >= ${days} order by max(at) desc ${upTo(limit)}`),
  unusedCaptured: (limit) =>
    column(sql`
      select id from memory_item ${hint("indexed by memory_item_captured")}
      where source = 'extraction' and status = 'active' and version = 1 and pinned = 0 and ${IS_AS_CAPTURED}
        and not exists (select 1 from access_log where item_id = memory_item.id and how = 'get')
        and not exists (
          select 1 from journal where item_id = memory_item.id and kind not in ('insert_item', 'redact_items'))
        and not exists (
          select 1 from edge
          where shelf = 'memory' and made = 0 and (source = memory_item.id or target = memory_item.id))
      ${upTo(limit)}`),
  noteVerdicts: (notes) =>
    rows<NoteVerdict>(sql`select note, session, verdict, memory, by, at from note_verdict where note ${among(notes)}`),
  handovers: ({ session, since = 0, limit }) =>
    rowsAs<HandoverRow, ReturnType<typeof toHandover>>(
      toHandover,
      sql`select id, session, event, at, text, tokens, sources, files, use from handover
      where at >= ${since} and ${allOf([session !== undefined && sql`session = ${session}`])}
      order by at desc, id ${upTo(limit)}`,
    ),
};

type Kind = "keep_session" | "judge_note" | "note_handover" | "settle_handover" | "drop_handovers";

export const sessionWriters: Writers<Kind> = {
  *keep_session({ kept: { card, notes, turns, rules, errors }, evidence }) {
    const { session, branches, from, to } = card;
    const ofSession = isText("session", session);
    const made = yield* column<string>(
      sql`select id || ' ' || version ${EVIDENCE} and ${ofSession} order by created_at, seq`,
    );
    if (made.join() !== evidence.join()) return `more was said in session ${session}`;
    yield* send(sql`delete from session_card where ${ofSession}`, sql`delete from session_error where ${ofSession}`);
    if (turns === 0) return null;
    yield* send(
      sql`insert into session_card (session, branches, started_at, ended_at, turns, rules, card, notes) values (
        ${session}, ${branches}, ${from}, ${to}, ${turns}, ${rules}, ${JSON.stringify(card)}, ${JSON.stringify(notes)})`,
      ...errors.map(
        ({ key, line, at, changed }) => sql`
        insert into session_error (session, key, line, at, changed)
        values (${session}, ${key}, ${line}, ${at}, ${changed}) on conflict do nothing`,
      ),
    );
    return null;
  },
  *judge_note({ note, verdict }) {
    yield* send(sql`delete from note_verdict where note = ${note}`);
    if (verdict === null) return null;
    const { session, memory, by, at } = verdict;
    yield* send(sql`
      insert into note_verdict (note, session, verdict, memory, by, at)
      values (${verdict.note}, ${session}, ${verdict.verdict}, ${memory}, ${by}, ${at})`);
    return null;
  },
  *note_handover({ handover: { id, session, event, at, text, tokens, sources, files, use } }) {
    const handed = yield* count(sql`
      insert into handover (id, session, event, at, text, tokens, sources, files, use) values (
        ${id}, ${session}, ${event}, ${at}, ${text}, ${tokens}, ${JSON.stringify(sources)}, ${JSON.stringify(files)},
        ${use}) on conflict do nothing`);
    yield* send(sql`
      delete from handover
      where at < (select at from handover order by at desc limit 1 offset ${HANDOVERS_KEPT})`);
    return handed === 0 ? "the session has been given this already" : null;
  },
  *settle_handover({ id, use }) {
    yield* send(sql`update handover set use = ${use} where id = ${id}`);
    return null;
  },
  *drop_handovers({ items, sessions }) {
    yield* dropHandovers(items, sessions);
    return null;
  },
};

/** Erases what was made of these sessions, and every hand-over that came from them or from these items. */
export function* eraseSessions(ids: readonly string[], sessions: readonly string[]): Steps<void> {
  yield* send(
    sql`delete from session_card where session ${among(sessions)}`,
    sql`delete from session_error where session ${among(sessions)}`,
  );
  yield* dropHandovers(ids, sessions);
}

const dropHandovers = (ids: readonly string[], sessions: readonly string[]) =>
  send(sql`
    delete from handover where session ${among(sessions)} or exists (
      select 1 from ${eachIn("sources", "source")}
      where source.value ${among(sessions)} or source.value ${among(ids)})`);
