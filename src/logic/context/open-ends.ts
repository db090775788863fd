/** What earlier sessions left open: progress that says so, errors, and checks that failed last. */
import type { OpenEnd } from "../../model/context/orientation.ts";
import type { SessionRecord } from "../../model/capture/session-record.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item } from "../../model/memory/item.ts";
import { LEFT_OPEN } from "../capture/extractor/describe.ts";
import { lineParts } from "./lines/line-parts.ts";
import { noteLine } from "./lines/note-line.ts";
import { marked, titledLine, windowLine } from "./lines/window-line.ts";

const TEXT_CHARACTERS = 120;

/** Exploring fails all the time; only commands that check or make something leave a problem behind. */
const CHECKS =
  /\b(?:test|tests|spec|build|compile|lint|check|typecheck|tsc|pytest|jest|vitest|make|cargo|gradle|mvn|verify|deploy|migrate|release|publish)\b/i;

const STILL_FAILS =
  /\b(?:still (?:fails?|failing|broken|crash(?:es|ing)?|hangs?|red|unresolved)|unresolved|unfixed|not (?:yet )?fixed)\b/i;

/** Progress and errors that were captured also tell what is done, and what was fixed. */
export const isOpenEnd = ({ type, source, content }: Pick<Item, "type" | "source" | "content">): boolean =>
  (type === "error" || type === "progress") && (source !== "extraction" || saysOpen(content));

const saysOpen = (text: string): boolean => LEFT_OPEN.test(text) || STILL_FAILS.test(text);

export function openEnds(
  memories: readonly Pick<Item, "id" | "type" | "source" | "title" | "content" | "createdAt">[],
  events: readonly SessionRecord[],
  limit: number,
): OpenEnd[] {
  const fromMemories = memories.filter(isOpenEnd).map(({ id, type, source, title, content, createdAt }): OpenEnd => {
    const said = lineParts(noteLine(content), TEXT_CHARACTERS).find(saysOpen);
    const text = marked(said ?? titledLine({ title, content }, TEXT_CHARACTERS), source);
    const kind = type === "error" ? "error" : "progress";
    return { kind, id, handle: handleOf(id), text, at: new Date(createdAt).toISOString() };
  });
  return [...fromMemories, ...failuresIn(events)]
    .sort((one, two) => (one.at === two.at ? 0 : one.at < two.at ? 1 : -1))
    .slice(0, limit);
}

/** Commands whose last run failed. `events` in any order. */
function failuresIn(events: readonly SessionRecord[]): OpenEnd[] {
  const last = new Map<string, SessionRecord>();
  for (const event of events) {
    const command = commandIn(event);
    if (command === null) continue;
    const known = last.get(command);
    if (!known || event.at > known.at) last.set(command, event);
  }
  return [...last].flatMap(([command, { kind, at }]) => {
    if (kind !== "failure" || !CHECKS.test(command)) return [];
    const text = `${windowLine(command, TEXT_CHARACTERS)} failed`;
    return [{ kind: "failure", id: null, handle: null, text, at: new Date(at).toISOString() } satisfies OpenEnd];
  });
}

function commandIn({ payload }: SessionRecord): string | null {
  const command = payload["command"];
  return typeof command === "string" && command.trim() !== "" ? command.trim() : null;
}
