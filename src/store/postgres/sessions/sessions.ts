/** Reads and writes what is made of sessions. An erasure in a session drops all of it; what is left is made again. */
import type { Change } from "../../../model/journal/change.ts";
import type { MetError, NoteVerdict, RecurringError } from "../../../model/sessions/card.ts";
import type { SessionQuery, SessionReads } from "../../../ports/store/sessions.ts";
import { HANDOVERS_KEPT, type HandoverRow, type SessionRow, toHandover, toSession } from "../../rows/session-row.ts";
import type { Database } from "../connection/database.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const EVIDENCE = `from evidence_item where source = 'extraction' and status in ('active', 'archived')`;
const DAY_MS = 86_400_000;
const ofSession = (column = "session") => `md5(${column}) = md5(@session) and ${column} = @session`;

const CONDITIONS: Readonly<Record<string, string>> = {
  branch: `@branch = any (branches)`,
  sessions: `session = any (@sessions::text[])`,
  before: `ended_at < @before`,
} satisfies Record<Exclude<keyof SessionQuery, "limit">, string>;

export function sessionReads(db: Database): SessionReads {
  const statements = prepareReading(db);
  return {
    evidenceOf: (session) => statements.evidence.all({ session }),
    async sessionCards({ limit, ...query }) {
      const conditions = ["true", ...Object.keys(query).map((name) => CONDITIONS[name])];
      const cards = db.prepare<SessionRow>(`
        select card, notes, turns, rules from session_card where ${conditions.join(" and ")}
        order by ended_at desc, session limit @limit`);
      return (await cards.all({ ...query, limit })).map(toSession);
    },
    staleSessions: (rules, limit) => statements.stale.all({ rules, limit }),
    errorsMet: (key, limit) => statements.met.all({ key, limit }),
    recurringErrors: (least, limit) => statements.recurring.all({ ...least, limit }),
    unusedCaptured: (limit) => statements.unused.all({ limit }),
    noteVerdicts: (notes) => statements.verdicts.all({ notes }),
    handovers: async ({ session, since = 0, limit }) =>
      (
        await (session === undefined
          ? statements.handovers.all({ since, limit })
          : statements.handoversOf.all({ session, since, limit }))
      ).map(toHandover),
  };
}

function prepareReading(db: Database) {
  const handover = `select id, session, event, at, text, tokens, sources, files, use from handover where at >= @since`;
  const latest = (column: string) => `(array_agg(${column} order by at desc, session))[1]`;
  return {
    evidence: db.prepareColumn<string>(`select id ${EVIDENCE} and ${ofSession()} order by created_at, seq`),
    stale: db.prepareColumn<string>(`
      select made.session from (select session, count(*) as turns ${EVIDENCE} group by session) made
      left join session_card card on card.session = made.session
      where card.session is null or card.turns <> made.turns or card.rules <> @rules
      union select session from session_card where session not in (select session ${EVIDENCE})
      limit @limit`),
    met: db.prepare<MetError>(`
      select session, key, line, at, changed from session_error
      where md5(key) = md5(@key) and key = @key order by at desc, session limit @limit`),
    recurring: db.prepare<RecurringError>(`
      select key, count(*) as sessions, count(distinct at / ${DAY_MS}) as days, max(at) as at,
        ${latest("line")} as line, ${latest("session")} as session,
        (array_agg(changed order by at desc) filter (where changed is not null))[1] as changed
      from session_error group by key
      having count(*) >= @sessions and count(distinct at / ${DAY_MS}) >= @days order by max(at) desc limit @limit`),
    // Details are not read as JSON, because Postgres refuses some of what JSON may hold.
    unused: db.prepareColumn<string>(`
      select id from memory_item
      where source = 'extraction' and status = 'active' and version = 1 and pinned = 0
        and details like '%"evidence":[%' and details not like '%"by":%' and details not like '%"made":%'
        and not exists (select 1 from access_log where item_id = memory_item.id and how = 'get')
        and not exists (
          select 1 from journal where item_id = memory_item.id and kind not in ('insert_item', 'redact_items'))
        and not exists (
          select 1 from edge
          where shelf = 'memory' and made = 0 and (source = memory_item.id or target = memory_item.id))
      limit @limit`),
    verdicts: db.prepare<NoteVerdict>(`
      select note, session, verdict, memory, by, at from note_verdict where note = any (@notes::text[])`),
    handovers: db.prepare<HandoverRow>(`${handover} order by at desc, id limit @limit`),
    handoversOf: db.prepare<HandoverRow>(`${handover} and session = @session order by at desc, id limit @limit`),
  };
}

export function sessionWriter(db: Database) {
  const statements = prepareWriting(db);
  const handovers = handoverEraser(db);
  return {
    async keep_session({ kept, evidence }: Of<"keep_session">): Promise<string | null> {
      const { card, notes, turns, rules, errors } = kept;
      const { session, branches, from, to } = card;
      if ((await statements.made.all({ session })).join() !== evidence.join())
        return `more was said in session ${session}`;
      await statements.drop.run({ session });
      await statements.dropErrors.run({ session });
      if (turns === 0) return null;
      const texts = { card: JSON.stringify(card), notes: JSON.stringify(notes) };
      await statements.keep.run({ session, branches, startedAt: from, endedAt: to, turns, rules, ...texts });
      for (const error of errors) await statements.keepError.run({ session, ...error });
      return null;
    },
    async judge_note({ note, verdict }: Of<"judge_note">): Promise<null> {
      await statements.forget.run({ note });
      if (verdict !== null) await statements.judge.run({ ...verdict });
      return null;
    },
    async note_handover({ handover }: Of<"note_handover">): Promise<string | null> {
      const texts = { sources: JSON.stringify(handover.sources), files: JSON.stringify(handover.files) };
      const handed = await statements.hand.run({ ...handover, ...texts });
      await statements.trim.run();
      return handed === 0 ? "the session has been given this already" : null;
    },
    async settle_handover({ id, use }: Of<"settle_handover">): Promise<null> {
      await statements.settle.run({ id, use });
      return null;
    },
    async drop_handovers({ items, sessions }: Of<"drop_handovers">): Promise<null> {
      await handovers(items, sessions);
      return null;
    },
  };
}

function prepareWriting(db: Database) {
  return {
    made: db.prepareColumn<string>(`
      select id || ' ' || version ${EVIDENCE} and ${ofSession()} order by created_at, seq`),
    drop: db.prepare(`delete from session_card where ${ofSession()}`),
    dropErrors: db.prepare(`delete from session_error where ${ofSession()}`),
    keep: db.prepare(`
      insert into session_card (session, branches, started_at, ended_at, turns, rules, card, notes)
      values (@session, @branches, @startedAt, @endedAt, @turns, @rules, @card, @notes)`),
    keepError: db.prepare(`
      insert into session_error (session, key, line, at, changed) values (@session, @key, @line, @at, @changed)
      on conflict do nothing`),
    forget: db.prepare(`delete from note_verdict where note = @note`),
    judge: db.prepare(`
      insert into note_verdict (note, session, verdict, memory, by, at)
      values (@note, @session, @verdict, @memory, @by, @at)`),
    hand: db.prepare(`
      insert into handover (id, session, event, at, text, tokens, sources, files, use)
      values (@id, @session, @event, @at, @text, @tokens, @sources, @files, @use) on conflict do nothing`),
    trim: db.prepare(`
      delete from handover where at < (select at from handover order by at desc limit 1 offset ${HANDOVERS_KEPT})`),
    settle: db.prepare(`update handover set use = @use where id = @id`),
  };
}

type Eraser = (ids: readonly string[], sessions: readonly string[]) => Promise<void>;

/** Erases what was made of these sessions, and every hand-over that came from them or from these items. */
export function sessionEraser(db: Database): Eraser {
  const cards = db.prepare(`delete from session_card where session = any (@sessions::text[])`);
  const errors = db.prepare(`delete from session_error where session = any (@sessions::text[])`);
  const handovers = handoverEraser(db);
  return async (ids, sessions) => {
    await cards.run({ sessions });
    await errors.run({ sessions });
    await handovers(ids, sessions);
  };
}

function handoverEraser(db: Database): Eraser {
  const handovers = db.prepare(`
    delete from handover where session = any (@sessions::text[]) or exists (
      select 1 from json_array_elements_text(sources::json) source
      where source = any (@sessions::text[]) or source = any (@ids::text[]))`);
  return async (ids, sessions) => {
    await handovers.run({ ids, sessions });
  };
}
