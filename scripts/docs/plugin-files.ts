/**
 * The plugin for Claude Code and Codex, and the manifests of the MCP registry and of MCPB.
 *
 * Hooks and servers follow from the same table as `stele init`. A plugin is copied to where nothing can be installed beside
 * it, so it starts the installed `stele`: through its own launcher where arguments are a list, else by its name.
 */
import { readFileSync } from "node:fs";
import { CLAUDE_HOOKS, CODEX_HOOKS, hookEntries, serverEntry, SERVERS } from "../../src/agents/agent-table.ts";
import type { Wanted } from "../../src/agents/connection.ts";
import type { Json } from "../../src/agents/json-text.ts";

interface Package {
  [key: string]: unknown;
  name: string;
  version: string;
  mcpName: string;
  description: string;
  license: string;
  engines: { node: string };
}

const { name, version, mcpName, description, license, engines } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as Package;

const LAUNCHED = ["node", "${CLAUDE_PLUGIN_ROOT}/bin/stele.cjs"];
const INSTALLED = ["stele"];
const AUTHOR = { name: "Stele" };

export function pluginFiles(): [path: string, value: Json][] {
  const about = { name, version, description, author: AUTHOR, license };
  return [
    ["plugin/.claude-plugin/plugin.json", about],
    ["plugin/.mcp.json", joined([serverEntry(SERVERS, LAUNCHED)])],
    ["plugin/hooks/hooks.json", joined(hookEntries(CLAUDE_HOOKS, { command: LAUNCHED, shell: "sh", host: null }))],
    [
      "plugin/.codex-plugin/plugin.json",
      { ...about, skills: "./skills/", mcpServers: "./codex-mcp.json", hooks: "./hooks/codex-hooks.json" },
    ],
    ["plugin/codex-mcp.json", joined([serverEntry(SERVERS, INSTALLED)])],
    [
      "plugin/hooks/codex-hooks.json",
      joined(hookEntries(CODEX_HOOKS, { command: INSTALLED, shell: "sh", host: "codex" })),
    ],
    [
      ".claude-plugin/marketplace.json",
      { name, owner: AUTHOR, description, plugins: [{ name, source: "./plugin", description }] },
    ],
    ["server.json", registryEntry()],
    ["manifest.json", bundleManifest()],
  ];
}

/** One document with all of these entries. */
function joined(entries: readonly Wanted[]): Json {
  const document: { [key: string]: { [key: string]: Json } } = {};
  for (const { path, key, value } of entries) {
    const list = (document[path[0]!] ??= {});
    if (key !== null) list[key] = value;
    else list[path[1]!] = [...((list[path[1]!] ?? []) as Json[]), value];
  }
  return document;
}

/** Without a package: none is published, and whoever claims its name could have clients install theirs. */
const registryEntry = (): Json => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  description,
  version,
});

const bundleManifest = (): Json => ({
  manifest_version: "0.3",
  name,
  version,
  description,
  author: AUTHOR,
  license,
  server: {
    type: "node",
    entry_point: "bin/stele.js",
    mcp_config: { command: "node", args: ["${__dirname}/bin/stele.js", "mcp"] },
  },
  compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: engines.node } },
});
