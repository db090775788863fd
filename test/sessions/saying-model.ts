/** A language model that answers every question about a stretch of work in the same way, and keeps what it was asked. */
import type { Llm } from "../../src/ports.ts";

export function sayingModel(...memories: readonly object[]): Llm & { asked: string[] } {
  const asked: string[] = [];
  return {
    identity: "scripted",
    asked,
    async complete({ prompt }, attempts) {
      await attempts.begin();
      asked.push(prompt);
      return { text: JSON.stringify({ memories }), inputTokens: 10, outputTokens: 10 };
    },
  };
}

export const CAUSE = {
  type: "bug_fix",
  content: "The login fails at midnight UTC, because the session reads the system clock.",
  subject: "",
  files: ["src/session.ts"],
  symbols: ["createSession"],
  confidence: 0.7,
  priority: 7,
};
export const OPEN = {
  type: "progress",
  content: "`refreshToken()` in src/token.ts still reads the system clock.",
  subject: "",
  files: ["src/token.ts"],
  symbols: [],
  confidence: 0.6,
  priority: 6,
};
