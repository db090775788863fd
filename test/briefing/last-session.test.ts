import assert from "node:assert/strict";
import { test } from "node:test";
import { lastSession } from "../../src/briefing/last-session.ts";
import type { SessionTrace } from "../../src/sessions/session.ts";

const NOW = 10_000_000;
const MINUTE = 60_000;
const trace = (session: string, minutesAgo: number, set: Partial<SessionTrace> = {}): SessionTrace => ({
  session,
  host: "claude-code",
  by: "event",
  lastAt: NOW - minutesAgo * MINUTE,
  endedAt: null,
  ...set,
});
const ended = (session: string, minutesAgo: number) =>
  trace(session, minutesAgo, { endedAt: NOW - minutesAgo * MINUTE });
const write = (session: string, minutesAgo: number, host = "mcp") => trace(session, minutesAgo, { by: "write", host });
const MADE_HERE = "01890000-0000-7000-8000-000000000000";

const CASES: [string, SessionTrace[], string | null][] = [
  ["nothing is known", [], null],
  ["only this session", [trace("own", 1), write("own", 2)], null],
  ["the latest other one", [trace("own", 0), ended("a", 90), ended("b", 60)], "b"],
  ["one that ended a moment ago", [ended("a", 1)], "a"],
  ["one without an end, half an hour ago", [trace("a", 31)], "a"],
  ["hooks report this session under another name", [trace("a", 1), ended("b", 60)], "b"],
  ["the same, while the server writes under its own", [trace("a", 1), write("own", 0), ended("b", 60)], "b"],
  ["hooks know this session: another one beside it counts", [trace("own", 0), trace("a", 1), ended("b", 60)], "a"],
  ["a resumed session has no end yet", [trace("a", 1, { endedAt: NOW - 5 * MINUTE }), ended("b", 60)], "b"],
  ["another server, which reports nothing", [write("a", 3)], "a"],
  ["commands in a terminal are no session", [write(MADE_HERE, 3, "cli")], null],
  ["commands of an agent that names its session are", [write("s-1", 3, "cli")], "s-1"],
  ["commands within a reported session", [write(MADE_HERE, 1, "cli"), ended(MADE_HERE, 2)], MADE_HERE],
];
for (const [what, traces, expected] of CASES)
  test(what, () => assert.equal(lastSession(traces, "own", NOW)?.session ?? null, expected));

test("all traces of a session count together, and the hooks' name for the host", () => {
  const found = lastSession([write("a", 3), ended("a", 5)], "own", NOW);
  assert.deepEqual(found, { session: "a", host: "claude-code", at: NOW - 3 * MINUTE });
});

test("a trace from the future is as late as now", () => {
  assert.equal(lastSession([ended("a", -60)], "own", NOW)?.at, NOW);
});
