import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shortOutput } from "../../src/sessions/commands.ts";
import { errorSignature, errorsOf } from "../../src/sessions/errors.ts";
import type { Part, ToolCall } from "../../src/sessions/turns.ts";

const telling: [string, string][] = [
  [
    "Exit code 2\nsrc/a.ts(3,7): error TS2304: Cannot find name 'b'.",
    "src/a.ts(3,7): error TS2304: Cannot find name 'b'.",
  ],
  ["building\nlib/x.c:12:3: warning: unused\nlib/x.c:14:1: error: expected ';'", "lib/x.c:14:1: error: expected ';'"],
  ["shop/cart.go:1: : # shop/cart\nshop/cart.go:9:2: undefined: till", "shop/cart.go:9:2: undefined: till"],
  ["    cart_test.go:12: step one done\n--- FAIL: TestCart (1s)", "--- FAIL: TestCart (1s)"],
  ["Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'name of it'", "KeyError: 'name of it'"],
  ["thread 'main' says\nerror[E0382]: borrow of moved value: `x`", "error[E0382]: borrow of moved value: `x`"],
  ["Exit code 1\n=== RUN TestLogin\n--- FAIL: TestLoginTwice (0.02s)\nFAIL", "--- FAIL: TestLoginTwice (0.02s)"],
  ["Exit code 128\nfatal: not a git repository", "fatal: not a git repository"],
  ["bash: line 1: jqq: command not found", "bash: line 1: jqq: command not found"],
  ["\u001b[31merror\u001b[0m: port 80 is taken", "error: port 80 is taken"],
];
for (const [output, line] of telling) test(line, () => assert.equal(errorSignature(output)?.line, line));

const nothing = [
  "",
  "Exit code 1",
  "ERROR task failed",
  "command not found",
  "npm ERR! code 1",
  "File has not been read yet. Read it first before writing to it.",
  "<tool_use_error>String to replace not found in file.\nString: error: none</tool_use_error>",
  "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  "Permission to use Bash with command ls has been denied.",
  "ok  shop/cart 0.4s\nok  shop/till 0.2s",
];
for (const output of nothing)
  test(`nothing in ${JSON.stringify(output)}`, () => assert.equal(errorSignature(output), null));

const same: [string, string][] = [
  ["/home/ann/shop/src/cart.ts:12:3: error: no total", "D:\\work\\src\\cart.ts:97:14: error: no total"],
  ["error: lock held since 2026-03-01T10:00:00Z by 4711", "error: lock held since 2026-04-09T23:59:59Z by 12"],
  ["fatal: bad object 1a2b3c4d5e6f", "fatal: bad object 9f8e7d6c5b4a"],
  ["Error: no such file '/tmp/tmp.aB3xQ/out'", "Error: no such file `/var/folders/x1/tmp.Zz9/out`"],
  ["--- FAIL: TestLoginTwice (0.02s)", "--- FAIL: TestLoginTwice (11.4s)"],
  ["Error: connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 127.0.0.1:5433"],
];
for (const [one, other] of same)
  test(`the same: ${one}`, () => assert.equal(errorSignature(one)?.key, errorSignature(other)?.key));

const different: [string, string][] = [
  ["a.ts(1,2): error TS2304: Cannot find name 'b'.", "a.ts(1,2): error TS2551: Cannot find name 'b'."],
  ["error: no total in cart.ts", "error: no total in till.ts"],
];
for (const [one, other] of different)
  test(`not the same: ${one}`, () => assert.notEqual(errorSignature(one)?.key, errorSignature(other)?.key));

test("a line is short, and nothing throws", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (noise) => {
      const found = errorSignature(`error: ${noise}`);
      assert.ok(found === null || (found.line.length <= 200 && !found.line.includes("\n")));
    }),
  ));

test("what is cut of an output is never its telling line", () => {
  const output = `${"ok one\n".repeat(300)}--- FAIL: TestLoginTwice (0.02s)\n${"ok two\n".repeat(300)}`;
  const short = shortOutput(output, 1_000);
  assert.ok(short.length <= 1_000);
  assert.deepEqual(errorSignature(short), errorSignature(output));
  assert.ok(short.startsWith("ok one") && short.endsWith("ok two\n"));
  assert.equal(shortOutput("short", 1_000), "short");
});

const NO_CALL: ToolCall = { name: "Bash", command: null, path: null, edits: false, failed: false };
const ran = (command: string, text: string, failed = false): Part => ({
  label: "tool",
  text,
  at: 5,
  call: { ...NO_CALL, command, failed },
});
const edited = (path: string, failed = false): Part => ({
  label: "tool",
  text: failed ? "Error: no such text in the file" : "done",
  at: 4,
  call: { ...NO_CALL, name: "Edit", path, edits: true, failed },
});
const FAILED = "--- FAIL: TestLoginTwice (0.02s)";
/** What changed until it was got over. */
const overcome = (failed: Part, ...later: Part[]) => {
  const [met] = errorsOf([{ at: 1, branch: null, parts: [failed, ...later] }]);
  return met!.changed;
};

const changes: [what: string, changed: string, ...parts: Parameters<typeof overcome>][] = [
  [
    "the same command passed after an edit",
    "editing b.go, a.go",
    ...([ran("go test ./...", FAILED, true), edited("a.go"), edited("b.go"), ran("go test ./...", "ok")] as const),
  ],
  [
    "the same program passed in another way",
    "running CI=1 npm test -- --runInBand",
    ...([ran("cd x && npm test", FAILED, true), ran("CI=1 npm test -- --runInBand", "3 passed")] as const),
  ],
  [
    "the same tool worked on the same file",
    "editing b.go",
    ...([edited("a.go", true), edited("b.go"), edited("a.go")] as const),
  ],
  [
    "another error of the same program went away first",
    "editing a.go, b.go",
    ...([ran("go run a", "Error: no till", true), edited("b.go"), ran("go run a", "Error: no till")] as const),
    ...[edited("a.go"), ran("go run a", "Error: no cart"), edited("c.go"), ran("go run a", "done")],
  ],
];
for (const [what, changed, ...parts] of changes) test(what, () => assert.equal(overcome(...parts), changed));

test("every call is looked at once, however many there are", () => {
  let reads = 0;
  const readsOf = (count: number) => {
    const parts = Array.from({ length: count }, (_, index) =>
      Object.defineProperty(ran("go test ./...", "", index % 2 === 0), "text", {
        get: () => {
          reads += 1;
          return "Error: no till here";
        },
      }),
    );
    reads = 0;
    errorsOf([{ at: 1, branch: null, parts }]);
    return reads;
  };
  assert.equal(readsOf(200), 2 * readsOf(100));
});

const never: [string, Part[]][] = [
  ["nothing followed", []],
  ["it failed again", [edited("a.go"), ran("go test ./...", FAILED, true)]],
  ["its failure was hidden by a pipe", [ran("go test ./... | tail -5", FAILED)]],
  ["another failure was hidden by a pipe", [ran("go test ./... | tail -5", "--- FAIL: TestLogoutTwice (1s)")]],
  ["only something else passed", [ran("go build ./...", ""), ran("npm test", "3 passed")]],
];
for (const [name, later] of never)
  test(`not got over: ${name}`, () => assert.equal(overcome(ran("go test ./...", FAILED, true), ...later), null));
