import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { mayAgentWrite } from "../../src/transfer/export-files.ts";
import type { World } from "../../src/world.ts";

const CHECKOUT = resolve("/work/project");
const world = {
  place: { checkout: CHECKOUT },
  files: {
    resolve: (path: string) => resolve(CHECKOUT, path),
    kindOf: async (path: string) => (path === join(CHECKOUT, "linked") ? "link" : "absent"),
  },
} as unknown as Pick<World, "files" | "place">;

const targets: [path: string, expected: boolean][] = [
  ["memory.jsonl", true],
  ["docs/memory", true],
  ["/work/project/memory.jsonl", true],
  ["/work/project", false],
  [".", false],
  ["../other/memory.jsonl", false],
  ["/home/you/.bashrc", false],
  [".git/hooks/pre-commit", false],
  ["docs/.envrc", false],
  ["linked/memory.jsonl", false],
  ["linked", false],
];
for (const [path, expected] of targets)
  test(`an agent ${expected ? "may write" : "must ask before it writes"} ${path}`, async () =>
    assert.equal(await mayAgentWrite(path, world), expected));
