/** Reads a transcript line by line; a line never depends on another, so reading can resume anywhere. */
import type { SessionEvent, TranscriptHost } from "../../../model/capture/session-event.ts";
import { claudeEvents, claudeSession, isClaudeCode } from "./claude-code.ts";
import { codexEvents, codexSession, isCodex } from "./codex.ts";
import { objectsOf } from "./json-line.ts";

/** Skipped: something on the line could not be read. Lines that are none of our business are not skipped. */
export function eventsOfLine(
  line: string,
  number: number,
  host: TranscriptHost,
): { events: SessionEvent[]; isSkipped: boolean } {
  const { objects, isSkipped } = objectsOf(line);
  const read = objects.map((object) => (host === "codex" ? codexEvents(object, number) : claudeEvents(object, number)));
  return { events: read.flatMap((events) => events ?? []), isSkipped: isSkipped || read.includes(null) };
}

export function hostOfTranscript(firstLines: readonly string[]): TranscriptHost | null {
  for (const line of firstLines)
    for (const object of objectsOf(line).objects) {
      if (isCodex(object)) return "codex";
      if (isClaudeCode(object)) return "claude-code";
    }
  return null;
}

export function sessionOfLine(line: string): { session: string | null; cwd: string | null } {
  const object = objectsOf(line).objects[0];
  if (object === undefined) return { session: null, cwd: null };
  return isCodex(object) ? codexSession(object) : claudeSession(object);
}
