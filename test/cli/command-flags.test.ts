/** Flags of process commands: what is taken, and what is said of a mistake. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandFlags } from "../../src/cli/commands.ts";

const options = {
  port: { type: "string" },
  yes: { type: "boolean", default: false },
  name: { type: "string", multiple: true, default: [] as string[] },
} as const;

test("flags and words are read as they are meant", () => {
  const { values, positionals } = commandFlags("x", ["codex", "--port=-1", "--name", "a", "--name", "-"], {
    options,
    allowPositionals: true,
  });
  assert.deepEqual({ ...values }, { port: "-1", yes: false, name: ["a", "-"] });
  assert.deepEqual(positionals, ["codex"]);
});

const mistakes: [argv: string[], message: string, hint: RegExp][] = [
  [["--nope"], "There is no flag --nope here.", /^See `stele x --help`\.$/],
  [["-n"], "There is no flag -n here.", /^See/],
  [["--prot", "3"], "There is no flag --prot here.", /^Did you mean --port\?$/],
  [["--constructor"], "There is no flag --constructor here.", /^See/],
  [["extra"], 'x does not take the argument "extra".', /^See/],
  [["--", "--yes"], 'x does not take the argument "--yes".', /^See/],
  [["--port"], "--port needs a value.", /^See/],
  [["--port", "--yes"], "--port needs a value.", /^If --yes is the value, write --port=--yes\.$/],
  [["--yes=now"], "--yes takes no value.", /^See/],
];
for (const [argv, message, hint] of mistakes)
  test(`refused: ${argv.join(" ")}`, () => {
    assert.throws(() => commandFlags("x", argv, { options }), { code: "invalid_input", message, hint });
  });
