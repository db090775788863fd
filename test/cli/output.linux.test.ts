/** A terminal is recognised as one. */
import assert from "node:assert/strict";
import { closeSync, constants, openSync } from "node:fs";
import { test } from "node:test";
import { directOutput } from "../../src/cli/output.ts";

test("a terminal is one", () => {
  const descriptor = openSync("/dev/ptmx", constants.O_RDWR | constants.O_NOCTTY);
  try {
    assert.equal(directOutput(descriptor, () => assert.fail("no stream is needed")).isTTY, true);
  } finally {
    closeSync(descriptor);
  }
});
