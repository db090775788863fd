/** When maintenance last ran, and the times that it noted. */
import type { ClockMarks } from "../../../model/care/clock-marks.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Database } from "../connection/database.ts";

const KEY = "maintained_at";
const MARK_KEYS = { settledAt: "clock_settled_at", pendingAt: "clock_pending_at" } as const;

export function maintenanceReader(db: Database): { maintainedAt(): number | null; clockMarks(): ClockMarks } {
  const read = db.prepare<[string], string>(`select value from fact where key = ?`).pluck();
  const timeOf = (key: string): number | null => {
    const value = read.get(key);
    return value === undefined ? null : Number(value);
  };
  return {
    maintainedAt: () => timeOf(KEY),
    clockMarks: () => ({ settledAt: timeOf(MARK_KEYS.settledAt), pendingAt: timeOf(MARK_KEYS.pendingAt) }),
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
    note_maintenance({ at, marks }: Extract<Change, { kind: "note_maintenance" }>): null {
      noteTime(KEY, at);
      noteTime(MARK_KEYS.settledAt, marks.settledAt);
      noteTime(MARK_KEYS.pendingAt, marks.pendingAt);
      return null;
    },
  };
}
