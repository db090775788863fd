/** Configurations as people have them: comments, other servers, other hooks, odd layouts. */
import type { DataFolder, Places, Program } from "../../src/agents/connection.ts";

export const DEFAULT_DATA: DataFolder = { path: "/home/ann/.local/share/stele", variable: null };
export const OWN_DATA: DataFolder = { path: "/srv/my memories/stele", variable: "STELE_HOME" };
export const PROGRAM: Program = {
  node: "/usr/local/bin/node",
  entry: "/opt/my tools/stele/bin/stele.js",
  data: DEFAULT_DATA,
};
export const MOVED: Program = { ...PROGRAM, entry: "/home/ann/stele/bin/stele.js" };

export const placesIn = (home: string, platform = "linux"): Places => {
  const sign = platform === "win32" ? "\\" : "/";
  const at = (...names: string[]) => [home, ...names].join(sign);
  const config =
    platform === "win32"
      ? ["AppData", "Roaming"]
      : platform === "darwin"
        ? ["Library", "Application Support"]
        : [".config"];
  return {
    platform,
    home,
    config: at(...config),
    dotConfig: at(".config"),
    claude: at(".claude"),
    claudeState: at(".claude.json"),
    codex: at(".codex"),
    copilot: at(".copilot"),
    gemini: at(".gemini"),
    project: at("project"),
  };
};

const RICH_JSON = `{
    // kept: my own servers
    "theme": "dark",
    "mcpServers": {
        "github": { "command": "docker", "args": ["run", "-i"], "env": {"TOKEN": "x"} }, // the work one
        /* off: "old": {} */
    },
    "servers": {"files": {"type": "stdio", "command": "npx"}},
    "version": 1,
    "hooks": {
        "Stop": [
            { "matcher": "", "hooks": [ { "type": "command", "command": "say done" } ] }
        ],
      "PostToolUse": [{"matcher":"Edit","hooks":[{"type":"command","command":"npx prettier --write"}]},],
        "sessionStart": [],
        "SessionStart": [
        ]
    },

    "model": "opus"
}`;

const RICH_TOML = `# My Codex
model = "gpt-5"   # fast enough
notify = ["bash", "-c", '''
[mcp_servers.stele]
''']

[mcp_servers.github]
command = "docker"
args = [
  "run", # interactive
  "-i",
]
env = { TOKEN = "x" }

  [profiles.work]
  approval_policy = "never"
# the end`;

export const CONFIGURATIONS: Record<"json" | "toml", Record<string, string | null>> = {
  json: {
    "no file": null,
    "an empty file": "",
    "blank lines": "\n\n",
    "an empty object": "{}",
    "an object on two lines": "{\n}\n",
    "one line": '{"mcpServers":{},"hooks":{"Stop":[]}}',
    "rich, with comments": RICH_JSON,
    "rich, from Windows": `\ufeff${RICH_JSON.replaceAll("\n", "\r\n").replaceAll("    ", "\t")}\r\n`,
  },
  toml: {
    "no file": null,
    "an empty file": "",
    "blank lines": "\n\n",
    "one line": "a = 1",
    "rich, with comments": RICH_TOML,
    "rich, from Windows": `\ufeff${RICH_TOML.replaceAll("\n", "\r\n")}\r\n\r\n`,
  },
};
