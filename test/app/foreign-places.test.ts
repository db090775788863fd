/** Where other tools keep their memories. */
import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { foreignPlaces } from "../../src/app/environment.ts";
import { FOREIGN_TOOLS, type ForeignTool } from "../../src/transfer/importers/foreign-memory.ts";

const home = homedir();
const cases: [tool: ForeignTool, env: Record<string, string>, platform: string, places: string[]][] = [
  ["claude-mem", {}, "linux", [join(home, ".claude-mem")]],
  ["claude-mem", { CLAUDE_MEM_DATA_DIR: "/data/cm" }, "linux", ["/data/cm", join(home, ".claude-mem")]],
  ["claude-mem", { CLAUDE_MEM_DATA_DIR: "relative" }, "linux", [join(home, ".claude-mem")]],
  ["server-memory", {}, "linux", []],
  ["server-memory", { MEMORY_FILE_PATH: "/data/memory.jsonl" }, "linux", ["/data/memory.jsonl"]],
  ["basic-memory", {}, "darwin", [join(home, "basic-memory")]],
  ["mcp-memory-service", {}, "linux", [join(home, ".local", "share", "mcp-memory")]],
  ["mcp-memory-service", {}, "darwin", [join(home, "Library", "Application Support", "mcp-memory")]],
  ["mcp-memory-service", { LOCALAPPDATA: "/local" }, "win32", [join("/local", "mcp-memory")]],
  ["mem0", {}, "linux", []],
];
for (const [tool, env, platform, places] of cases)
  test(`${tool} on ${platform} with ${JSON.stringify(env)}: ${places.length} places`, () =>
    assert.deepEqual(foreignPlaces(env, platform)[tool], places));

test("every tool has an entry, even if it has no place", () => {
  assert.deepEqual(Object.keys(foreignPlaces({}, "linux")).sort(), [...FOREIGN_TOOLS].sort());
});
