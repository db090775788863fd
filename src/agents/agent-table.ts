/**
 * The hosts: where each keeps its configuration, and what Stele writes there.
 *
 * The only place that knows. `init`, `init --print`, `doctor` and the plugin follow from it.
 */
import type { ConnectScope, HostId, Places, PrintedHostId, Program, Shell, Wanted, WantedFile } from "./connection.ts";
import type { Json } from "./json-text.ts";
import { commandLine, httpEntry, variablesFor, wordsFor } from "./recognise.ts";

/** Steps of a session that a hook reports, with the seconds a host should allow it. A hook itself takes far less. */
const STEPS = {
  start: 10,
  prompt: 5,
  tool: 10,
  failure: 10,
  turnEnd: 10,
  compaction: 10,
  end: 5,
} as const;
type Step = keyof typeof STEPS;
/** Taking in what was recorded stops by itself after 20 seconds. */
const DIGEST_SECONDS = 30;

interface ServerRule {
  /** The object that holds servers by name. */
  under: string;
  /** Besides `command` and `args`. `argv`: the whole command is one list. */
  shape: "plain" | "stdio" | "argv";
  /** Behind `mcp`. */
  args: readonly string[];
}

interface HookRule {
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

interface FileRule {
  path: (places: Places) => string;
  format: "json" | "toml";
  server?: ServerRule;
  hooks?: HookRule;
}

interface HostRule {
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
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  tool: "PostToolUse",
  failure: "PostToolUseFailure",
  turnEnd: "Stop",
  compaction: "PreCompact",
  end: "SessionEnd",
} as const;
const { failure: _, ...CODEX_EVENTS } = CLAUDE_EVENTS;

export const CLAUDE_HOOKS: HookRule = {
  events: CLAUDE_EVENTS,
  shape: "exec groups",
  unit: "seconds",
  hasBackground: true,
};
export const CODEX_HOOKS: HookRule = {
  events: CODEX_EVENTS,
  shape: "line groups",
  unit: "seconds",
  endSeconds: 3,
  hasBackground: true,
};
const CURSOR_HOOKS: HookRule = {
  events: {
    start: "sessionStart",
    prompt: "beforeSubmitPrompt",
    tool: "postToolUse",
    failure: "postToolUseFailure",
    turnEnd: "afterAgentResponse",
    compaction: "preCompact",
    end: "sessionEnd",
  },
  shape: "flat",
  unit: "seconds",
  hasBackground: false,
  constants: { version: 1 },
};
const VSCODE_HOOKS: HookRule = {
  events: {
    start: "SessionStart",
    prompt: "UserPromptSubmit",
    tool: "PostToolUse",
    turnEnd: "Stop",
    compaction: "PreCompact",
  },
  shape: "flat",
  unit: "seconds",
  hasBackground: false,
  fields: { type: "command" },
  constants: { version: 1 },
};
const GEMINI_HOOKS: HookRule = {
  events: {
    start: "SessionStart",
    prompt: "BeforeAgent",
    tool: "AfterTool",
    turnEnd: "AfterAgent",
    compaction: "PreCompress",
    end: "SessionEnd",
  },
  shape: "line groups",
  unit: "milliseconds",
  hasBackground: false,
  fields: { name: "stele" },
};
const KIMI_HOOKS: HookRule = { events: CLAUDE_EVENTS, shape: "flat", unit: "seconds", hasBackground: false };

export const SERVERS: ServerRule = { under: "mcpServers", shape: "plain", args: [] };
/** These start servers elsewhere, so the project is named. */
const IN_WORKSPACE: ServerRule = { ...SERVERS, args: ["--project", "${workspaceFolder}"] };
const VSCODE_SERVER: ServerRule = { ...IN_WORKSPACE, under: "servers", shape: "stdio" };

/** Joins names as the platform writes paths. */
const inFolder = ({ platform }: Pick<Places, "platform">, folder: string, ...names: string[]): string =>
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
          format: "toml",
          server: { ...SERVERS, under: "mcp_servers" },
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
  title,
  folders: () => [],
  programs: [],
  files: { user: files },
  windowsShell: "either",
  advice: [],
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

// What a host's configuration should hold, made from the table of hosts for one installation.

/** The name of our server in every configuration. */
const SERVER = "stele";

export function wantedFiles(host: PrintedHostId, scope: ConnectScope, program: Program, places: Places): WantedFile[] {
  const { files, windowsShell } = HOST_TABLE[host];
  const shell = places.platform === "win32" ? windowsShell : "sh";
  const command = [program.node, program.entry];
  return (files[scope] ?? []).map(({ path, format, server, hooks }) => ({
    path: path(places),
    format,
    shell,
    entries: [
      ...(server === undefined ? [] : [serverOf(host, scope, server, { program, places, shell })]),
      ...(hooks === undefined
        ? []
        : hookEntries(hooks, {
            command,
            shell,
            host: host === "claude-code" ? null : host,
            more: wordsFor(program.data),
          })),
    ],
  }));
}

function serverOf(
  host: PrintedHostId,
  scope: ConnectScope,
  rule: ServerRule,
  { program, places, shell }: { program: Program; places: Places; shell: Shell },
): Wanted {
  const started = serverEntry(rule, [program.node, program.entry], variablesFor(program.data));
  const { url } = program;
  if (url === undefined) return started;
  const reached = { scope, project: places.project, program: { ...program, url }, shell };
  return { ...started, value: httpEntry(host as HostId, reached) };
}

/** `command`: the words that start Stele; `variables`: what its environment must say. */
export function serverEntry(
  { under, shape, args }: ServerRule,
  command: readonly string[],
  variables: Record<string, string> | null = null,
): Wanted {
  const words = [...command, "mcp", ...args];
  const plain = { command: words[0]!, args: words.slice(1), ...(variables && { env: variables }) };
  const value: Json =
    shape === "argv"
      ? { type: "local", command: words, enabled: true, ...(variables && { environment: variables }) }
      : shape === "stdio"
        ? { type: "stdio", ...plain }
        : plain;
  return { kind: "server", path: [under], key: SERVER, value, words };
}

interface Setting {
  /** The words that start Stele. */
  command: readonly string[];
  shell: Shell;
  /** Named in the command, unless hosts that read each other's hooks would be named wrongly. */
  host: string | null;
  /** Words behind all others. */
  more?: readonly string[];
}

export function hookEntries(rule: HookRule, setting: Setting): Wanted[] {
  const constants = Object.entries(rule.constants ?? {}).map(
    ([key, value]): Wanted => ({ kind: "constant", path: [], key, value, words: [] }),
  );
  const steps = Object.entries(rule.events) as [Step, string][];
  return [...constants, ...steps.flatMap(([step, event]) => entriesOf(step, event, rule, setting))];
}

function entriesOf(step: Step, event: string, rule: HookRule, { command, shell, host, more = [] }: Setting): Wanted[] {
  const named = host === null ? [] : ["--host", host];
  const words = [...command, "hook", ...named, ...more];
  const seconds = step === "end" ? Math.min(STEPS.end, rule.endSeconds ?? STEPS.end) : STEPS[step];
  const made = [hook(event, words, seconds, rule, shell)];
  // What a session leaves at its end is taken in by the hook that begins the next one: a second one would only compete.
  if (rule.hasBackground && step === "turnEnd") {
    const digest = [...command, "hook", "digest", ...more];
    made.push(hook(event, digest, DIGEST_SECONDS, rule, shell, { async: true }));
  }
  return made;
}

function hook(
  event: string,
  words: string[],
  seconds: number,
  rule: HookRule,
  shell: Shell,
  more: Record<string, Json> = {},
): Wanted {
  const [node, ...args] = words;
  const command: Record<string, Json> =
    rule.shape === "exec groups" ? { command: node!, args } : { command: commandLine(words, shell) };
  const timeout = rule.unit === "seconds" ? seconds : seconds * 1_000;
  const isGroup = rule.shape !== "flat";
  const handler: Json = { ...(isGroup ? { type: "command" } : {}), ...rule.fields, ...command, timeout, ...more };
  return { kind: "hook", path: ["hooks", event], key: null, value: isGroup ? { hooks: [handler] } : handler, words };
}
