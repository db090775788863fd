/** The rows of the corpus: a part of a transcript, and what an attentive reader would note about it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../../src/sessions/session.ts";
import { eventsOfLine } from "../../src/sessions/transcripts.ts";
import { foldSession, NEW_SESSION, type SessionTurn } from "../../src/sessions/turns.ts";
import type { GoldItem } from "./metric.ts";

export interface Row {
  id: string;
  session: string;
  transcript: string;
  fromLine: number;
  toLine: number;
  gold: GoldItem[];
}

export const readRows = (folder: string): Row[] =>
  readFileSync(join(folder, "gold.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);

/** The sessions in two halves, by their ids: cues are chosen on the first, and the second tells what they are worth. */
export function halvesOf<Of extends { session: string }>(rows: readonly Of[]): [chosenOn: Of[], unseen: Of[]] {
  const sessions = [...new Set(rows.map(({ session }) => session))].sort();
  const isFirst = ({ session }: Of) => sessions.indexOf(session) % 2 === 0;
  return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

export function turnsOf(row: Row, folder: string): SessionTurn[] {
  const lines = readFileSync(join(folder, row.transcript), "utf8").split("\n");
  return foldTurns(
    lines
      .slice(row.fromLine, row.toLine)
      .flatMap((line, index) => eventsOfLine(line, row.fromLine + index, "claude-code").events),
  );
}

export const foldTurns = (events: readonly SessionEvent[]): SessionTurn[] =>
  foldSession(NEW_SESSION, events, "session_end").steps.flatMap((step) => ("turn" in step ? [step.turn] : []));
