/** Context windows of any content. */
import fc from "fast-check";
import { windowLine } from "../../src/briefing/lines.ts";
import type { ContextWindow, GhostMessage, Pattern, Suggestion, WindowMemory } from "../../src/briefing/window.ts";
import { anyCharacter } from "../any-character.ts";

export const windowMemory = (content: string, set: Partial<WindowMemory> = {}): WindowMemory => ({
  id: content,
  handle: "0123abcd",
  shelf: "memory",
  scope: "project",
  type: "fact",
  title: null,
  content,
  createdAt: "2026-01-15T00:00:00.000Z",
  relevance: null,
  isRecent: false,
  stale: null,
  ...set,
});

export const pattern = (text: string, set: Partial<Pattern> = {}): Pattern => ({
  source: "code",
  text,
  language: null,
  id: null,
  handle: null,
  createdAt: null,
  files: 3,
  example: "a.ts:1",
  ...set,
});

export const suggestion = (text: string): Suggestion => ({
  kind: "stale",
  text,
  handles: ["0123abcd"],
  command: "stele get 0123abcd",
});

export const ghost = (content: string): GhostMessage => ({
  id: content,
  role: "user",
  content,
  timestamp: "2026-01-15T00:00:00.000Z",
  isVisible: false,
  trigger: "preferences",
});

const line = fc.string({ unit: anyCharacter, maxLength: 600 }).map((text) => windowLine(text, 300));
const many = <T>(make: (text: string) => T) => fc.array(line.map(make), { maxLength: 12 });

export const anyWindow: fc.Arbitrary<ContextWindow> = fc.record({
  working: many((text) => windowMemory(text, { title: text, stale: text })),
  relevant: many((text) => windowMemory(text, { relevance: 0.5 })),
  patterns: many((text) => pattern(text)),
  suggestions: many(suggestion),
  ghostMessages: many(ghost),
});
