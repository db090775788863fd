/** The plugin: its files follow from the table of hosts, and its launcher finds the program or stays silent. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pluginFiles } from "../../scripts/docs/plugin-files.ts";
import { wantedFiles } from "../../src/logic/connect/wanted-entries.ts";
import { runChild } from "../child.ts";
import { placesIn } from "../logic/connect/fixtures.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;

test("every manifest is as the table of hosts says", () => {
  for (const [path, value] of pluginFiles()) assert.deepEqual(readJson(path), value, path);
});

test("its hooks are those that init writes", () => {
  const program = { node: "node", entry: "${CLAUDE_PLUGIN_ROOT}/bin/stele.cjs" };
  const [server, hooks] = wantedFiles("claude-code", "user", program, placesIn("/home/ann"));
  const own = readJson("plugin/hooks/hooks.json") as { hooks: Record<string, unknown[]> };
  assert.deepEqual(
    hooks!.entries.map(({ value }) => value),
    Object.values(own.hooks).flat(),
  );
  assert.deepEqual(readJson("plugin/.mcp.json"), { mcpServers: { stele: server!.entries[0]!.value } });
});

test("names and versions agree, and skills say when to use them", () => {
  const { version, mcpName } = readJson("package.json");
  const [server, bundle] = [readJson("server.json"), readJson("manifest.json")];
  assert.deepEqual([server["version"], server["name"], bundle["version"]], [version, mcpName, version]);
  const skills = readdirSync(join(root, "plugin", "skills"));
  assert.equal(skills.length, 3);
  for (const name of skills) {
    const text = readFileSync(join(root, "plugin", "skills", name, "SKILL.md"), "utf8");
    const [, named, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text)!;
    assert.ok(named === name && /\bUse it\b/.test(description!) && description!.length < 1_536, name);
  }
});

test("a copy of the launcher finds the program on the path; without it a hook is silent and a server says what to do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stele-plugin-"));
  const copy = join(folder, "cache", "bin", "stele.cjs");
  mkdirSync(join(folder, "cache", "bin"), { recursive: true });
  mkdirSync(join(folder, "path"));
  copyFileSync(join(root, "plugin", "bin", "stele.cjs"), copy);
  symlinkSync(join(root, "bin", "stele.js"), join(folder, "path", "stele"));
  const run = (path: string, ...args: string[]) =>
    runChild(pathToFileURL(copy), args, { cwd: folder, env: { PATH: path } });
  // A relative path leads into the project.
  const [found, silent, told] = await Promise.all([
    run(join(folder, "path"), "--version"),
    run("path", "hook"),
    run("path", "mcp"),
  ]);
  assert.deepEqual([found.code, found.output.trim()], [0, readJson("package.json")["version"]]);
  assert.deepEqual([silent.code, silent.output, silent.errors], [0, "", ""]);
  assert.equal(told.code, 1);
  assert.match(told.errors, /npm install --global stele/);
  rmSync(folder, { recursive: true });
});
