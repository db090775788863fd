/**
 * Process commands: what `stele` can start besides verbs.
 *
 * A closed list of data, read by help, spelling hints and the entry point.
 */
export interface ProcessCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly (readonly [flag: string, description: string])[];
}

export const PROCESS_COMMANDS = [
  {
    name: "init",
    usage: "stele init [HOST] [--remove | --print] [--project DIR] [--dry-run] [--yes] [--json]",
    summary:
      "Connect a host: its MCP server and hooks, after showing what would change. Without a host, those found here.",
    flags: [
      ["HOST", "claude-code, codex, cursor, vscode or gemini."],
      ["--remove", "Take out exactly what was added."],
      ["--print", "Print what to write by hand; also for opencode, zed, windsurf, kimi, cline and claude-desktop."],
      ["--project DIR", "Connect this project alone, in files of its own; all projects of this user when omitted."],
      ["--dry-run", "Show what would change, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "mcp",
    usage: "stele mcp [--tools default|full] [--structured] [--project DIR]",
    summary: "Serve the verbs as MCP tools over standard input and output.",
    flags: [
      [
        "--tools default|full",
        "Which verbs become tools: `default` (everyday ones with everyday fields, the default) or `full` (all).",
      ],
      ["--structured", "Declare output schemas and answer with JSON beside the text; for programs."],
      ["--project DIR", "The project; when omitted, the one the host names, else the current directory."],
    ],
  },
  {
    name: "hook",
    usage: "stele hook [EVENT|digest] [--host claude-code|codex|cursor|vscode|gemini|kimi]",
    summary:
      "Record what a host reports on standard input; for the hooks of hosts. At the start of a session and with a prompt it prints " +
      "what the session should know, else nothing. It never fails.",
    flags: [
      ["EVENT", "The event, spelt as the host spells it; when omitted, the one that the input names."],
      [
        "digest",
        "Take in what was recorded; for a hook that runs in the background after a turn, for at most 20 seconds.",
      ],
      ["--host NAME", "The host; when omitted, or if another host runs the same hook, recognised from the input."],
    ],
  },
  {
    name: "doctor",
    usage: "stele doctor [--recover [--yes]] [--json] [--project DIR]",
    summary: "Check program, files, settings, stores and backups; repair them with --recover.",
    flags: [
      ["--recover", "Rebuild damaged stores, make files private, remove leftovers of dead processes."],
      ["--yes", "Do not ask before rebuilding a damaged store; the damaged file is kept in any case."],
      ["--json", "Print exactly one JSON document."],
      ["--project DIR", "The project whose settings to check; the current directory when omitted."],
    ],
  },
  { name: "demo", usage: "stele demo", summary: "Show what Stele does, in a throwaway project.", flags: [] },
] as const satisfies readonly ProcessCommand[];
