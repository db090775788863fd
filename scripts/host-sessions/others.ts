/** Hosts and tools that need no model: Gemini CLI, the MCP Inspector, the plugin, and the bundle for Claude Desktop. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ASKING, FACT } from "./judge.ts";
import { ROOT, STELE, newPlace } from "./place.ts";

interface Folders {
  lab: string;
  hosts: string;
}

export async function gemini(folders: Folders): Promise<string> {
  // It starts servers in trusted folders only.
  const place = newPlace("gemini", folders, { GEMINI_API_KEY: "fake", GEMINI_CLI_TRUST_WORKSPACE: "true" });
  await place.stele("init", "gemini", "--yes");
  const settings = readFileSync(join(place.home, ".gemini", "settings.json"), "utf8");
  const list = await place.run("gemini", "mcp", "list");
  assert.match(list, /stele: .*Connected/);
  await place.stele("init", "--remove", "gemini", "--yes");
  assert.ok(settings.includes("BeforeAgent"));
  return list
    .split("\n")
    .find((line) => line.includes("stele"))!
    .trim();
}

/** Installed, it is a copy of the folder alone, so it has to find the program. */
export async function plugin(folders: Folders): Promise<string> {
  const place = newPlace("plugin", folders);
  for (const folder of [ROOT, join(ROOT, "plugin")])
    await place.run("claude", "plugin", "validate", folder, "--strict");
  await place.run("claude", "plugin", "marketplace", "add", ROOT);
  await place.run("claude", "plugin", "install", "stele@stele");
  symlinkSync(STELE, join(place.bin, "stele"));
  const list = await place.run("claude", "mcp", "list");
  assert.match(list, /plugin:stele:stele.*Connected/);
  return "plugin and marketplace are valid; installed, its server is connected";
}

interface Listed {
  tools?: { name: string }[];
  resources?: { uri: string }[];
  prompts?: { name: string }[];
  content?: { text: string }[];
}

/** The official Inspector: it also judges whether the tools' schemas are portable. */
export async function inspector(folders: Folders): Promise<string> {
  const place = newPlace("inspector", folders);
  const ask = async (...words: string[]): Promise<Listed> => {
    const server = [process.execPath, STELE, "mcp", "--project", place.project];
    const output = await place.run("mcp-inspector", "--cli", "-e", `STELE_HOME=${place.data}`, ...server, ...words);
    return JSON.parse(output) as Listed;
  };
  const { tools } = await ask("--method", "tools/list", "--strict");
  const names = tools!.map(({ name }) => name);
  assert.ok(names.includes("recall") && names.includes("remember"));
  const call = (name: string, words: string) => ["--method", "tools/call", "--tool-name", name, "--tool-arg", words];
  await ask(...call("remember", `content=${FACT}`));
  const recalled = (await ask(...call("recall", `query=${ASKING}`))).content![0]!.text;
  assert.ok(recalled.includes(FACT), recalled);
  const { resources } = await ask("--method", "resources/list");
  const { prompts } = await ask("--method", "prompts/list");
  const [uris, asked] = [resources!.map(({ uri }) => uri), prompts!.map(({ name }) => name)];
  assert.ok(uris.includes("stele://surface") && asked.includes("orient"));
  return `${names.length} tools, resources ${uris.join(" ")}, prompts ${asked.join(" ")}; ${recalled.split("\n")[1]}`;
}

/** By the schema of the tool that packs bundles. */
export async function bundle(folders: Folders): Promise<string> {
  const place = newPlace("bundle", folders);
  const said = await place.run("mcpb", "validate", join(ROOT, "manifest.json"));
  assert.match(said, /validation passes/);
  return "manifest.json is valid by mcpb";
}
