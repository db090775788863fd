/** What is open: progress and errors that somebody stated, and checks that failed last. */
import type { OpenEnd } from "../../model/context/orientation.ts";
import type { SessionRecord } from "../../model/capture/session-record.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item } from "../../model/memory/item.ts";
import { marked, titledLine, windowLine } from "./lines/window-line.ts";

const TEXT_CHARACTERS = 120;

/** Exploring fails all the time; only commands that check or make something leave a problem behind. */
const CHECKS =
  /\b(?:test|tests|spec|build|compile|lint|check|typecheck|tsc|pytest|jest|vitest|make|cargo|gradle|mvn|verify|deploy|migrate|release|publish)\b/i;

/** Somebody stated it. */
export const isOpenEnd = ({ type, source }: Pick<Item, "type" | "source">): boolean =>
  (type === "error" || type === "progress") && source !== "extraction";

export function openEnds(
  memories: readonly Pick<Item, "id" | "type" | "source" | "title" | "content" | "createdAt">[],
  events: readonly SessionRecord[],
  limit: number,
): OpenEnd[] {
  const fromMemories = memories.filter(isOpenEnd).map(({ id, type, source, title, content, createdAt }): OpenEnd => {
    const text = marked(titledLine({ title, content }, TEXT_CHARACTERS), source);
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
