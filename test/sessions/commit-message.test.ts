import assert from "node:assert/strict";
import { test } from "node:test";
import { commitMessage, commitsMade, isCommit } from "../../src/sessions/make-card.ts";

const messages: [string, string | null][] = [
  ['git commit -m "Cache sessions"', "Cache sessions"],
  ["git add -A && git -C /work commit -am 'Cache sessions'", "Cache sessions"],
  ['git commit -m "Cache sessions" -m "Redis lost them"', "Cache sessions\n\nRedis lost them"],
  [
    "git commit -m \"$(cat <<'EOF'\nCache sessions\n\nRedis lost them.\n\nCo-Authored-By: A <a@b.c>\nEOF\n)\"",
    "Cache sessions\n\nRedis lost them.",
  ],
  ["git commit --amend --no-edit", null],
  ["git log -m 'no'", null],
];
for (const [command, expected] of messages) test(command, () => assert.equal(commitMessage(command), expected));

test("what only looks like a commit is none", () => {
  for (const command of ["git commit-tree x", "git commit --dry-run", "git log --grep commit", "echo commit"])
    assert.equal(isCommit(command), false, command);
});

const made: [string, string, boolean, string[]][] = [
  ["git commit -F msg.txt", "[main 1a2b3c4] Cache sessions\n 1 file changed", false, ["Cache sessions"]],
  ["git commit -qm 'Cache sessions'", "", false, ["Cache sessions"]],
  ["git commit -m 'Cache sessions'", "nothing to commit", true, []],
  ["git commit -m x && npm test", "[dev/a (root-commit) 1a2b3c4] Add a cart\nFAIL", true, ["Add a cart"]],
  ["git cherry-pick 1a2b3c4", "[detached HEAD 1a2b3c4] Add a till", false, ["Add a till"]],
  ["cat log", "[main 1a2b3c4] Cache sessions", false, []],
];
for (const [command, output, failed, subjects] of made)
  test(`made by ${command}`, () => assert.deepEqual(commitsMade({ command, output, failed }).subjects, subjects));
