import assert from "node:assert/strict";
import { test } from "node:test";
import type { TranscriptHost } from "../../src/sessions/session.ts";
import { eventsOfLine } from "../../src/sessions/transcripts.ts";
import { foldSession, NEW_SESSION } from "../../src/sessions/turns.ts";
import { claudeLines, codexLines, FIXED_LOGIN } from "./transcript.ts";

/** Without times, and with the names that both give a shell. */
function parts(lines: readonly string[], host: TranscriptHost) {
  const events = lines.flatMap((line, number) => eventsOfLine(line, number, host).events);
  const { steps } = foldSession(NEW_SESSION, events, "session_end");
  const turns = steps.flatMap((step) => ("turn" in step ? [step.turn] : []));
  return turns.map((turn) =>
    turn.parts.map(({ label, text, call }) => [label, text, call && { ...call, name: "shell" }]),
  );
}

test("a session of Codex leaves the same turns as one of Claude Code", () => {
  const found = parts(codexLines(FIXED_LOGIN), "codex");
  assert.deepEqual(found, parts(claudeLines(FIXED_LOGIN), "claude-code"));
  assert.deepEqual(
    found.map((turn) => turn.map(([label]) => label)),
    [["own", "tool", "agent"], ["own", "tool", "agent", "tool"]], // prettier-ignore
  );
});
