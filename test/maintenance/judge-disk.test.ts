/** What the doctor says of the disk: what is taken, and whether there is room for more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeDisk, judgeRoom, type Part, type Room } from "../../src/maintenance/doctor-rules.ts";

const MB = 1_000_000;
const SMALL: Part[] = [
  { part: "spaces", bytes: 3 * MB },
  { part: "backups", bytes: 900 * MB },
];
const LARGE: Part[] = [{ part: "spaces", bytes: 2_000 * MB }];

const cases: [why: string, parts: Part[], room: Room | null, said: [state: string, message: RegExp][]][] = [
  ["there is room", SMALL, { bytes: 500 * MB, files: 1_000 }, []],
  ["the system does not tell", SMALL, null, []],
  ["files are not counted", SMALL, { bytes: 500 * MB, files: null }, []],
  ["full", SMALL, { bytes: 0, files: 9 }, [["problem", /is full: 0\.0 MB are free, so nothing can be stored\.$/]]],
  ["as good as full", SMALL, { bytes: MB - 1, files: 9 }, [["problem", /is full: 1\.0 MB are free/]]],
  ["nearly full", SMALL, { bytes: MB, files: 9 }, [["note", /is nearly full: 1\.0 MB are free, less than a backup/]]],
  ["nearly full, for little", SMALL, { bytes: 99 * MB, files: 9 }, [["note", /is nearly full: 99\.0 MB are free\.$/]]],
  ["too full for a backup", LARGE, { bytes: 1_999 * MB, files: 9 }, [["note", /free, less than a backup takes\.$/]]],
  ["room for a backup", LARGE, { bytes: 2_000 * MB, files: 9 }, []],
  ["no files left", SMALL, { bytes: 500 * MB, files: 0 }, [["problem", /takes no more files\.$/]]],
  ["nothing stored yet, and full", [], { bytes: 0, files: 9 }, [["problem", /is full/]]],
];
for (const [why, parts, room, said] of cases)
  test(`the disk: ${why}`, () => {
    const findings = judgeRoom(parts, room);
    assert.deepEqual(
      findings.map(({ check, state }) => [check, state]),
      said.map(([state]) => ["disk", state]),
    );
    for (const [at, [, message]] of said.entries()) {
      assert.match(findings[at]!.message, message);
      assert.notEqual(findings[at]!.next, null);
    }
  });

test("what is taken is told first, by part", () => {
  const [taken, full] = judgeDisk(SMALL, { bytes: 0, files: 9 });
  assert.deepEqual([taken!.state, taken!.message], ["ok", "903.0 MB in all: spaces 3.0 MB, backups 900.0 MB."]);
  assert.equal(full!.state, "problem");
  assert.equal(judgeDisk([], null)[0]!.message, "Nothing is stored yet.");
});
