/** Converts what is made of sessions from rows, whichever database they come from. */
import type { Handover, Note, ReadSession, SessionCard } from "../../model/sessions/card.ts";

export type SessionRow = Record<"card" | "notes", string> & Pick<ReadSession, "turns" | "rules">;
export type HandoverRow = Omit<Handover, "sources" | "files"> & Record<"sources" | "files", string>;

export const toSession = ({ card, notes, turns, rules }: SessionRow): ReadSession => ({
  ...{ card: JSON.parse(card) as SessionCard, notes: JSON.parse(notes) as Note[], turns, rules },
});

export const toHandover = (row: HandoverRow): Handover => ({
  ...row,
  sources: JSON.parse(row.sources) as string[],
  files: JSON.parse(row.files) as string[],
});

/** Hand-overs kept; the oldest are dropped. */
export const HANDOVERS_KEPT = 5_000;
