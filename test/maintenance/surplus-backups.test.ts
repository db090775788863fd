import assert from "node:assert/strict";
import { test } from "node:test";
import { type BackupFile, fitsBudget, surplusBackups } from "../../src/maintenance/backup.ts";
import { DAY_MS } from "../../src/time/calendar.ts";

const NOW = 100 * DAY_MS;
const file = (bytes: number): BackupFile => ({ store: "project", name: "project.db", bytes, sha256: "", schema: 1 });
const made = (daysAgo: number, megabytes = 1) => ({
  id: `of-${daysAgo}`,
  at: NOW - daysAgo * DAY_MS,
  files: [file(megabytes * 1_000_000)],
});
const LIMITS = { keep: 5, keepDays: 30, megabytes: 10 };

const cases: [why: string, backups: ReturnType<typeof made>[], limits: Partial<typeof LIMITS>, gone: string[]][] = [
  ["few, young and small ones stay", [made(0), made(1), made(2)], {}, []],
  ["the oldest go when there are too many, in whatever order", [made(2), made(0), made(1)], { keep: 2 }, ["of-2"]],
  ["old ones go", [made(0), made(30), made(31)], {}, ["of-31"]],
  ["the newest stays however old it is", [made(50), made(51)], {}, ["of-51"]],
  ["the oldest go when there is no room", [made(0, 4), made(1, 4), made(2, 4)], {}, ["of-2"]],
  ["a smaller one behind a large one leaves no gap", [made(0, 4), made(1, 8), made(2, 1)], {}, ["of-1", "of-2"]],
  ["the newest stays however large it is", [made(0, 40), made(1)], {}, ["of-1"]],
  ["nothing", [], {}, []],
];
for (const [why, backups, limits, gone] of cases)
  test(why, () => assert.deepEqual(surplusBackups(backups, { ...LIMITS, ...limits }, NOW), gone));

test("what is larger alone than the room there is does not fit", () => {
  assert.equal(fitsBudget(made(0, 10), LIMITS), true);
  assert.equal(fitsBudget({ files: [file(6_000_000), file(6_000_000)] }, LIMITS), false);
});
