/** When maintenance last ran. */
import type { Change } from "../../../model/journal/change.ts";
import type { Database } from "../connection/database.ts";

const KEY = "maintained_at";

export function maintenanceReader(db: Database): () => number | null {
  const read = db.prepare<[string], string>(`select value from fact where key = ?`).pluck();
  return () => {
    const value = read.get(KEY);
    return value === undefined ? null : Number(value);
  };
}

export function maintenanceWriter(db: Database) {
  const note = db.prepare<[string, string]>(
    `insert into fact (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
  );
  return {
    note_maintenance({ at }: Extract<Change, { kind: "note_maintenance" }>): null {
      note.run(KEY, String(at));
      return null;
    },
  };
}
