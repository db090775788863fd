/** When maintenance last ran, the times that it noted, and the rules by which everything was last redacted. */
import type { ClockMarks } from "../../../model/care/clock-marks.ts";
import type { Change } from "../../../model/journal/change.ts";
import { MAINTENANCE_KEYS as KEYS } from "../../rows/care/fact-keys.ts";
import type { Database } from "../connection/database.ts";

export interface MaintenanceReader {
  maintainedAt(): number | null;
  clockMarks(): ClockMarks;
  redactedBy(): string | null;
}

export function maintenanceReader(db: Database): MaintenanceReader {
  const read = db.prepare<[string], string>(`select value from fact where key = ?`).pluck();
  const timeOf = (key: string): number | null => {
    const value = read.get(key);
    return value === undefined ? null : Number(value);
  };
  return {
    maintainedAt: () => timeOf(KEYS.maintainedAt),
    redactedBy: () => read.get(KEYS.redactedBy) ?? null,
    clockMarks: () => ({ settledAt: timeOf(KEYS.settledAt), pendingAt: timeOf(KEYS.pendingAt) }),
  };
}

export function maintenanceWriter(db: Database) {
  const note = db.prepare<[string, string]>(
    `insert into fact (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
  );
  const drop = db.prepare<[string]>(`delete from fact where key = ?`);
  const noteTime = (key: string, at: number | null): unknown =>
    at === null ? drop.run(key) : note.run(key, String(at));
  return {
    note_redaction({ rules }: Extract<Change, { kind: "note_redaction" }>): null {
      note.run(KEYS.redactedBy, rules);
      return null;
    },
    note_maintenance({ at, marks }: Extract<Change, { kind: "note_maintenance" }>): null {
      noteTime(KEYS.maintainedAt, at);
      noteTime(KEYS.settledAt, marks.settledAt);
      noteTime(KEYS.pendingAt, marks.pendingAt);
      return null;
    },
  };
}
