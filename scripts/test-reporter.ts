/**
 * A test reporter for people and logs: failures in full as they occur, then one line per file, and the totals.
 *
 * `spec` prints a line for each of hundreds of tests, `dot` prints no counts. A test's standard error and diagnostics are
 * passed on; its standard output is not. A skipped test, for whatever reason, counts as failed.
 */
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

type Event<Type> = Extract<TestEvent, { type: Type }>;
type Passed = Event<"test:pass">["data"];
type Failed = Event<"test:fail">["data"];

/** Tests may change the working directory. */
const ROOT = process.cwd();

interface Tally {
  passed: number;
  failed: number;
  ms: number;
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, Tally>();
  for await (const event of source) {
    if (event.type === "test:stderr") yield event.data.message;
    // The runner's own summary belongs to no file.
    if (event.type === "test:diagnostic" && event.data.file !== undefined) yield `${event.data.message}\n`;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    // A file without tests would count as a test.
    if (event.data.file?.endsWith("test-setup.ts")) continue;
    const fault = faultOf(event.data);
    count(event.data, fault, files);
    if (fault !== null) yield describe(event.data, fault);
  }
  // A suite filled by other files has no tests of its own.
  yield* [...files].filter(([, { passed, failed }]) => passed + failed > 0).map(fileLine);
  const sum = (name: keyof Tally) => [...files.values()].reduce((total, tally) => total + tally[name], 0);
  yield `${sum("passed")} passed, ${sum("failed")} failed\n`;
}

/** Null if all is well, or if only a subtest failed, which has been reported. */
function faultOf({ details, skip, todo }: Passed | Failed): unknown {
  const left = { skip, todo };
  for (const [how, reason] of Object.entries(left)) {
    if (reason !== undefined && reason !== false) return `It is marked as ${how}, and no test is left out.`;
  }
  if (!("error" in details)) return null;
  const { failureType, cause } = details.error as Error & { failureType?: string };
  return failureType === "subtestsFailed" ? null : (cause ?? details.error);
}

/** Files that share a process have no summary of their own. */
function count({ file = "?", nesting, details }: Passed | Failed, fault: unknown, files: Map<string, Tally>): void {
  const tally = files.get(file) ?? { passed: 0, failed: 0, ms: 0 };
  files.set(file, tally);
  if (nesting === 0) tally.ms += details.duration_ms;
  if (fault !== null) tally.failed += 1;
  else if (details.type !== "suite" && !("error" in details)) tally.passed += 1;
}

function fileLine([file, { passed, failed, ms }]: [string, Tally]): string {
  const facts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}`;
  return `${failed > 0 ? "FAIL" : "ok  "}  ${relative(ROOT, file)}  ${facts}  ${Math.round(ms)} ms\n`;
}

function describe({ name, file, line }: Passed | Failed, fault: unknown): string {
  const where = file === undefined ? "" : ` (${relative(ROOT, file)}:${line ?? "?"})`;
  return `\nFAILED: ${name}${where}\n${typeof fault === "string" ? fault : inspect(fault, { depth: 5 })}\n\n`;
}
