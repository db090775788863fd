/** A context window as text. Ghost messages are for hosts and not part of it. */
import { dayIn } from "../time/day-shown.ts";
import type { Zone } from "../time/zone.ts";
import type { ContextWindow, Pattern, WindowMemory } from "./context-window.ts";

export const NOTHING_IN_WINDOW = "Nothing is remembered about this yet.";

export function windowText(
  { working, relevant, patterns, suggestions }: Omit<ContextWindow, "ghostMessages">,
  zone: Zone,
): string {
  const memoryLine = memoryLineIn(zone);
  const parts = [
    part("Working", working.map(memoryLine)),
    part("Relevant", relevant.filter(({ isRecent }) => !isRecent).map(memoryLine)),
    part("Recent", relevant.filter(({ isRecent }) => isRecent).map(memoryLine)),
    part(
      "Patterns",
      patterns.map((one) => patternLine(one, zone)),
    ),
    part(
      "Suggestions",
      suggestions.map(({ text, command }) => `- ${text}: \`${command}\``),
    ),
  ];
  return parts.filter((text) => text !== "").join("\n") || NOTHING_IN_WINDOW;
}

const part = (title: string, lines: readonly string[]): string =>
  lines.length > 0 ? [title, ...lines].join("\n") : "";

const memoryLineIn =
  (zone: Zone) =>
  ({ handle, shelf, type, scope, title, content, createdAt, stale, otherSession }: WindowMemory): string => {
    const kind = shelf === "memory" ? type : shelf;
    const day = dayIn(createdAt, zone);
    const facts = [
      ...[kind, ...(scope === "global" ? [scope] : []), day],
      ...(otherSession === undefined ? [] : [`another session: ${otherSession}`]),
      ...(stale ? [`stale: ${stale}`] : []),
    ];
    return `- ${handle} (${facts.join(", ")}) ${title && !content.startsWith(title) ? `${title}: ` : ""}${content}`;
  };

function patternLine({ text, handle, createdAt, example }: Pattern, zone: Zone): string {
  if (handle !== null) return `- ${handle} (${dayIn(createdAt ?? "", zone)}) ${text}`;
  return `- ${text}${example ? `, such as ${example}` : ""}`;
}
