import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CheckRun, checkRun, programWords, shellCommands, whatRuns } from "../../src/sessions/commands.ts";

type Case = [command: string, output: string, failed: boolean, CheckRun | null];
const passed = (command: string, outcome: string): CheckRun => ({ command, passed: true, outcome });
const failing = (command: string, outcome: string): CheckRun => ({ command, passed: false, outcome });
const cases: Case[] = [
  ["npm test", "> shop@1.0.0 test\n\n12 passed, 0 failed\n", false, passed("npm test", "12 passed, 0 failed")],
  [
    "cd shop && npx vitest run 2>&1 | tail -5",
    "Tests  4 passed (4)",
    false,
    passed("npx vitest run", "Tests 4 passed (4)"),
  ],
  [
    "go test ./... | tail -3",
    "--- FAIL: TestCart (0.1s)\nFAIL",
    false,
    failing("go test ./...", "--- FAIL: TestCart (0.1s)"),
  ],
  ["make lint && make test", "0 issues.\nok shop/cart 0.2s", false, passed("make test", "ok shop/cart 0.2s")],
  [
    "./gradlew :app:test",
    "CartTest > adds FAILED\nBUILD FAILED in 3s",
    true,
    failing("./gradlew :app:test", "CartTest > adds FAILED"),
  ],
  ["cargo build --release", "", false, passed("cargo build --release", "")],
  [
    "python -m pytest -q tests/cart",
    "3 passed in 0.1s",
    false,
    passed("python -m pytest -q tests/cart", "3 passed in 0.1s"),
  ],
  ["uv run ruff check .", "All checks passed!", false, passed("uv run ruff check .", "All checks passed!")],
  ["pnpm --filter shop typecheck", "", false, passed("pnpm --filter shop typecheck", "")],
  ["tsc && node dist/main.js", "listening failed: port", true, null],
  ["npm run build", "Command running in background with ID: b1", false, null],
  ["git status", "", false, null],
  ["grep -rn test src", "src/a.ts: test", false, null],
  ["echo 'npm test'", "npm test", false, null],
  ["npm install jest", "added 3 packages", false, null],
  ["cat <<'EOF' > x.sh\nnpm test\nEOF", "", false, null],
];
for (const [command, output, failed, expected] of cases)
  test(command, () => assert.deepEqual(checkRun({ command, output, failed }), expected));

const commands: [string, string[][]][] = [
  ["a b; c && d | e", [["a", "b"], ["c"], ["d"], ["e"]]],
  ["git commit -m 'a; b && c' x", [["git", "commit", "-m", "a; b && c", "x"]]],
  ['echo "a \\" | b" 2>&1 >out.txt', [["echo", 'a " | b'.replace('"', '\\"')]]],
  ["cat <<EOF | sh\nrm x\nEOF\nls", [["cat"], ["sh"], ["ls"]]],
  ["a \\\n  b", [["a", "b"]]],
];
for (const [text, words] of commands)
  test(JSON.stringify(text), () => assert.deepEqual(shellCommands(text).map((one) => one.words), words)); // prettier-ignore

const runs: [string, string | null][] = [
  ["cd a && npm run lint -- --fix | head", "npm run lint"],
  ["FOO=1 timeout 60 /usr/bin/go test ./...", "go test"],
  ["npx eslint src", "eslint src"],
  ["ls", "ls"],
  ["cd a", null],
  ["", null],
];
for (const [text, expected] of runs) test(`runs of ${text}`, () => assert.equal(whatRuns(text), expected));

test("no line of a shell throws", () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(..."a 'x' \" \\ \n | || && & ; ( ) > < << EOF 2>&1 npm test".split(/(?<= )/)), {
        maxLength: 30,
      }),
      (all) => {
        const text = all.join("");
        for (const command of shellCommands(text))
          assert.ok(command.words.length > 0 && Array.isArray(programWords(command)));
        checkRun({ command: text, output: text, failed: false });
      },
    ),
  ));
