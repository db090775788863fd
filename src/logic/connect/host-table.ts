/**
 * The hosts: where each keeps its configuration, and what Stele writes there.
 *
 * The only place that knows. `init`, `init --print`, `doctor` and the plugin follow from it.
 */
import type { ConnectScope, HostId, Places, PrintedHostId, Shell } from "../../model/connect/host.ts";

/** Steps of a session that a hook reports, with the seconds a host should allow it. A hook itself takes far less. */
export const STEPS = {
  start: 10,
  prompt: 5,
  tool: 10,
  failure: 10,
  turnEnd: 10,
  compaction: 10,
  end: 5,
} as const;
export type Step = keyof typeof STEPS;
/** Taking in what was recorded stops by itself after 20 seconds. */
export const DIGEST_SECONDS = 30;

export interface ServerRule {
  /** The object that holds servers by name. */
  under: string;
  /** Besides `command` and `args`. `argv`: the whole command is one list. */
  shape: "plain" | "stdio" | "argv";
  /** Behind `mcp`. */
  args: readonly string[];
}

export interface HookRule {
  /** What the host calls each step. */
  events: Partial<Record<Step, string>>;
  /** `exec`: program and arguments apart; `line`: one string. In groups as Claude Code has them, or flat. */
  shape: "exec groups" | "line groups" | "flat";
  unit: "seconds" | "milliseconds";
  /** The longest time the host accepts at the end of a session. */
  endSeconds?: number;
  /** The host can run a hook in the background, so one can take in what was recorded. */
  hasBackground: boolean;
  /** Fields of every hook, and of the file. */
  fields?: Readonly<Record<string, string>>;
  constants?: Readonly<Record<string, number>>;
}

export interface FileRule {
  path: (places: Places) => string;
  format: "json" | "toml";
  server?: ServerRule;
  hooks?: HookRule;
}

export interface HostRule {
  title: string;
  /** The host is there if one of its folders is, or one of its programs. */
  folders: (places: Places) => string[];
  programs: readonly string[];
  files: Partial<Record<ConnectScope, readonly FileRule[]>>;
  windowsShell: Shell;
  /** What a person should know afterwards. */
  advice: readonly string[];
}

const CLAUDE_EVENTS = {
  ...{ start: "SessionStart", prompt: "UserPromptSubmit", tool: "PostToolUse", failure: "PostToolUseFailure" },
  ...{ turnEnd: "Stop", compaction: "PreCompact", end: "SessionEnd" },
} as const;
const { failure: _, ...CODEX_EVENTS } = CLAUDE_EVENTS;

export const CLAUDE_HOOKS: HookRule = {
  ...{ events: CLAUDE_EVENTS, shape: "exec groups", unit: "seconds", hasBackground: true },
};
export const CODEX_HOOKS: HookRule = {
  ...{ events: CODEX_EVENTS, shape: "line groups", unit: "seconds", endSeconds: 3, hasBackground: true },
};
const CURSOR_HOOKS: HookRule = {
  events: {
    ...{ start: "sessionStart", prompt: "beforeSubmitPrompt", tool: "postToolUse", failure: "postToolUseFailure" },
    ...{ turnEnd: "afterAgentResponse", compaction: "preCompact", end: "sessionEnd" },
  },
  ...{ shape: "flat", unit: "seconds", hasBackground: false, constants: { version: 1 } },
};
const VSCODE_HOOKS: HookRule = {
  events: {
    ...{ start: "SessionStart", prompt: "UserPromptSubmit", tool: "PostToolUse", turnEnd: "Stop" },
    compaction: "PreCompact",
  },
  ...{ shape: "flat", unit: "seconds", hasBackground: false, fields: { type: "command" }, constants: { version: 1 } },
};
const GEMINI_HOOKS: HookRule = {
  events: {
    ...{ start: "SessionStart", prompt: "BeforeAgent", tool: "AfterTool", turnEnd: "AfterAgent" },
    ...{ compaction: "PreCompress", end: "SessionEnd" },
  },
  ...{ shape: "line groups", unit: "milliseconds", hasBackground: false, fields: { name: "stele" } },
};
const KIMI_HOOKS: HookRule = {
  events: CLAUDE_EVENTS,
  ...{ shape: "flat", unit: "seconds", hasBackground: false },
};

export const SERVERS: ServerRule = { under: "mcpServers", shape: "plain", args: [] };
/** These start servers elsewhere, so the project is named. */
const IN_WORKSPACE: ServerRule = { ...SERVERS, args: ["--project", "${workspaceFolder}"] };
const VSCODE_SERVER: ServerRule = { ...IN_WORKSPACE, under: "servers", shape: "stdio" };

/** Joins names as the platform writes paths. */
export const inFolder = ({ platform }: Pick<Places, "platform">, folder: string, ...names: string[]): string =>
  [folder.replace(/[\\/]+$/, ""), ...names].join(platform === "win32" ? "\\" : "/");

const json = (path: FileRule["path"], parts: Pick<FileRule, "server" | "hooks">): FileRule => ({
  path,
  format: "json",
  ...parts,
});

const SETUPS: Record<HostId, HostRule> = {
  "claude-code": {
    title: "Claude Code",
    folders: (at) => [at.claude],
    programs: ["claude"],
    files: {
      user: [
        json((at) => at.claudeState, { server: SERVERS }),
        json((at) => inFolder(at, at.claude, "settings.json"), { hooks: CLAUDE_HOOKS }),
      ],
      // The paths are those of this machine, so the hooks go to the file that is not shared.
      project: [
        json((at) => inFolder(at, at.project, ".mcp.json"), { server: SERVERS }),
        json((at) => inFolder(at, at.project, ".claude", "settings.local.json"), { hooks: CLAUDE_HOOKS }),
      ],
    },
    windowsShell: "cmd",
    advice: ["Sessions that are already open do not see it; start a new one."],
  },
  codex: {
    title: "Codex",
    folders: (at) => [at.codex],
    programs: ["codex"],
    files: {
      user: [
        {
          path: (at) => inFolder(at, at.codex, "config.toml"),
          format: "toml",
          server: { ...SERVERS, under: "mcp_servers" },
        },
        json((at) => inFolder(at, at.codex, "hooks.json"), { hooks: CODEX_HOOKS }),
      ],
      project: [
        {
          path: (at) => inFolder(at, at.project, ".codex", "config.toml"),
          ...{ format: "toml", server: { ...SERVERS, under: "mcp_servers" } },
        },
        json((at) => inFolder(at, at.project, ".codex", "hooks.json"), { hooks: CODEX_HOOKS }),
      ],
    },
    windowsShell: "cmd",
    advice: ["Codex runs new hooks only after you have trusted them: open it and enter /hooks."],
  },
  cursor: {
    title: "Cursor",
    folders: (at) => [inFolder(at, at.home, ".cursor")],
    programs: ["cursor", "cursor-agent"],
    files: {
      user: [
        json((at) => inFolder(at, at.home, ".cursor", "mcp.json"), { server: IN_WORKSPACE }),
        json((at) => inFolder(at, at.home, ".cursor", "hooks.json"), { hooks: CURSOR_HOOKS }),
      ],
      project: [
        json((at) => inFolder(at, at.project, ".cursor", "mcp.json"), { server: IN_WORKSPACE }),
        json((at) => inFolder(at, at.project, ".cursor", "hooks.json"), { hooks: CURSOR_HOOKS }),
      ],
    },
    windowsShell: "either",
    advice: ["Restart Cursor, and enable the server in its settings under MCP."],
  },
  vscode: {
    title: "VS Code",
    folders: (at) => [inFolder(at, at.config, "Code", "User")],
    programs: ["code"],
    files: {
      user: [
        json((at) => inFolder(at, at.config, "Code", "User", "mcp.json"), { server: VSCODE_SERVER }),
        json((at) => inFolder(at, at.copilot, "hooks", "stele.json"), { hooks: VSCODE_HOOKS }),
      ],
      project: [
        json((at) => inFolder(at, at.project, ".vscode", "mcp.json"), { server: VSCODE_SERVER }),
        json((at) => inFolder(at, at.project, ".github", "hooks", "stele.json"), { hooks: VSCODE_HOOKS }),
      ],
    },
    windowsShell: "either",
    advice: [
      "Start the server with the command `MCP: List Servers`. Hooks are a preview there; Copilot CLI runs them too.",
    ],
  },
  gemini: {
    title: "Gemini CLI",
    folders: (at) => [at.gemini],
    programs: ["gemini"],
    files: {
      user: [json((at) => inFolder(at, at.gemini, "settings.json"), { server: SERVERS, hooks: GEMINI_HOOKS })],
      project: [
        json((at) => inFolder(at, at.project, ".gemini", "settings.json"), { server: SERVERS, hooks: GEMINI_HOOKS }),
      ],
    },
    windowsShell: "powershell",
    advice: ["Gemini CLI starts servers only in folders that you trust."],
  },
};

const printed = (title: string, files: readonly FileRule[]): HostRule => ({
  ...{ title, folders: () => [], programs: [], files: { user: files }, windowsShell: "either", advice: [] },
});

export const HOST_TABLE: Record<PrintedHostId, HostRule> = {
  ...SETUPS,
  opencode: printed("opencode", [
    json((at) => inFolder(at, at.dotConfig, "opencode", "opencode.json"), {
      server: { under: "mcp", shape: "argv", args: [] },
    }),
  ]),
  zed: printed("Zed", [
    json(
      (at) =>
        inFolder(
          at,
          at.platform === "win32" ? at.config : at.dotConfig,
          at.platform === "win32" ? "Zed" : "zed",
          "settings.json",
        ),
      {
        server: { ...SERVERS, under: "context_servers" },
      },
    ),
  ]),
  windsurf: printed("Windsurf", [
    json((at) => inFolder(at, at.home, ".codeium", "windsurf", "mcp_config.json"), { server: SERVERS }),
  ]),
  kimi: printed("Kimi CLI", [
    json((at) => inFolder(at, at.home, ".kimi", "mcp.json"), { server: SERVERS }),
    { path: (at) => inFolder(at, at.home, ".kimi", "config.toml"), format: "toml", hooks: KIMI_HOOKS },
  ]),
  cline: printed("Cline", [
    json((at) => inFolder(at, at.home, ".cline", "data", "settings", "cline_mcp_settings.json"), { server: SERVERS }),
  ]),
  "claude-desktop": printed("Claude Desktop", [
    json((at) => inFolder(at, at.config, "Claude", "claude_desktop_config.json"), { server: SERVERS }),
  ]),
};
