import assert from "node:assert/strict";
import { test } from "node:test";
import { publishedInput, publishedText } from "../../../../src/logic/capture/extractor/published-text.ts";

const BODY = "## Summary\n\n- Round each line\n\n## Test plan\n\n- [x] npm test\n\n## Why\n\nThe tax office does.";
const KEPT = "## Summary\n\n- Round each line\n\n## Why\n\nThe tax office does.";

const published: [string, string, string | null][] = [
  [
    "a pull request",
    `gh pr create --title "Round lines" --body "$(cat <<'EOF'\n${BODY}\nEOF\n)"`,
    `Round lines\n\n${KEPT}`,
  ],
  [
    "a reply to a review",
    'gh api repos/a/b/pulls/1/comments/2/replies -f body="Now uses \\`roundLine()\\`."',
    "Now uses `roundLine()`.",
  ],
  ["a comment on an issue", "glab issue note 3 -b 'Totals are kept in cents.'", "Totals are kept in cents."],
  [
    "a comment on a merge request",
    "glab mr comment 3 --message 'Totals are kept in cents.'",
    "Totals are kept in cents.",
  ],
  [
    "trailers are left out",
    "gh issue create -t 'Rounding' -b 'Lines are not rounded.\n\n🤖 Generated with a tool'",
    "Rounding\n\nLines are not rounded.",
  ],
  ["what is only read is not published", "gh pr view 3 --json body", null],
  ["nor a text in a file", "gh pr create --title 'Round lines' --body-file notes.md", null],
  ["nor what another program says", "echo --body 'Totals are kept in cents.'", null],
];
for (const [what, command, expected] of published) test(what, () => assert.equal(publishedText(command), expected));

test("a tool publishes by its name", () => {
  const input = { title: "Round lines", description: BODY, id: 3, labels: ["bug"] };
  assert.equal(publishedInput("mcp__tracker__create_issue", input), `Round lines\n\n${KEPT}`);
  assert.equal(publishedInput("issue_comment_add", { body: "Totals are kept in cents." }), "Totals are kept in cents.");
  assert.equal(publishedInput("mcp__tracker__get_issue", input), null);
  assert.equal(publishedInput("Bash", { command: "ls", description: "List files" }), null);
  assert.equal(publishedInput("mcp__tracker__update_issue", { state: "Done" }), null);
});
