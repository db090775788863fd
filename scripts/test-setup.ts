/**
 * Loaded before all tests of a process: ends it when a test hangs, and reports which one. Fails if a file did not load.
 *
 * The test runner has a limit of its own, but cannot enforce it while a test blocks the thread, or when something left
 * over from a test keeps the process alive. It says nothing of a file that throws after it has declared a test.
 */
import { after, afterEach, beforeEach, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { startDeadline } from "../test/deadline.ts";
import "../test/lane.ts";

/** The runner's own limit comes first: it reports more, and later tests still run. */
const GRACE_MS = 15_000;
const deadline = startDeadline(Number(process.env["TEST_LIMIT_MS"]) + GRACE_MS);
const nameOf = (context: unknown): string => {
  const { fullName, filePath } = context as TestContext;
  return `${fullName} (${filePath})`;
};

beforeEach((context) => deadline.begin(nameOf(context), nameOf(context)));
afterEach((context) => deadline.end(nameOf(context)));
after(() => deadline.begin("the end", "all tests, and something that they left behind keeps the process alive"));

/** A file that has been loaded is not run again; one that threw throws the same again. */
after(async () => {
  for (const file of process.argv.slice(1)) {
    const [loaded] = await Promise.allSettled([import(pathToFileURL(file).href)]);
    if (loaded.status === "fulfilled") continue;
    process.exitCode = 1;
    process.stderr.write(`\nFAILED: ${file} threw while it was loaded\n${inspect(loaded.reason)}\n`);
  }
});
