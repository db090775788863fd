import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EMPTY_LOG, type LoggedTurn, type TurnLog, endTurn, logEvent } from "../../../src/logic/capture/turn-log.ts";
import type { SessionEvent } from "../../../src/model/capture/session-event.ts";
import { runs } from "../../lane.ts";

const at = (line: number) => ({ line, at: line * 1_000, branch: "main" });
const prompt = (line: number, text: string): SessionEvent => ({ ...at(line), kind: "prompt", text });
const reply = (line: number, text: string): SessionEvent => ({ ...at(line), kind: "reply", text });
const call = (line: number, id: string, command: string): SessionEvent => ({
  ...{ ...at(line), kind: "call", call: id, tool: "Bash" },
  ...{ command, path: null, text: null },
});
const result = (line: number, id: string, text: string, isError = false): SessionEvent => ({
  ...{ ...at(line), kind: "result", call: id, text, isError },
});

function logged(events: readonly SessionEvent[]): LoggedTurn[] {
  let log = EMPTY_LOG;
  const turns: LoggedTurn[] = [];
  for (const event of events) {
    const next = logEvent(log, event);
    // As a checkpoint keeps it.
    log = JSON.parse(JSON.stringify(next.log)) as TurnLog;
    turns.push(...next.ended);
  }
  return [...turns, ...endTurn(log).ended];
}

describe("turns of a session", () => {
  test("reach from a prompt to the next, with replies and errors, without results", () => {
    const turns = logged([
      prompt(0, "Fix the login\nplease"),
      call(1, "a", "npm test"),
      result(2, "a", "1 failed", true),
      reply(3, "The clock was not seeded."),
      call(4, "b", "npm test"),
      result(5, "b", "all passed"),
      prompt(6, "thanks"),
    ]);
    assert.deepEqual(turns, [
      {
        ...{ fromLine: 0, toLine: 5, at: 0, title: "Fix the login please" },
        said: [
          { role: "user", text: "Fix the login\nplease" },
          { role: "tool", text: "$ npm test\n1 failed" },
          { role: "assistant", text: "The clock was not seeded." },
        ],
      },
      { fromLine: 6, toLine: 6, at: 6_000, title: "thanks", said: [{ role: "user", text: "thanks" }] },
    ]);
  });

  test("end at a compaction, and begin without a prompt where a session is resumed", () => {
    const compaction: SessionEvent = { ...at(2), kind: "compaction", text: "so far" };
    const turns = logged([prompt(0, "go"), reply(1, "going"), compaction, reply(3, "gone")]);
    assert.deepEqual(
      turns.map(({ title, said }) => [title, said.length]),
      [
        ["go", 2],
        ["gone", 1],
      ],
    );
  });

  test("are bounded, whatever is said", () => {
    const long = "word ".repeat(10_000);
    const [turn] = logged([prompt(0, long), ...Array.from({ length: 50 }, (_, line) => reply(line + 1, long))]);
    const length = turn!.said.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length <= 24_000, `${length}`);
    assert.ok(turn!.title.length <= 120);
  });

  test("lose nothing that is said, in its order, and never overlap", () => {
    const event = fc.oneof(
      fc.string({ minLength: 1, maxLength: 20 }).map((text) => ({ kind: "prompt" as const, text })),
      fc.string({ minLength: 1, maxLength: 20 }).map((text) => ({ kind: "reply" as const, text })),
      fc.string({ maxLength: 5 }).map((text) => ({ kind: "compaction" as const, text })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (kinds) => {
        const events = kinds.map((one, line): SessionEvent => ({ ...at(line), ...one }));
        const turns = logged(events);
        const expected = events.flatMap((one) =>
          one.kind === "prompt" || one.kind === "reply" ? [one.text.trim()].filter(Boolean) : [],
        );
        assert.deepEqual(
          turns.flatMap(({ said }) => said.map(({ text }) => text)),
          expected,
        );
        for (const [index, { fromLine }] of turns.entries())
          assert.ok(index === 0 || fromLine > turns[index - 1]!.toLine);
      }),
      { numRuns: runs(100) },
    );
  });
});
