/** A context window as text. Ghost messages are for hosts and not part of it. */
import type { ContextWindow, Pattern, WindowMemory } from "./context-window.ts";

export const NOTHING_IN_WINDOW = "Nothing is remembered about this yet.";

export function windowText({ working, relevant, patterns, suggestions }: Omit<ContextWindow, "ghostMessages">): string {
  const parts = [
    part("Working", working.map(memoryLine)),
    part("Relevant", relevant.filter(({ isRecent }) => !isRecent).map(memoryLine)),
    part("Recent", relevant.filter(({ isRecent }) => isRecent).map(memoryLine)),
    part("Patterns", patterns.map(patternLine)),
    part(
      "Suggestions",
      suggestions.map(({ text, command }) => `- ${text}: \`${command}\``),
    ),
  ];
  return parts.filter((text) => text !== "").join("\n") || NOTHING_IN_WINDOW;
}

const part = (title: string, lines: readonly string[]): string =>
  lines.length > 0 ? [title, ...lines].join("\n") : "";

function memoryLine({ handle, shelf, type, scope, title, content, createdAt, stale }: WindowMemory): string {
  const kind = shelf === "memory" ? type : shelf;
  const facts = [kind, ...(scope === "global" ? [scope] : []), dayOf(createdAt), ...(stale ? [`stale: ${stale}`] : [])];
  return `- ${handle} (${facts.join(", ")}) ${title && !content.startsWith(title) ? `${title}: ` : ""}${content}`;
}

function patternLine({ text, handle, createdAt, example }: Pattern): string {
  if (handle !== null) return `- ${handle} (${dayOf(createdAt ?? "")}) ${text}`;
  return `- ${text}${example ? `, such as ${example}` : ""}`;
}

export const dayOf = (iso: string): string => iso.slice(0, 10);
