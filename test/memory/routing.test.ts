import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryType, Scope } from "../../src/memory/item.ts";
import { type Route, route, ROUTING_TABLES, type RoutingInput } from "../../src/memory/routing.ts";
import { MEMORY_TYPES } from "../../src/memory/shelves.ts";
import { ROUTING_PRESETS, type RoutingPreset } from "../../src/memory/space.ts";
import { statedScope } from "../../src/memory/stated-scope.ts";

const plain: RoutingInput = {
  content: "Anything at all.",
  type: "fact",
  tags: [],
  hasSession: false,
  hasLifetime: false,
};
type Expected = Pick<Route, "scope" | "confidence" | "by">;

const routed = (input: RoutingInput, preset: RoutingPreset = "default"): Route =>
  route(input, ROUTING_TABLES[preset], statedScope(input.content));

function assertRoute(
  input: Partial<RoutingInput>,
  { scope, confidence, by }: Expected,
  preset: RoutingPreset = "default",
): void {
  const found = routed({ ...plain, ...input }, preset);
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
  [
    { content: "In all my projects, use tabs", hasLifetime: true },
    { scope: "working", confidence: 0.9, by: "ttl" },
    "a lifetime beats the text",
  ],
  [
    { content: "In all my projects, use tabs", tags: ["project"] },
    { scope: "project", confidence: 0.95, by: "tag" },
    "a tag beats the text",
  ],
  [
    { content: "In all my projects, use tabs", type: "convention" },
    { scope: "global", confidence: 0.85, by: "text" },
    "the text beats the type",
  ],
  [
    { content: "In this repo I want tabs", type: "preference" },
    { scope: "project", confidence: 0.85, by: "text" },
    "a preference about this project stays here",
  ],
  [
    { content: "In this repo the build is broken right now", type: "thought" },
    { scope: "working", confidence: 0.8, by: "type" },
    "a transient note about this project stays transient",
  ],
  [
    { content: "Use Postgres in all my projects", type: "decision" },
    { scope: "project", confidence: 0.8, by: "type" },
    "a decision belongs to the project, whatever it says",
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
for (const [input, expected, why] of precedence)
  for (const preset of ROUTING_PRESETS) test(`${why} (${preset})`, () => assertRoute(input, expected, preset));

test("the reason quotes what the text says", () => {
  const { reason } = routed({ ...plain, content: "Use tabs in all my projects." });
  assert.equal(reason, 'the text says "in all my projects"');
});

const types: Record<Exclude<MemoryType, "code">, [Scope, number]> = {
  scratchpad: ["working", 0.8],
  message: ["working", 0.8],
  thought: ["working", 0.8],
  pattern: ["project", 0.8],
  convention: ["project", 0.8],
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
const presets: Record<RoutingPreset, typeof types> = {
  default: types,
  seed: { ...types, pattern: ["global", 0.8], convention: ["global", 0.8] },
};
for (const preset of ROUTING_PRESETS) {
  for (const type of MEMORY_TYPES) {
    if (type === "code") continue;
    const [scope, confidence] = presets[preset][type];
    for (const hasSession of [true, false])
      test(`${preset}: ${type} ${hasSession ? "with" : "without"} a session → ${scope} ${confidence}`, () => {
        assertRoute({ type, hasSession }, { scope, confidence, by: "type" }, preset);
      });
  }
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
  test(`${name} is reusable, with or without a session; by default it belongs to them all the same`, () => {
    assertRoute({ type: "code", content }, REUSABLE, "seed");
    assertRoute({ type: "code", content, hasSession: true }, REUSABLE, "seed");
    assertRoute({ type: "code", content }, OF_PROJECT);
    assertRoute({ type: "code", content, hasSession: true }, OF_SESSION);
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
  for (const preset of ROUTING_PRESETS)
    test(`code with ${name} belongs to the project, or to its session (${preset})`, () => {
      assertRoute({ type: "code", content }, OF_PROJECT, preset);
      assertRoute({ type: "code", content, hasSession: true }, OF_SESSION, preset);
    });

test("code obeys caller, tag and lifetime first", () => {
  const code = { type: "code", content: "class Queue {}" } as const;
  assertRoute({ ...code, scope: "working" }, { scope: "working", confidence: 1, by: "caller" });
  assertRoute({ ...code, tags: ["project"] }, { scope: "project", confidence: 0.95, by: "tag" });
  assertRoute({ ...code, hasLifetime: true }, { scope: "working", confidence: 0.9, by: "ttl" });
});

for (const type of ["preference", "convention", "pattern", "gotcha", "fact", "context"] as const)
  test(`the text of a ${type} can say that it holds everywhere`, () =>
    assertRoute({ type, content: "Use tabs in all my projects" }, { scope: "global", confidence: 0.85, by: "text" }));

for (const type of ["code", "error", "bug_fix", "progress", "architecture", "summary", "message", "thought"] as const)
  test(`no text makes ${type} global`, () => {
    const { scope, by } = routed({ ...plain, type, content: "// I use this in all my projects" });
    assert.notEqual(scope, "global");
    assert.equal(by, "type");
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
    const { scope } = route(
      { content, type: "code", tags: [], hasSession: false, hasLifetime: false },
      ROUTING_TABLES.seed,
    );
    assert.equal(scope, isReusable ? "global" : "project");
  });
