/** What the doctor says about the server of a shared project. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeTeam, type TeamLook } from "../../src/maintenance/doctor-rules.ts";
import type { TeamCondition } from "../../src/team/team.ts";

const sound: TeamCondition = {
  server: "PostgreSQL 18.4",
  user: "me",
  isEncrypted: true,
  role: "writer",
  version: 1,
  newest: 1,
  extensions: ["plpgsql"],
  roundTripMs: 2,
  granted: "writer",
  mayWrite: true,
};
const look = (set: Partial<TeamCondition>, isHere = false): TeamLook => ({
  schema: "stele_app",
  server: "db.example/stele",
  isHere,
  reports: 0,
  found: { ...sound, ...set },
});

test("a project that is not shared needs no word", () => assert.deepEqual(judgeTeam(null), []));

test("a sound connection is told with role, encryption, schema and time", () => {
  const [finding, ...others] = judgeTeam(look({}));
  assert.deepEqual([finding?.state, others], ["ok", []]);
  assert.match(finding!.message, /app on db\.example\/stele .*me is a writer; encrypted; schema 1; 2\.0 ms/);
});

test("a fault is told with its next step", () => {
  const [finding] = judgeTeam({ ...look({}), found: { message: "It cannot be reached.", hint: "Check it." } });
  assert.deepEqual([finding?.state, finding?.next], ["problem", "Check it."]);
});

const cases: [Partial<TeamCondition>, boolean, ("ok" | "note" | "problem")[], string][] = [
  [{ role: null, granted: null }, false, ["problem"], "no role"],
  [{ role: null, mayWrite: false }, false, ["problem", "note"], "a role that is granted and not inherited"],
  [{ role: "reader", mayWrite: false }, false, ["ok", "note", "note"], "a reader who does not inherit a higher role"],
  [
    { version: null, role: null, granted: null, mayWrite: false },
    false,
    ["problem", "problem"],
    "nothing that may be read",
  ],
  [{ newest: 2 }, false, ["problem"], "tables of an older version"],
  [{ isEncrypted: false }, false, ["ok", "note"], "plain text on the way"],
  [{ isEncrypted: false }, true, ["ok"], "plain text that never leaves this machine"],
  [
    { role: "reader", granted: "reader", mayWrite: false },
    false,
    ["ok", "note"],
    "a reader, whose sessions are not captured",
  ],
  [{ roundTripMs: 300 }, false, ["ok", "note"], "a long way"],
];
for (const [set, isHere, states, why] of cases)
  test(`${why}: ${states.join(", ")}`, () =>
    assert.deepEqual(
      judgeTeam(look(set, isHere)).map(({ state }) => state),
      states,
    ));
