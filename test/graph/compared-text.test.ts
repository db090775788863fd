/** What of a memory is compared with others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedText, comparedWords } from "../../src/graph/likeness.ts";

test("summary and content are compared, of long texts the beginning", () => {
  const memory = { summary: "the summary", content: `${"word ".repeat(10_000)}end` };
  const text = comparedText(memory);
  assert.ok(text.startsWith("the summary\nword"));
  assert.ok(!text.includes("end") && text.length < 21_000);
  assert.deepEqual([...comparedWords(memory)], ["summari", "word"]);
});
