/**
 * Removes secrets from an event before anything is derived from it, and bounds it. Every string counts: a branch or the
 * id of a call may hold a secret too. Of a result only its ends matter.
 */
import { storableText } from "../../logic/capture/storable-text.ts";
import * as redacted from "../../logic/redaction/redact-and-cut.ts";
import { shortOutput } from "../../logic/sessions/telling-line.ts";
import type { SessionEvent } from "../../model/capture/session-event.ts";
import { PRINTED_CHARACTERS } from "../../model/sessions/turn.ts";

const LIMITS = { text: 32_000, command: 4_000, result: 16_000, name: 200 } as const;
/** Times before this, or after now, are mistakes. */
const EARLIEST = Date.UTC(2000, 0);
const TOLERANCE_MS = 60_000;

export function redactEvent(event: SessionEvent, now: number): SessionEvent {
  const recorded = { line: event.line, at: timeOf(event.at, now), branch: part(event.branch, LIMITS.name) };
  switch (event.kind) {
    case "start":
      return { ...recorded, kind: "start" };
    case "call": {
      const names = { call: beginning(event.call, LIMITS.name), tool: beginning(event.tool, LIMITS.name) };
      const { command, path } = event;
      const said = { command: part(command, LIMITS.command), path: part(path, LIMITS.command) };
      return { ...recorded, kind: "call", ...names, ...said };
    }
    case "result": {
      const { kind, call, text, isError } = event;
      const returned = shortOutput(bothEnds(text, LIMITS.result), PRINTED_CHARACTERS);
      return { ...recorded, kind, call: beginning(call, LIMITS.name), text: returned, isError };
    }
    case "prompt": {
      const typed = event.typed === undefined ? {} : { typed: beginning(event.typed, LIMITS.text) };
      return { ...recorded, kind: "prompt", text: beginning(event.text, LIMITS.text), ...typed };
    }
    default:
      return { ...recorded, kind: event.kind, text: beginning(event.text, LIMITS.text) };
  }
}

const beginning = (text: string, limit: number): string => redacted.beginning(storableText(text), limit);
const bothEnds = (text: string, limit: number): string => redacted.bothEnds(storableText(text), limit);
const part = (text: string | null, limit: number): string | null => (text === null ? null : beginning(text, limit));

export function timeOf(at: number | null, now: number): number | null {
  if (at === null || !Number.isFinite(at) || at < EARLIEST || at > now + TOLERANCE_MS) return null;
  return Math.min(Math.round(at), now);
}
