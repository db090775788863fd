import assert from "node:assert/strict";
import { test } from "node:test";
import { route, type Route, type RoutingInput } from "../../../src/logic/memory/routing.ts";
import type { Scope } from "../../../src/model/memory/item.ts";
import { MEMORY_TYPES, type MemoryType } from "../../../src/model/memory/memory.ts";

const plain: RoutingInput = {
  content: "Anything at all.",
  type: "fact",
  tags: [],
  hasSession: false,
  hasLifetime: false,
};
type Expected = Pick<Route, "scope" | "confidence" | "by">;

function assertRoute(input: Partial<RoutingInput>, { scope, confidence, by }: Expected): void {
  const found = route({ ...plain, ...input });
  assert.deepEqual({ scope: found.scope, confidence: found.confidence, by: found.by }, { scope, confidence, by });
  assert.notEqual(found.reason, "");
}

const precedence: [Partial<RoutingInput>, Expected, string][] = [
  [
    { scope: "project", tags: ["temp"], hasLifetime: true, type: "preference" },
    { scope: "project", confidence: 1, by: "caller" },
    "what the caller says beats everything",
  ],
  [
    { tags: ["global"], hasLifetime: true, type: "decision" },
    { scope: "global", confidence: 0.95, by: "tag" },
    "a tag beats a lifetime and the type",
  ],
  [
    { hasLifetime: true, type: "preference" },
    { scope: "working", confidence: 0.9, by: "ttl" },
    "a lifetime beats the type",
  ],
  [{ type: "preference" }, { scope: "global", confidence: 0.8, by: "type" }, "then the type"],
  [{}, { scope: "project", confidence: 0.6, by: "type" }, "else the project"],
  [{ tags: ["temp"] }, { scope: "working", confidence: 0.95, by: "tag" }, "temp is working"],
  [{ tags: ["project"] }, { scope: "project", confidence: 0.95, by: "tag" }, "project is project"],
  [
    { tags: ["project", "global", "temp"] },
    { scope: "working", confidence: 0.95, by: "tag" },
    "of several tags temp wins, wherever it stands",
  ],
  [{ tags: ["project", "global"] }, { scope: "global", confidence: 0.95, by: "tag" }, "then global"],
  [{ tags: ["temporary", "Global"] }, { scope: "project", confidence: 0.6, by: "type" }, "only the exact tags count"],
];
for (const [input, expected, why] of precedence) test(why, () => assertRoute(input, expected));

const types: Record<Exclude<MemoryType, "code">, [Scope, number]> = {
  scratchpad: ["working", 0.8],
  message: ["working", 0.8],
  thought: ["working", 0.8],
  pattern: ["global", 0.8],
  convention: ["global", 0.8],
  preference: ["global", 0.8],
  decision: ["project", 0.8],
  bug_fix: ["project", 0.8],
  documentation: ["project", 0.8],
  error: ["project", 0.8],
  architecture: ["project", 0.6],
  gotcha: ["project", 0.6],
  fact: ["project", 0.6],
  context: ["project", 0.6],
  progress: ["project", 0.6],
  code_description: ["project", 0.6],
  observation: ["project", 0.6],
  summary: ["project", 0.6],
};
for (const type of MEMORY_TYPES) {
  if (type === "code") continue;
  const [scope, confidence] = types[type];
  for (const hasSession of [true, false])
    test(`${type} ${hasSession ? "with" : "without"} a session → ${scope} ${confidence}`, () => {
      assertRoute({ type, hasSession }, { scope, confidence, by: "type" });
    });
}

const REUSABLE = { scope: "global", confidence: 0.85, by: "type" } as const;
const OF_SESSION = { scope: "working", confidence: 0.75, by: "type" } as const;
const OF_PROJECT = { scope: "project", confidence: 0.7, by: "type" } as const;

const reusable: [string, string][] = [
  ["a function", "function clamp(value, low, high) { return Math.min(high, Math.max(low, value)); }"],
  ["a class", "class Queue<T> { push(item: T) {} }"],
  ["an interface", "interface Clock { now(): number }"],
  ["an export", "export const identity = (value) => value;"],
  ["Python", "def chunks(items, size):\n    yield items"],
  ["Rust", "fn swap<T>(left: T, right: T) -> (T, T) { (right, left) }"],
  ["Go", "func Max(left, right int) int { return left }"],
  ["a decorator", "@memoize(100)\nlookup = load"],
  ["a documented statement", "/** Rounds half away from zero. */\nround = (x) => x"],
  ["an example address", 'function demo() { return fetch("https://example.com/api"); }'],
];
for (const [name, content] of reusable)
  test(`${name} is reusable, with or without a session`, () => {
    assertRoute({ type: "code", content }, REUSABLE);
    assertRoute({ type: "code", content, hasSession: true }, REUSABLE);
  });

const particular: [string, string][] = [
  ["a statement", "total = price * count"],
  ["a relative import", 'import { open } from "./store.ts";\nexport function read() { return open(); }'],
  ["a relative require", 'const { open } = require("../../store");\nfunction read() { return open(); }'],
  ["an absolute path", 'function log() { return open("/var/log/app.log"); }'],
  ["a Windows path", 'function log() { return open("C:\\logs\\app.log"); }'],
  ["an address", 'function ping() { return fetch("https://billing.acme.io/health"); }'],
  ["a setting", "export const port = process.env.PORT;"],
  ["a setting in Python", 'def port():\n    return os.environ["PORT"]'],
];
for (const [name, content] of particular)
  test(`code with ${name} belongs to the project, or to its session`, () => {
    assertRoute({ type: "code", content }, OF_PROJECT);
    assertRoute({ type: "code", content, hasSession: true }, OF_SESSION);
  });

test("code obeys caller, tag and lifetime first", () => {
  const code = { type: "code", content: "class Queue {}" } as const;
  assertRoute({ ...code, scope: "working" }, { scope: "working", confidence: 1, by: "caller" });
  assertRoute({ ...code, tags: ["project"] }, { scope: "project", confidence: 0.95, by: "tag" });
  assertRoute({ ...code, hasLifetime: true }, { scope: "working", confidence: 0.9, by: "ttl" });
});

const comments: [content: string, isReusable: boolean, why: string][] = [
  ["/** Adds. */ a + b", true, "a documented line"],
  [`/** ${"long ".repeat(5_000)} */`, true, "however long"],
  ["/** never closed", false, "no end"],
  ["*/ a /** b", false, "the end in front"],
  ["/**/ a", false, "an empty comment"],
  ["/***/ a", true, "an empty documented one"],
  ["/** ".repeat(4_000_000), false, "hostile text comes back"],
];
for (const [content, isReusable, why] of comments)
  test(`code with a comment goes to ${isReusable ? "everywhere" : "the project"}: ${why}`, () => {
    const { scope } = route({ content, type: "code", tags: [], hasSession: false, hasLifetime: false });
    assert.equal(scope, isReusable ? "global" : "project");
  });
