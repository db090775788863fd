/** When maintenance last ran, the times that it noted, and the rules by which everything was last redacted. */
import type { ClockMarks } from "../../../model/care/clock-marks.ts";
import type { Change } from "../../../model/journal/change.ts";
import { MAINTENANCE_KEYS as KEYS } from "../../rows/care/fact-keys.ts";
import type { Database } from "../connection/database.ts";

export interface MaintenanceReader {
  maintainedAt(): Promise<number | null>;
  clockMarks(): Promise<ClockMarks>;
  redactedBy(): Promise<string | null>;
}

export function maintenanceReader(db: Database): MaintenanceReader {
  const read = db.prepareColumn<string>(`select value from fact where key = @key`);
  const timeOf = async (key: string): Promise<number | null> => {
    const value = await read.get({ key });
    return value === undefined ? null : Number(value);
  };
  return {
    maintainedAt: () => timeOf(KEYS.maintainedAt),
    redactedBy: async () => (await read.get({ key: KEYS.redactedBy })) ?? null,
    clockMarks: async () => ({ settledAt: await timeOf(KEYS.settledAt), pendingAt: await timeOf(KEYS.pendingAt) }),
  };
}

export function maintenanceWriter(db: Database) {
  const note = db.prepare(`
    insert into fact (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value`);
  const drop = db.prepare(`delete from fact where key = @key`);
  const noteTime = (key: string, at: number | null): Promise<number> =>
    at === null ? drop.run({ key }) : note.run({ key, value: String(at) });
  return {
    async note_redaction({ rules }: Extract<Change, { kind: "note_redaction" }>): Promise<null> {
      await note.run({ key: KEYS.redactedBy, value: rules });
      return null;
    },
    async note_maintenance({ at, marks }: Extract<Change, { kind: "note_maintenance" }>): Promise<null> {
      await noteTime(KEYS.maintainedAt, at);
      await noteTime(KEYS.settledAt, marks.settledAt);
      await noteTime(KEYS.pendingAt, marks.pendingAt);
      return null;
    },
  };
}
