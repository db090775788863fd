/** Claude Code's own history of what was typed: a line a prompt, with a mark in place of each text that was pasted. */
import type { SessionEvent, TypedPrompt } from "../../model/capture/session-event.ts";
import { isObject, objectsOf, textIn } from "../capture/transcript/json-line.ts";

/** Null for a prompt of another session, or into which nothing was pasted. */
export function typedPromptOf(line: string, session: string): TypedPrompt | null {
  const [object] = objectsOf(line).objects;
  if (object === undefined || textIn(object, "sessionId") !== session) return null;
  const [typed, at, pasted] = [textIn(object, "display"), object["timestamp"], object["pastedContents"]];
  const hasPasted = isObject(pasted) && Object.keys(pasted).length > 0;
  return typed === null || typeof at !== "number" || !Number.isFinite(at) || !hasPasted ? null : { typed, at };
}

/** The host notes a prompt when it is sent, and records it a moment later. */
const APART_MS = 60_000;

/** The events with what was typed of each prompt, where that is noted. */
export function withTyped(events: readonly SessionEvent[], noted: readonly TypedPrompt[]): SessionEvent[] {
  if (noted.length === 0) return [...events];
  return events.map((event) => {
    if (event.kind !== "prompt" || event.at === null) return event;
    const at = event.at;
    const [nearest] = noted
      .filter((one) => Math.abs(one.at - at) <= APART_MS)
      .sort((one, two) => Math.abs(one.at - at) - Math.abs(two.at - at));
    return nearest ? { ...event, typed: nearest.typed } : event;
  });
}
