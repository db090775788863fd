import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { redact } from "../../src/redaction/rules/redaction.ts";
import { oneLine } from "../../src/text/short-text.ts";
import { lineText } from "../../src/text/text.ts";
import { runs } from "../lane.ts";

const clean = (text: string) => redact(text).text;

test("whatever is given, a line is short, clean, one line and text, or nothing", () => {
  const piece = fc.constantFrom(
    ...["password=", "[redacted:", "github-token]", "\n", "\ud800", "😀", " ", "\u2028", "word", "0".repeat(7)],
    `gh${"p_"}aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6`,
    "9f86d081884c7d659a2feaa0c55ad015",
  );
  const text = fc.oneof(
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(20, 100, 200), (given, limit) => {
      const line = oneLine(given, limit, clean);
      if (line === null) return;
      assert.ok(lineText(limit).safeParse(line).success, line);
      assert.equal(clean(line), line);
      assert.equal(oneLine(line, limit, clean), line);
    }),
    { numRuns: runs(200) },
  );
});
