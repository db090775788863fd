/**
 * Writes events and checkpoints.
 *
 * An erasure drops every event that names the item, contains its content or comes from its session. The checkpoints of
 * that session lose their state but keep their place: read again from the beginning, the transcript would bring the
 * item back.
 */
import type { Change } from "../../../model/journal/change.ts";
import { type CapturedTraces, tracedTexts } from "../../rows/capture/captured-traces.ts";
import type { Database } from "../connection/database.ts";
import { dropContext } from "../../context.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export function captureWriter(db: Database) {
  const statements = prepare(db);
  return {
    async note_event({ event }: Of<"note_event">): Promise<string | null> {
      const { payload, ...rest } = event;
      const noted = await statements.note.run({ ...rest, ...payloadColumns(payload) });
      return noted === 0 ? `event ${event.id} is noted already` : null;
    },
    async redact_events({ events }: Of<"redact_events">): Promise<null> {
      for (const { id, payload } of events) await statements.redact.run({ id, ...payloadColumns(payload) });
      return null;
    },
    async drop_events({ before }: Of<"drop_events">): Promise<null> {
      await statements.drop.run({ before });
      await db.drive(dropContext(before));
      return null;
    },
    async save_checkpoint({
      checkpoint,
      expectedOffset,
      expectedUpdatedAt,
    }: Of<"save_checkpoint">): Promise<string | null> {
      const found = (await statements.find.get({ transcript: checkpoint.transcript })) ?? null;
      const isExpected =
        (found?.offset ?? null) === expectedOffset &&
        (expectedUpdatedAt === undefined || found?.updatedAt === expectedUpdatedAt);
      if (!isExpected) return `${checkpoint.transcript} has been read further in the meantime`;
      const { isOpen, state, ...rest } = checkpoint;
      await statements.save.run({ ...rest, isOpen: isOpen ? 1 : 0, state: JSON.stringify(state ?? null) });
      return null;
    },
    async drop_checkpoints({ transcripts }: Of<"drop_checkpoints">): Promise<null> {
      await statements.dropCheckpoints.run({ transcripts });
      return null;
    },
  };
}

/** The host stands by itself as well, for the traces of sessions. */
function payloadColumns(payload: object) {
  const { host } = payload as { host?: unknown };
  return { host: typeof host === "string" ? host : null, payload: JSON.stringify(payload) };
}

/** Erases what events and checkpoints hold of erased items. */
export function captureEraser(db: Database): (traces: CapturedTraces, at: number) => Promise<void> {
  const holds = (column: string) => `
    session = any (@sessions::text[])
    or exists (select 1 from unnest(@texts::text[]) wanted where strpos(${column}, wanted) > 0)`;
  const erase = db.prepare(`delete from event where ${holds("payload")}`);
  // Whoever is reading the transcript now must notice: the text is in the state that they began with.
  const blank = db.prepare(`
    update checkpoint set state = 'null', is_open = 0, updated_at = greatest(updated_at + 1, @at)
    where state <> 'null' and (${holds("state")})`);
  return async (traces, at) => {
    const { sessions } = traces;
    const texts = tracedTexts(traces);
    await erase.run({ texts, sessions });
    await blank.run({ texts, sessions, at });
  };
}

function prepare(db: Database) {
  return {
    note: db.prepare(`
      insert into event (id, kind, session, turn, at, host, payload)
      values (@id, @kind, @session, @turn, @at, @host, @payload) on conflict do nothing`),
    redact: db.prepare(`update event set payload = @payload, host = @host where id = @id`),
    drop: db.prepare(`delete from event where at < @before`),
    find: db.prepare<{ offset: number; updatedAt: number }>(
      `select "offset", updated_at as "updatedAt" from checkpoint where transcript = @transcript`,
    ),
    save: db.prepare(`
      insert into checkpoint (transcript, session, extractor, "offset", lines, skipped, updated_at, is_open, state)
      values (@transcript, @session, @extractor, @offset, @lines, @skipped, @updatedAt, @isOpen, @state)
      on conflict (md5(transcript)) do update set
        session = excluded.session, extractor = excluded.extractor, "offset" = excluded."offset", lines = excluded.lines,
        skipped = excluded.skipped, updated_at = excluded.updated_at,
        is_open = excluded.is_open, state = excluded.state`),
    dropCheckpoints: db.prepare(`delete from checkpoint where transcript = any (@transcripts::text[])`),
  };
}
