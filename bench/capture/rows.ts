/** The rows of the corpus: a part of a transcript, and what an attentive reader would note about it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../../src/model/capture/session-event.ts";
import { EMPTY_NOTES, noted, type Notes } from "../../src/logic/capture/extractor/notes.ts";
import { eventsOfLine } from "../../src/logic/capture/transcript/read-line.ts";
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

export function eventsOf(row: Row, folder: string): SessionEvent[] {
  const lines = readFileSync(join(folder, row.transcript), "utf8").split("\n");
  return lines
    .slice(row.fromLine, row.toLine)
    .flatMap((line, index) => eventsOfLine(line, row.fromLine + index, "claude-code").events);
}

/** The row as one stretch, whatever ended inside it. */
export const notesOf = (row: Row, folder: string): Notes => eventsOf(row, folder).reduce(noted, EMPTY_NOTES);
