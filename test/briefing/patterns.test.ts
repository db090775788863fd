import assert from "node:assert/strict";
import { test } from "node:test";
import { rankPatterns, workLanguage } from "../../src/briefing/context-parts.ts";
import type { Source } from "../../src/memory/item.ts";
import { pattern } from "./window-samples.ts";

const context = (language: string | null, files: string[] = []) => ({
  branch: null,
  commits: [],
  files,
  symbols: [],
  language,
});
const stated = (
  content: string,
  language: string | null,
  set: { priority?: number; confidence?: number; source?: Source } = {},
) => ({
  id: content,
  content,
  title: null,
  source: "manual" as Source,
  createdAt: 0,
  priority: 5,
  confidence: 1,
  context: context(language),
  ...set,
});

test("the language of the work is that of the latest working memory that has one, else of most of the code", () => {
  const code = ["a.ts", "b.ts", "c.go"];
  assert.equal(workLanguage([{ context: context(null) }, { context: context("rust") }], code), "rust");
  assert.equal(workLanguage([{ context: context(null, ["x.py"]) }, { context: context("rust") }], code), "python");
  assert.equal(workLanguage([], code), "typescript");
  assert.equal(workLanguage([], []), null);
});

test("what was stated comes first, then what was counted, then what was captured; of each, the language of the work first", () => {
  const memories = [
    stated("go one", "go"),
    stated("minor", "typescript", { priority: 2 }),
    stated("any", null),
    stated("major", "typescript", { priority: 9 }),
    stated("doubtful", "typescript", { confidence: 0.3 }),
    stated("heard", "typescript", { priority: 10, source: "extraction" }),
  ];
  const counted = [pattern("counted go", { language: "go" }), pattern("counted ts", { language: "typescript" })];
  const ranked = rankPatterns(memories, counted, { language: "typescript", limit: 10 }).map(({ text }) => text);
  assert.deepEqual(ranked, [
    "major",
    "minor",
    "doubtful",
    "any",
    "go one",
    "counted ts",
    "counted go",
    "captured: heard",
  ]);
  assert.equal(rankPatterns(memories, counted, { language: "typescript", limit: 2 }).length, 2);
});
