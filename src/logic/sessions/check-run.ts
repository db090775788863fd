/** Runs of tests, builds and linters: whether a command is one, and what it printed that tells the outcome. */
import { shownLine } from "../../model/text/cut.ts";
import { tellingLine } from "./telling-line.ts";
import { programWords, shellCommands } from "./shell-commands.ts";

export interface CheckRun {
  command: string;
  passed: boolean;
  outcome: string;
}

/** These do nothing else. */
const CHECKERS: ReadonlySet<string> = new Set(
  (
    "pytest jest vitest mocha ava tap jasmine karma cypress rspec phpunit pest tox nox ctest gotestsum busted bats " +
    "tsc vue-tsc eslint biome oxlint stylelint ruff mypy pyright flake8 pylint golangci-lint staticcheck shellcheck " +
    "hadolint rubocop swiftlint ktlint detekt phpstan psalm credo dialyzer clippy typecheck"
  ).split(" "),
);
/** These do what their first words say. */
const TASKS: ReadonlySet<string> = new Set(
  (
    "npm pnpm yarn bun deno node go cargo dotnet swift mvn mvnw gradle gradlew make gmake cmake ninja just task mise rake " +
    "rails mix zig composer nx turbo bazel lerna rush moon xcodebuild flutter dart sbt lein stack cabal python python3 " +
    "ruby php prettier black docker playwright"
  ).split(" "),
);
const TASK =
  /^(?:[\w.@:/-]*[:/])?(?:(?:unit|integration|e2e)-?)?(?:tests?|lint|check|build|compile|verify|vet|clippy|typecheck|type-check|tsc|pytest|unittest|jest|vitest|eslint|mypy|ruff|nextest|e2e|spec|--check|--test)(?:[:.-][\w.:-]*)?$/i;
const TASK_WORDS = 4;
/** Options whose value is no task. */
const VALUED: ReadonlySet<string> = new Set(
  "-C -f -F -p -w --prefix --filter --workspace --manifest-path --project --dir".split(" "),
);
const COMMAND_CHARACTERS = 100;
const OUTCOME_CHARACTERS = 140;

function isCheck([program = "", ...rest]: readonly string[]): boolean {
  if (CHECKERS.has(program)) return true;
  if (!TASKS.has(program)) return false;
  if (INTERPRETERS.has(program)) return rest.includes("--test") || (rest[0] === "-m" && TASK.test(rest[1] ?? ""));
  const tasks = rest
    .filter((word, index) => !VALUED.has(rest[index - 1] ?? "") && !VALUED.has(word))
    .slice(0, TASK_WORDS);
  if (NOT_RUN.has(tasks[0] ?? "")) return false;
  return tasks.length === 0 ? program === "make" : tasks.some((word) => TASK.test(word));
}

/** They run a program, whose words are its own. */
const INTERPRETERS: ReadonlySet<string> = new Set("node python python3 ruby php".split(" "));

/** They fetch what they name. */
const NOT_RUN: ReadonlySet<string> = new Set(
  "install i add ci remove uninstall update upgrade outdated ls list info view init new create publish get mod fetch clean login".split(
    " ",
  ),
);

const FAILED_LINE =
  /^[ \t]*(?:FAIL(?:ED|URES?)?\b|--- FAIL|not ok\b|[✗✘✖×⨯])|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|issues?|problems?)\b|\bERROR task failed|\bBUILD FAILED\b|\sFAILED$|\berror(?: TS\d+|\[\w+\])?: |^make(?:\[\d+\])?: \*\*\*/m;
const COUNTED =
  /\b\d+\s+(?:tests?|passed|passing|failed|failing|failures?|errors?|issues?|problems?|warnings?|examples?|specs?|suites?|assertions?|ok)\b|^\s*Tests?:|\btest result:|^# (?:pass|tests)\s/i;
const ENDED_WELL =
  /^\s*(?:ok\s|PASS\b|OK\b|BUILD SUCCESS|Finished\b|All .*passed|Success|Done in|✓|✔|Compiled\b|Build )/;
/** A runner that shows what it runs. */
const ECHOED = /^\s*(?:\[[\w:.-]+\] )?\$ |^> |^\[[\w:.-]+\] /;
/** What a program says of a command that it let go on by itself. */
const IN_BACKGROUND = /^Command (?:is )?(?:running|was (?:manually )?moved)/;

/** The last one in a command; null when there is none, or its outcome cannot be told. */
export function checkRun(call: { command: string; output: string; failed: boolean }): CheckRun | null {
  const { output, failed } = call;
  const commands = shellCommands(call.command);
  const at = commands.findLastIndex((one) => isCheck(programWords(one)));
  if (at < 0 || IN_BACKGROUND.test(output)) return null;
  const { words, then } = commands[at]!;
  const isHidden = then === "|" || then === "||" || then === ";";
  const isTold = FAILED_LINE.test(output);
  const isLast = commands.slice(at).every(({ then: next }) => next === "|" || next === "");
  // Something after it failed, or before it.
  if (failed && !isTold && !isLast) return null;
  const passed = !failed && !(isHidden && isTold);
  return {
    command: shownLine(words.filter((word) => !/^\w+=/.test(word)).join(" "), COMMAND_CHARACTERS),
    passed,
    // What follows it may have printed anything.
    outcome: isLast || !passed ? shownLine(outcomeOf(output, passed), OUTCOME_CHARACTERS) : "",
  };
}

function outcomeOf(output: string, passed: boolean): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !ECHOED.test(line));
  if (!passed) return tellingLine(output) ?? lines.findLast((line) => FAILED_LINE.test(line)) ?? lines.at(-1) ?? "";
  return lines.findLast((line) => COUNTED.test(line) || ENDED_WELL.test(line)) ?? lines.at(-1) ?? "";
}
