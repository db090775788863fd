/**
 * A test reporter for people and logs: one line a file, failures in full, the runner's counts.
 *
 * `spec` prints a line for each of hundreds of tests, `dot` prints no counts. What a test
 * writes to standard error is passed on; its standard output is not.
 */
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

type Event<Type> = Extract<TestEvent, { type: Type }>;
type Passed = Event<"test:pass">["data"];
type Failed = Event<"test:fail">["data"];
type Summary = Event<"test:summary">["data"];

interface Tally {
  passed: number;
  left: number;
  tests: number;
  ms: number;
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: Failed[] = [];
  const counts: string[] = [];
  const files = new Map<string, Tally>();
  for await (const event of source) {
    if (event.type === "test:pass" || event.type === "test:fail") count(event.data, files);
    if (event.type === "test:stderr") yield event.data.message;
    else if (event.type === "test:fail" && isOwnFault(event.data)) failures.push(event.data);
    else if (event.type === "test:diagnostic" && isClosing(event.data)) counts.push(`ℹ ${event.data.message}\n`);
    else if (event.type === "test:summary" && event.data.file === undefined)
      yield* [...[...files].map(fileLine), ...failures.map(describe), ...counts, verdict(event.data, failures)];
  }
}

/** A suite or a file that failed only because a test inside did says nothing new; a test marked todo may fail. */
function isOwnFault({ details, todo }: Failed): boolean {
  const { failureType } = details.error as Error & { failureType?: string };
  return failureType !== "subtestsFailed" && (todo === undefined || todo === false);
}

/** The runner's own counts come as diagnostics of the whole run. */
function isClosing({ nesting, message }: Event<"test:diagnostic">["data"]): boolean {
  return nesting === 0 && /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message);
}

/** Files that share a process have no summary of their own. */
function count({ file = "?", nesting, skip, todo, details }: Passed | Failed, files: Map<string, Tally>): void {
  const tally = files.get(file) ?? { passed: 0, left: 0, tests: 0, ms: 0 };
  if (nesting === 0) tally.ms += details.duration_ms;
  if (details.type === "suite") return;
  const isLeft = [skip, todo].some((reason) => reason !== undefined && reason !== false);
  files.set(file, tally);
  tally.tests += 1;
  tally.left += isLeft ? 1 : 0;
  tally.passed += !isLeft && !("error" in details) ? 1 : 0;
}

function fileLine([file, { passed, left, tests, ms }]: [string, Tally]): string {
  const facts = `${passed} of ${tests}${left > 0 ? `, ${left} left out` : ""}`;
  const isWell = passed + left === tests;
  return `${isWell ? "ok  " : "FAIL"}  ${relative(process.cwd(), file)}  ${facts}  ${Math.round(ms)} ms\n`;
}

function verdict({ counts, duration_ms }: Summary, failures: readonly Failed[]): string {
  const failed = Math.max(failures.length, counts.tests - counts.passed - counts.skipped - counts.todo);
  return `${counts.passed} passed, ${failed} failed in ${(duration_ms / 1000).toFixed(1)} s\n`;
}

function describe({ name, file, line, details: { error } }: Failed): string {
  const where = file === undefined ? "" : ` (${relative(process.cwd(), file)}:${line ?? "?"})`;
  return `\nFAILED: ${name}${where}\n${inspect(error.cause ?? error, { depth: 5 })}\n\n`;
}
