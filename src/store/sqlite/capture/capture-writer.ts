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
import { driveOn } from "../connection/drive.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export function captureWriter(db: Database) {
  const statements = prepare(db);
  return {
    note_event({ event }: Of<"note_event">): string | null {
      const { changes } = statements.note.run({ ...event, payload: JSON.stringify(event.payload) });
      return changes === 0 ? `event ${event.id} is noted already` : null;
    },
    redact_events({ events }: Of<"redact_events">): null {
      for (const { id, payload } of events) statements.redact.run(JSON.stringify(payload), id);
      return null;
    },
    drop_events({ before }: Of<"drop_events">): null {
      statements.drop.run(before);
      driveOn(db)(dropContext(before));
      return null;
    },
    save_checkpoint({ checkpoint, expectedOffset, expectedUpdatedAt }: Of<"save_checkpoint">): string | null {
      const found = statements.find.get(checkpoint.transcript) ?? null;
      const isExpected =
        (found?.offset ?? null) === expectedOffset &&
        (expectedUpdatedAt === undefined || found?.updatedAt === expectedUpdatedAt);
      if (!isExpected) return `${checkpoint.transcript} has been read further in the meantime`;
      const { isOpen, state, ...rest } = checkpoint;
      statements.save.run({ ...rest, isOpen: isOpen ? 1 : 0, state: JSON.stringify(state ?? null) });
      return null;
    },
    drop_checkpoints({ transcripts }: Of<"drop_checkpoints">): null {
      statements.dropCheckpoints.run(JSON.stringify(transcripts));
      return null;
    },
  };
}

/** Erases what events and checkpoints hold of erased items. */
export function captureEraser(db: Database): (traces: CapturedTraces, at: number) => void {
  const { erase, blank } = prepareErasing(db);
  return (captured, at) => {
    const traces = { texts: JSON.stringify(tracedTexts(captured)), sessions: JSON.stringify(captured.sessions) };
    erase.run(traces);
    blank.run({ ...traces, at });
  };
}

function prepare(db: Database) {
  return {
    note: db.prepare<[object]>(`
      insert into event (id, kind, session, turn, at, payload) values (@id, @kind, @session, @turn, @at, @payload)
      on conflict do nothing`),
    redact: db.prepare<[string, string]>(`update event set payload = ? where id = ?`),
    drop: db.prepare<[number]>(`delete from event where at < ?`),
    find: db.prepare<[string], { offset: number; updatedAt: number }>(
      `select offset, updated_at as updatedAt from checkpoint where transcript = ?`,
    ),
    save: db.prepare<[object]>(`
      insert into checkpoint (transcript, session, extractor, offset, lines, skipped, updated_at, is_open, state)
      values (@transcript, @session, @extractor, @offset, @lines, @skipped, @updatedAt, @isOpen, @state)
      on conflict (transcript) do update set
        session = excluded.session, extractor = excluded.extractor, offset = excluded.offset, lines = excluded.lines,
        skipped = excluded.skipped, updated_at = excluded.updated_at,
        is_open = excluded.is_open, state = excluded.state`),
    dropCheckpoints: db.prepare<[string]>(
      `delete from checkpoint where transcript in (select value from json_each(?))`,
    ),
  };
}

function prepareErasing(db: Database) {
  const holds = (column: string) => `
    session in (select value from json_each(@sessions))
    or exists (select 1 from json_each(@texts) wanted where instr(${column}, wanted.value) > 0)`;
  return {
    erase: db.prepare<[object]>(`delete from event where ${holds("payload")}`),
    // Whoever is reading the transcript now must notice: the text is in the state that they began with.
    blank: db.prepare<[object]>(`
      update checkpoint set state = 'null', is_open = 0, updated_at = max(updated_at + 1, @at)
      where state <> 'null' and (${holds("state")})`),
  };
}
