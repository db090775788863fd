/** Reads and writes what is made of sessions. An erasure in a session drops all of it; what is left is made again. */
import type { Change } from "../../../model/journal/change.ts";
import type { MetError, NoteVerdict, RecurringError } from "../../../model/sessions/card.ts";
import type { SessionQuery, SessionReads } from "../../../ports/store/sessions.ts";
import { HANDOVERS_KEPT, type HandoverRow, type SessionRow, toHandover, toSession } from "../../rows/session-row.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const EVIDENCE = `from evidence_item where source = 'extraction' and status in ('active', 'archived')`;
const DAY_MS = 86_400_000;

export function sessionReads(db: Database): Sync<SessionReads> {
  const statements = prepareReading(db);
  return {
    evidenceOf: (session) => statements.evidence.all(session),
    sessionCards({ limit, sessions, ...query }) {
      const given = { ...query, ...(sessions && { sessions: JSON.stringify(sessions) }) };
      return cards(db, Object.keys(given))
        .all({ ...given, limit })
        .map(toSession);
    },
    staleSessions: (rules, limit) => statements.stale.all({ rules, limit }),
    errorsMet: (key, limit) => statements.met.all(key, limit),
    recurringErrors: (least, limit) => statements.recurring.all({ ...least, limit }),
    unusedCaptured: (limit) => statements.unused.all(limit),
    noteVerdicts: (notes) => statements.verdicts.all(JSON.stringify(notes)),
    handovers: ({ session = null, since = 0, limit }) =>
      statements.handovers.all({ session, since, limit }).map(toHandover),
  };
}

const CONDITIONS: Readonly<Record<string, string>> = {
  branch: `exists (select 1 from json_each(branches) where value = @branch)`,
  sessions: `session in (select value from json_each(@sessions))`,
  before: `ended_at < @before`,
} satisfies Record<Exclude<keyof SessionQuery, "limit">, string>;

/** Only what is given, because a condition that may be absent would keep SQLite from using an index. */
const cards = (db: Database, given: readonly string[]) =>
  db.prepare<[object], SessionRow>(`
    select card, notes, turns, rules from session_card
    where ${["true", ...given.map((name) => CONDITIONS[name])].join(" and ")}
    order by ended_at desc, session limit @limit`);

function prepareReading(db: Database) {
  return {
    evidence: db.prepare<[string], string>(`select id ${EVIDENCE} and session = ? order by created_at, seq`).pluck(),
    stale: db
      .prepare<[object], string>(
        `select made.session from (select session, count(*) as turns ${EVIDENCE} group by session) made
        left join session_card card on card.session = made.session
        where card.session is null or card.turns <> made.turns or card.rules <> @rules
        union select session from session_card where session not in (select session ${EVIDENCE})
        limit @limit`,
      )
      .pluck(),
    met: db.prepare<[string, number], MetError>(
      `select session, key, line, at, changed from session_error where key = ? order by at desc, session limit ?`,
    ),
    // Beside max(at), a plain column has the value of the row with the latest time.
    recurring: db.prepare<[object], RecurringError>(`
      select key, count(*) as sessions, count(distinct at / ${DAY_MS}) as days, max(at) as at, line, session,
        (select changed from session_error gone where gone.key = met.key and changed is not null
          order by at desc limit 1) as changed
      from session_error met group by key
      having count(*) >= @sessions and count(distinct at / ${DAY_MS}) >= @days order by at desc limit @limit`),
    unused: db
      .prepare<[number], string>(
        `
      select id from memory_item indexed by memory_item_captured
      where source = 'extraction' and status = 'active' and version = 1 and pinned = 0
        and details ->> '$.evidence' is not null and details ->> '$.by' is null and details ->> '$.made' is null
        and not exists (select 1 from access_log where item_id = memory_item.id and how = 'get')
        and not exists (
          select 1 from journal where item_id = memory_item.id and kind not in ('insert_item', 'redact_items'))
        and not exists (
          select 1 from edge
          where shelf = 'memory' and made = 0 and (source = memory_item.id or target = memory_item.id))
      limit ?`,
      )
      .pluck(),
    verdicts: db.prepare<[string], NoteVerdict>(`
      select note, session, verdict, memory, by, at from note_verdict
      where note in (select value from json_each(?))`),
    handovers: db.prepare<[object], HandoverRow>(`
      select id, session, event, at, text, tokens, sources, files, use from handover
      where at >= @since and (@session is null or session = @session) order by at desc, id limit @limit`),
  };
}

export function sessionWriter(db: Database) {
  const statements = prepareWriting(db);
  const handovers = handoverEraser(db);
  return {
    keep_session({ kept: { card, notes, turns, rules, errors }, evidence }: Of<"keep_session">): string | null {
      const { session, branches, from, to } = card;
      if (statements.made.all(session).join() !== evidence.join()) return `more was said in session ${session}`;
      statements.drop.run(session);
      if (turns === 0) return null;
      const texts = { card: JSON.stringify(card), notes: JSON.stringify(notes), branches: JSON.stringify(branches) };
      statements.keep.run({ session, startedAt: from, endedAt: to, turns, rules, ...texts });
      for (const error of errors) statements.keepError.run({ session, ...error });
      return null;
    },
    judge_note({ note, verdict }: Of<"judge_note">): null {
      statements.forget.run(note);
      if (verdict !== null) statements.judge.run({ ...verdict });
      return null;
    },
    note_handover({ handover }: Of<"note_handover">): string | null {
      const texts = { sources: JSON.stringify(handover.sources), files: JSON.stringify(handover.files) };
      const { changes } = statements.hand.run({ ...handover, ...texts });
      statements.trim.run();
      return changes === 0 ? "the session has been given this already" : null;
    },
    settle_handover({ id, use }: Of<"settle_handover">): null {
      statements.settle.run(use, id);
      return null;
    },
    drop_handovers({ items, sessions }: Of<"drop_handovers">): null {
      handovers(items, sessions);
      return null;
    },
  };
}

function prepareWriting(db: Database) {
  return {
    made: db
      .prepare<[string], string>(`select id || ' ' || version ${EVIDENCE} and session = ? order by created_at, seq`)
      .pluck(),
    drop: db.prepare<[string]>(`delete from session_card where session = ?`),
    keep: db.prepare<[object]>(`
      insert into session_card (session, branches, started_at, ended_at, turns, rules, card, notes)
      values (@session, @branches, @startedAt, @endedAt, @turns, @rules, @card, @notes)`),
    keepError: db.prepare<[object]>(`
      insert into session_error (session, key, line, at, changed) values (@session, @key, @line, @at, @changed)
      on conflict do nothing`),
    forget: db.prepare<[string]>(`delete from note_verdict where note = ?`),
    judge: db.prepare<[object]>(`
      insert into note_verdict (note, session, verdict, memory, by, at)
      values (@note, @session, @verdict, @memory, @by, @at)`),
    hand: db.prepare<[object]>(`
      insert into handover (id, session, event, at, text, tokens, sources, files, use)
      values (@id, @session, @event, @at, @text, @tokens, @sources, @files, @use) on conflict do nothing`),
    trim: db.prepare<[]>(`
      delete from handover where at < (select at from handover order by at desc limit 1 offset ${HANDOVERS_KEPT})`),
    settle: db.prepare<[string, string]>(`update handover set use = ? where id = ?`),
  };
}

type Eraser = (ids: readonly string[], sessions: readonly string[]) => void;

const IN_SESSIONS = `in (select value from json_each(@sessions))`;

/** Erases what was made of these sessions, and every hand-over that came from them or from these items. */
export function sessionEraser(db: Database): Eraser {
  const cards = db.prepare<[object]>(`delete from session_card where session ${IN_SESSIONS}`);
  const handovers = handoverEraser(db);
  return (ids, sessions) => {
    cards.run({ sessions: JSON.stringify(sessions) });
    handovers(ids, sessions);
  };
}

function handoverEraser(db: Database): Eraser {
  const handovers = db.prepare<[object]>(`
    delete from handover where session ${IN_SESSIONS} or exists (
      select 1 from json_each(sources) source
      where source.value ${IN_SESSIONS} or source.value in (select value from json_each(@ids)))`);
  return (ids, sessions) => void handovers.run({ ids: JSON.stringify(ids), sessions: JSON.stringify(sessions) });
}
