/** Events and checkpoints to store. */
import type { Change } from "../../../../src/journal/change.ts";
import type { Checkpoint, SessionRecord } from "../../../../src/sessions/session.ts";

export const event = (id: string, set: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  kind: "prompt",
  session: "one",
  turn: "1",
  at: 10,
  payload: { text: `prompt ${id}` },
  ...set,
});

export const noting = (...events: SessionRecord[]): Change[] =>
  events.map((noted) => ({ kind: "note_event", event: noted }));

export const checkpoint = (set: Partial<Checkpoint> = {}): Checkpoint => ({
  transcript: "/t/one.jsonl",
  session: "one",
  extractor: "built-in 1",
  offset: 100,
  lines: 4,
  skipped: 1,
  state: { open: ["x"] },
  isOpen: true,
  updatedAt: 5,
  ...set,
});

export const saving = (saved: Checkpoint, expectedOffset: number | null, expectedUpdatedAt?: number): Change => ({
  kind: "save_checkpoint",
  checkpoint: saved,
  expectedOffset,
  ...(expectedUpdatedAt !== undefined && { expectedUpdatedAt }),
});
