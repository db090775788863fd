/** What the doctor says of hooks and the index of a project. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostId } from "../../src/agents/connection.ts";
import { judgeActivity } from "../../src/maintenance/doctor-rules.ts";

const NOW = Date.UTC(2026, 3, 1);
const IDLE = { files: 0, checkedAt: null, reportedAt: null, surfaces: [] };
const NONE = { reports: 0, missing: [] };

test("a project that no hook has reported gets advice that fits: connect a host, or begin a session", () => {
  const next = (...connected: HostId[]) =>
    judgeActivity(IDLE, { fault: null, connected, waiting: NONE }, NOW)[1]!.next!;
  assert.equal(next(), "`stele init` sets hooks up.");
  assert.equal(next("claude-code", "gemini"), "The next session in it will.");
  assert.match(next("claude-code", "codex"), /^The next session in it will\. Codex asks you to trust the hooks/);
});

test("what hooks reported is dated, and their last fault is told even without a store", () => {
  const [, hooks, fault] = judgeActivity(
    { ...IDLE, reportedAt: NOW - 7_200_000 },
    { fault: "disk full", connected: ["cursor"], waiting: NONE },
    NOW,
  );
  assert.deepEqual([hooks!.state, hooks!.message], ["ok", "Hooks or agents last reported 2 hours ago."]);
  assert.equal(fault!.message, "The last fault of a hook: disk full.");
  assert.equal(judgeActivity(null, { fault: "disk full", connected: [], waiting: NONE }, NOW).length, 1);
});

test("reports that wait are told in place of that nothing was reported, with the transcript that is missing", () => {
  const hooksOf = (found: typeof IDLE | null, missing: string[]) =>
    judgeActivity(found, { fault: null, connected: [], waiting: { reports: 13, missing } }, NOW)
      .filter(({ check }) => check === "hooks")
      .map(({ state, message }) => [state, message]);
  const told = ["note", "13 reports of hooks wait for a transcript that is missing: /t/s1.jsonl."];
  assert.deepEqual(hooksOf(IDLE, ["/t/s1.jsonl"]), [told]);
  assert.deepEqual(hooksOf(null, ["/t/s1.jsonl"]), [told]);
  assert.deepEqual(hooksOf(IDLE, []), [["ok", "13 reports of hooks wait to be taken in."]]);
});
