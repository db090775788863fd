/** A line that is typed unseen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenLine } from "../../src/cli/prompt.ts";
import { streams } from "../hosts/fixtures/streams.ts";

/** What the terminal was told, in order: its modes, and what was written. */
function noted(keys: readonly string[]) {
  const { io, err } = streams({ tty: true, keys });
  const modes: string[] = [];
  const { setRawMode } = io.stdin;
  Object.assign(io.stdin, {
    setRawMode: (isRaw: boolean) => {
      modes.push(`${isRaw ? "raw" : "as before"} after ${JSON.stringify(err())}`);
      setRawMode?.(isRaw);
    },
  });
  return { io, err, modes };
}

test("what is typed is returned and never shown, even by a terminal that echoes until it is told not to", async () => {
  const { io, err, modes } = noted(["s", "x", "\u007f", "ü", "\r"]);
  assert.equal(await hiddenLine(io, "Passphrase: "), "sü");
  assert.equal(modes[0], 'raw after ""');
  assert.match(modes[1]!, /^as before/);
  assert.equal(err(), "Passphrase: \n");
});

test("Ctrl-C and an empty end cancel", async () => {
  for (const keys of [["a", "\u0003"], ["\u0004"]]) assert.equal(await hiddenLine(noted(keys).io, "? "), null);
});
