/** Removes secrets from an event before anything is derived from it. Results are cut first: only their ends matter. */
import type { SessionEvent } from "../../model/capture/session-event.ts";
import { cut } from "../../model/text/cut.ts";

type Clean = (text: string) => string;

const LIMITS = { text: 32_000, command: 4_000, result: 4_000 } as const;

export function redactEvent(event: SessionEvent, clean: Clean): SessionEvent {
  switch (event.kind) {
    case "call": {
      const { command, path, text } = event;
      return {
        ...event,
        ...{ command: cleanPart(command, LIMITS.command, clean), path: cleanPart(path, LIMITS.command, clean) },
        text: cleanPart(text, LIMITS.text, clean),
      };
    }
    case "result":
      return { ...event, text: clean(ends(event.text, LIMITS.result)) };
    default:
      return { ...event, text: clean(cut(event.text, LIMITS.text)) };
  }
}

const cleanPart = (text: string | null, limit: number, clean: Clean): string | null =>
  text === null ? null : clean(cut(text, limit));

/** An error is told at the beginning or the end. */
const ends = (text: string, limit: number): string =>
  text.length <= limit ? text : `${cut(text, limit / 2)}\n…\n${text.slice(-limit / 2).replace(/^[\udc00-\udfff]/, "")}`;
