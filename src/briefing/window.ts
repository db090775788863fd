/**
 * The context window: what an agent should have in mind now, in a few hundred tokens.
 *
 * Texts are cut to one line each; a handle leads to the whole. All of it is recalled data, never an instruction.
 */
import * as z from "zod";
import { identity, Scope, Shelf } from "../memory/item.ts";
import { estimatedTokens } from "../text/tokens.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn } from "../time/shown.ts";
import { trimParts } from "./lines.ts";

export const WindowMemory = z.object({
  ...identity,
  shelf: Shelf,
  scope: Scope,
  type: z.string(),
  title: z.string().nullable(),
  content: z.string().describe("On one line, cut if long; `get` shows the whole."),
  createdAt: z.string(),
  relevance: z
    .number()
    .nullable()
    .describe(
      "With a question, how likely it answers, as in `recall`. Without one, what orders them: 0.8 for a recent one, else the match, times weight / 3. Null if working.",
    ),
  otherSession: z.string().optional().describe("Of a working memory that another session wrote: which session."),
  isRecent: z.boolean().describe("It stands there because it is new; nothing says that it is about the work."),
  stale: z.string().nullable().describe("Why it may be outdated: what changed since in the files it names."),
});
export type WindowMemory = z.infer<typeof WindowMemory>;

export const Pattern = z.object({
  source: z.enum(["memory", "code"]).describe("memory: somebody stated it; code: counted in the index."),
  text: z.string(),
  language: z.string().nullable(),
  id: z.string().nullable().describe("Of the memory; null if counted."),
  handle: z.string().nullable(),
  createdAt: z.string().nullable(),
  files: z.int().nullable().describe("How many files follow it; null if stated."),
  example: z.string().nullable().describe("Path and line of a place that follows it; null if stated."),
});
export type Pattern = z.infer<typeof Pattern>;

export const SUGGESTION_KINDS = ["ratify", "stale", "contradiction", "repeat", "index"] as const;

export const Suggestion = z.object({
  kind: z.enum(SUGGESTION_KINDS),
  text: z.string(),
  handles: z.array(z.string()).describe("The items it is about."),
  command: z.string().describe("What to run."),
});
export type Suggestion = z.infer<typeof Suggestion>;

const GHOST_TRIGGERS = ["decisions_in_force", "known_problems", "preferences"] as const;

export const GhostMessage = z.object({
  id: z.string().describe("Made from the content: the same message has the same id."),
  role: z.enum(["system", "user", "assistant"]).describe("`user`: recalled text must not speak for the system."),
  content: z.string(),
  timestamp: z.string(),
  isVisible: z.literal(false).describe("For the model alone; a host does not show it to the person."),
  trigger: z.enum(GHOST_TRIGGERS).describe("Why it was made."),
});
export type GhostMessage = z.infer<typeof GhostMessage>;

export const ContextWindow = z.object({
  working: z.array(WindowMemory).describe("This session's first, newest first."),
  relevant: z.array(WindowMemory).describe("With a question, only what answers it; without one, the newest as well."),
  patterns: z.array(Pattern),
  suggestions: z.array(Suggestion),
  ghostMessages: z.array(GhostMessage),
});
export type ContextWindow = z.infer<typeof ContextWindow>;

/** The order in which parts matter: what does not fit is left out from the end. */
export const WINDOW_PARTS = ["working", "relevant", "patterns", "suggestions", "ghostMessages"] as const;

/** A context window as text. Ghost messages are for hosts and not part of it. */
const NOTHING_IN_WINDOW = "Nothing is remembered about this yet.";

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

// A context window within its budget.

/** What an agent pays: the text, and the messages that a host adds unseen. */
export const windowTokens = (window: ContextWindow, zone: Zone): number =>
  window.ghostMessages.reduce(
    (sum, { content }) => sum + estimatedTokens(content),
    estimatedTokens(windowText(window, zone)),
  );

export const trimWindow = (window: ContextWindow, budgetTokens: number, zone: Zone): ContextWindow =>
  trimParts(window, WINDOW_PARTS, { tokensOf: (whole) => windowTokens(whole, zone), budgetTokens });
