/** The plugin: its files follow from the table of hosts, and its launcher finds the program or stays silent. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";
import { pluginFiles } from "../../scripts/docs/plugin-files.ts";
import { wantedFiles } from "../../src/agents/agent-table.ts";
import { DEFAULT_DATA, placesIn } from "../agents/fixtures.ts";
import { runChild } from "../child.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;

test("every manifest is as the table of hosts says", () => {
  for (const [path, value] of pluginFiles()) assert.deepEqual(readJson(path), value, path);
});

test("its hooks are those that init writes", () => {
  const program = { node: "node", entry: "${CLAUDE_PLUGIN_ROOT}/bin/stele.cjs", data: DEFAULT_DATA };
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

test("server.json keeps the rules of the MCP registry", () => {
  const text = (least: number, most: number) => z.string().min(least).max(most);
  // One version, not a range of them.
  const version = text(1, 255).regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  const server = z.strictObject({
    $schema: z.string().regex(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/),
    // The namespace is that of an account of GitHub, which whoever publishes must own.
    name: text(3, 200).regex(/^io\.github\.[A-Za-z\d](?:-?[A-Za-z\d]){0,38}\/[\w.-]+$/),
    description: text(1, 100),
    version,
  });
  const entry = server.parse(readJson("server.json"));
  // What the registry looks for in the package, to see that both have one owner.
  assert.equal(entry.name, readJson("package.json")["mcpName"]);
  for (const wrong of [{ name: "stele" }, { name: "io.github.a/b/c" }, { version: "^1.0.0" }, { description: "" }])
    assert.ok(!server.safeParse({ ...entry, ...wrong }).success, JSON.stringify(wrong));
});

/** What npm and its like would fetch under our name. */
const BY_NAME =
  /\b(?:npx|bunx|(?:npm|pnpm|yarn|bun) +(?:i|install|add|exec|dlx|x))(?: +-[\w-]+(?:=\S+)?)* +["']?stele(?:@[\w.^~-]+)?(?=["'`),;:.]*(?:\s|$))|"registryType"/;
const OURS = [
  ...["README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"],
  ...["Dockerfile", "package.json", "server.json", "manifest.json"],
];
const OUR_FOLDERS = ["bin", "docs", "man", "plugin", "scripts", "src", ".claude-plugin"];

test("nothing installs or runs a package of our name, which is not published and anybody may claim", () => {
  for (const line of ["npx -y stele mcp", "`npm install --global stele`", "npm i -g stele@latest", "pnpm dlx stele"])
    assert.match(line, BY_NAME);
  for (const line of ["npm install --global .", "npm install -g ./stele-0.1.0.tgz", "npm install /path/to/stele"])
    assert.doesNotMatch(line, BY_NAME);
  const within = OUR_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const told = OURS.map((name) => join(root, name));
  const found = [...told, ...within].flatMap((path) => BY_NAME.exec(readFileSync(path, "latin1"))?.[0] ?? []);
  assert.deepEqual(found, []);
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
  assert.match(told.errors, /npm install --global \./);
  rmSync(folder, { recursive: true });
});
