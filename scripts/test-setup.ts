/**
 * Loaded before all tests of a process: ends it when a test hangs, and says which one.
 *
 * The test runner has a limit of its own, but cannot hold it while a test keeps the thread, nor when something
 * that a test left behind keeps the process alive.
 */
import { after, afterEach, beforeEach, type TestContext } from "node:test";
import { startDeadline } from "../test/deadline.ts";
import "../test/lane.ts";

/** The runner's own limit comes first: it tells more, and the tests after it still run. */
const GRACE_MS = 15_000;
const deadline = startDeadline(Number(process.env["TEST_LIMIT_MS"]) + GRACE_MS);
const nameOf = (context: unknown): string => {
  const { fullName, filePath } = context as TestContext;
  return `${fullName} (${filePath})`;
};

beforeEach((context) => deadline.begin(nameOf(context), nameOf(context)));
afterEach((context) => deadline.end(nameOf(context)));
after(() => deadline.begin("the end", "all tests, and something that they left behind keeps the process alive"));
