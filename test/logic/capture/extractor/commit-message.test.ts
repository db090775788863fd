import assert from "node:assert/strict";
import { test } from "node:test";
import { commitMessage, isCommit } from "../../../../src/logic/capture/extractor/commit-message.ts";

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
