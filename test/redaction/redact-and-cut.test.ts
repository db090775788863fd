/** What is kept of a long text: no half of a secret, wherever it was divided. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACH_CHARACTERS } from "../../src/redaction/grown-text.ts";
import { beginning } from "../../src/redaction/redact.ts";

/** Made at run time, so that no scanner takes this file for a leak. */
const CANARY = ["ghp", "k7Qw2Zp9".repeat(4) + "Xy4T"].join("_");
const keyBlock = (letters: number) =>
  ["BEGIN", "END"].map((edge) => `-----${edge} PRIVATE KEY-----\n`).join(`${"MIIEvQIB".repeat(letters / 8)}\n`);

test("where redacting leaves little of a text, the end at which it was divided is not kept either", () => {
  const limit = 4_000;
  const seen = limit + 2 * REACH_CHARACTERS;
  const block = keyBlock(1_600);
  for (const within of [6, 12, 20, 30]) {
    const before = block.repeat(Math.floor((seen - within) / block.length));
    const text = `${before}${" ".repeat(seen - within - before.length)}${CANARY} and more`;
    assert.equal(text.indexOf(CANARY) + within, seen, "divided there");
    const kept = beginning(text, limit);
    assert.ok(kept.length < limit / 2, "all else was redacted");
    assert.ok(!kept.includes(CANARY.slice(0, within)), `${within}: …${kept.slice(-40)}`);
  }
});
