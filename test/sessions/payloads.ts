/** What hosts really write to hooks, and what is made of it. */
import type { Spooled } from "../../src/sessions/session.ts";

export interface Case {
  what: string;
  /** The words after `stele hook`. */
  argv?: readonly string[];
  payload: Record<string, unknown>;
  /** Null: nothing is captured. */
  spooled: Partial<Spooled> | null;
}

const claude = {
  session_id: "c1",
  transcript_path: "/home/u/.claude/projects/-p/c1.jsonl",
  cwd: "/p",
  prompt_id: "p1",
  permission_mode: "default",
};
const codex = {
  session_id: "x1",
  transcript_path: null,
  cwd: "/p",
  model: "gpt-5",
  permission_mode: "on-request",
};
const cursor = {
  conversation_id: "u1",
  generation_id: "g1",
  workspace_roots: ["/p"],
  cursor_version: "2.4.1",
  model: "auto",
  user_email: "a@b.c",
  transcript_path: "/home/u/.cursor/projects/p/agent-transcripts/u1/u1.jsonl",
};
const vscode = { timestamp: "2026-11-17T06:00:00.000Z", session_id: "v1", cwd: "/p" };
const gemini = { ...vscode, session_id: "m1", transcript_path: "/home/u/.gemini/tmp/h/chats/m1.json" };
const kimi = { session_id: "k1", cwd: "/p" };

export const CASES: readonly Case[] = [
  {
    what: "Claude Code, a session starts",
    payload: { ...claude, hook_event_name: "SessionStart", source: "startup", model: "claude-x" },
    spooled: { event: "session_start", host: "claude-code", session: "c1", turn: "p1", text: "startup" },
  },
  {
    what: "Claude Code, a prompt",
    payload: { ...claude, hook_event_name: "UserPromptSubmit", prompt: "Fix the parser", source: "user" },
    spooled: { event: "prompt", host: "claude-code", cwd: "/p", text: "Fix the parser" },
  },
  {
    what: "Claude Code, a prompt that nobody wrote",
    payload: { ...claude, hook_event_name: "UserPromptSubmit", prompt: "Wake up", source: "loop_wakeup" },
    spooled: null,
  },
  {
    what: "Claude Code, a command",
    payload: {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_use_id: "toolu_1",
      tool_input: { command: "make test", description: "Test" },
      tool_response: { stdout: "12 passed", stderr: "1 warning", interrupted: false },
    },
    spooled: { event: "tool", tool: "Bash", command: "make test", path: null, text: "12 passed\n1 warning" },
  },
  {
    what: "Claude Code, a file is edited",
    payload: {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_use_id: "toolu_2",
      tool_input: { file_path: "/p/a.ts", old_string: "a", new_string: "b" },
      tool_response: { filePath: "/p/a.ts" },
    },
    spooled: { event: "tool", tool: "Edit", command: null, path: "/p/a.ts", text: null },
  },
  {
    what: "Claude Code, another tool",
    payload: { ...claude, hook_event_name: "PostToolUse", tool_name: "Grep", tool_input: { path: "/p", pattern: "x" } },
    spooled: { event: "tool", tool: "Grep", command: null, path: null, text: null },
  },
  {
    what: "Claude Code, a tool fails",
    payload: {
      ...claude,
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_use_id: "toolu_3",
      tool_input: { command: "make" },
      error: "Exit code 2\nno rule",
      is_interrupt: false,
    },
    spooled: { event: "failure", tool: "Bash", command: "make", text: "Exit code 2\nno rule" },
  },
  {
    what: "Claude Code, our own tools",
    payload: { ...claude, hook_event_name: "PostToolUse", tool_name: "mcp__stele__recall", tool_input: { query: "x" } },
    spooled: null,
  },
  {
    what: "Claude Code, our own tools from a plugin",
    payload: {
      ...claude,
      hook_event_name: "PostToolUse",
      tool_name: "mcp__plugin_stele_memory__recall",
      tool_input: {},
    },
    spooled: null,
  },
  {
    what: "Claude Code, a turn ends",
    payload: { ...claude, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." },
    spooled: { event: "turn_end", host: "claude-code", text: "Done." },
  },
  {
    what: "Claude Code, a subagent's tool",
    payload: {
      ...claude,
      hook_event_name: "PostToolUse",
      agent_id: "a1",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    },
    spooled: null,
  },
  {
    what: "Claude Code, a subagent stops",
    payload: { ...claude, hook_event_name: "SubagentStop", agent_id: "a1", last_assistant_message: "Done." },
    spooled: null,
  },
  {
    what: "Claude Code, before compaction",
    payload: { ...claude, hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" },
    spooled: { event: "compaction", text: null },
  },
  {
    what: "Claude Code, after compaction",
    payload: { ...claude, hook_event_name: "PostCompact", trigger: "auto", compact_summary: "We fixed it." },
    spooled: { event: "compaction", text: "We fixed it." },
  },
  {
    what: "Claude Code, a session ends; the command line names the event",
    argv: ["session-end"],
    payload: { ...claude, hook_event_name: "Other", reason: "logout" },
    spooled: { event: "session_end", text: "logout" },
  },
  {
    what: "Claude Code, an event that is not captured",
    payload: { ...claude, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } },
    spooled: null,
  },
  {
    what: "Codex runs the hook of a Claude plugin",
    argv: ["Stop", "--host", "claude-code"],
    payload: {
      ...codex,
      hook_event_name: "Stop",
      turn_id: "t1",
      stop_hook_active: false,
      last_assistant_message: "Ok",
    },
    spooled: { event: "turn_end", host: "codex", session: "x1", turn: "t1", transcript: null, text: "Ok" },
  },
  {
    what: "Codex, a command as words",
    payload: {
      ...codex,
      hook_event_name: "PostToolUse",
      turn_id: "t1",
      tool_name: "shell",
      tool_use_id: "call_1",
      tool_input: { command: ["bash", "-lc", "cargo test"] },
      tool_response: "ok",
    },
    spooled: { event: "tool", host: "codex", tool: "shell", command: "cargo test", text: "ok" },
  },
  {
    what: "Codex, a patch",
    payload: {
      ...codex,
      hook_event_name: "PostToolUse",
      turn_id: "t1",
      tool_name: "apply_patch",
      tool_use_id: "call_2",
      tool_input: { command: "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch" },
    },
    spooled: { event: "tool", tool: "apply_patch", command: null, path: "src/a.rs" },
  },
  {
    what: "Codex, a command that fails",
    payload: {
      ...codex,
      hook_event_name: "PostToolUse",
      turn_id: "t1",
      tool_name: "Bash",
      tool_use_id: "call_3",
      tool_input: { command: "false" },
      tool_response: { output: "no", exit_code: 1 },
    },
    spooled: { event: "failure", host: "codex", command: "false", text: "no" },
  },
  {
    what: "Cursor, a session starts",
    payload: { ...cursor, hook_event_name: "sessionStart", session_id: "u1" },
    spooled: { event: "session_start", host: "cursor", session: "u1", turn: "g1", cwd: "/p" },
  },
  {
    what: "Cursor, a prompt",
    payload: { ...cursor, hook_event_name: "beforeSubmitPrompt", prompt: "Rename it", attachments: [] },
    spooled: { event: "prompt", host: "cursor", session: "u1", turn: "g1", text: "Rename it" },
  },
  {
    what: "Cursor runs the hook of Claude's settings",
    argv: ["PostToolUse", "--host=claude-code"],
    payload: {
      ...cursor,
      hook_event_name: "postToolUse",
      tool_name: "Shell",
      tool_use_id: "tu1",
      tool_input: { command: "npm ci" },
      tool_output: '{"output":"added 3","exitCode":0}',
    },
    spooled: { event: "tool", host: "cursor", tool: "Shell", command: "npm ci", text: "added 3" },
  },
  {
    what: "Cursor, a tool fails",
    payload: {
      ...cursor,
      hook_event_name: "postToolUseFailure",
      tool_name: "Read",
      tool_use_id: "tu2",
      tool_input: { target_file: "b.ts" },
      error_message: "No such file",
      failure_type: "error",
    },
    spooled: { event: "failure", tool: "Read", path: "b.ts", text: "No such file" },
  },
  {
    what: "Cursor, a reply",
    payload: { ...cursor, hook_event_name: "afterAgentResponse", text: "Renamed." },
    spooled: { event: "turn_end", host: "cursor", text: "Renamed." },
  },
  {
    what: "Cursor, a turn ends",
    payload: { ...cursor, hook_event_name: "stop", status: "completed", loop_count: 0 },
    spooled: { event: "turn_end", text: null },
  },
  {
    what: "Cursor, before compaction",
    payload: { ...cursor, hook_event_name: "preCompact", trigger: "auto" },
    spooled: { event: "compaction" },
  },
  {
    what: "VS Code runs the hook of Claude's settings",
    argv: ["UserPromptSubmit", "--host", "claude-code"],
    payload: { ...vscode, hook_event_name: "UserPromptSubmit", prompt: "Add a test" },
    spooled: { event: "prompt", host: "vscode", session: "v1", turn: null, text: "Add a test" },
  },
  {
    what: "VS Code, a command",
    payload: {
      ...vscode,
      hook_event_name: "PostToolUse",
      tool_name: "run_in_terminal",
      tool_use_id: "vt1",
      tool_input: { command: "go test ./..." },
      tool_response: "ok  p 0.1s",
    },
    spooled: { event: "tool", host: "vscode", command: "go test ./...", text: "ok  p 0.1s" },
  },
  {
    what: "VS Code, a file",
    payload: {
      ...vscode,
      hook_event_name: "PostToolUse",
      tool_name: "replace_string_in_file",
      tool_use_id: "vt2",
      tool_input: { filePath: "/p/main.go" },
      tool_response: "edited",
    },
    spooled: { event: "tool", path: "/p/main.go", text: null },
  },
  {
    what: "VS Code, without a session",
    payload: { timestamp: "2026-11-17T06:00:00.000Z", cwd: "/p", hook_event_name: "Stop" },
    spooled: { event: "turn_end", host: "vscode", session: "unknown", text: null },
  },
  {
    what: "Gemini CLI, a prompt",
    payload: { ...gemini, hook_event_name: "BeforeAgent", prompt: "Explain" },
    spooled: { event: "prompt", host: "gemini", session: "m1", text: "Explain" },
  },
  {
    what: "Gemini CLI, a command fails",
    payload: {
      ...gemini,
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_input: { command: "ls x" },
      tool_response: { llmContent: "x", error: { message: "No x" } },
    },
    spooled: { event: "failure", host: "gemini", command: "ls x", text: "No x" },
  },
  {
    what: "Gemini CLI, a reply",
    payload: { ...gemini, hook_event_name: "AfterAgent", prompt: "Explain", prompt_response: "It parses." },
    spooled: { event: "turn_end", host: "gemini", text: "It parses." },
  },
  {
    what: "Gemini CLI, before compaction",
    payload: { ...gemini, hook_event_name: "PreCompress", trigger: "auto" },
    spooled: { event: "compaction", host: "gemini" },
  },
  {
    what: "Gemini CLI, a session ends",
    argv: ["SessionEnd", "--host", "gemini"],
    payload: { ...gemini, hook_event_name: "SessionEnd", reason: "exit" },
    spooled: { event: "session_end", host: "gemini", text: "exit" },
  },
  {
    what: "Gemini CLI, our own tools",
    payload: { ...gemini, hook_event_name: "AfterTool", tool_name: "recall", mcp_context: { server_name: "stele" } },
    spooled: null,
  },
  {
    what: "Kimi CLI, a command",
    argv: ["--host", "kimi", "PostToolUse"],
    payload: {
      ...kimi,
      hook_event_name: "PostToolUse",
      tool_name: "Shell",
      tool_call_id: "kc1",
      tool_input: { command: "pytest" },
      tool_output: "3 passed",
    },
    spooled: { event: "tool", host: "kimi", session: "k1", command: "pytest", text: "3 passed" },
  },
  {
    what: "Kimi CLI, a file",
    argv: ["--host", "kimi"],
    payload: { ...kimi, hook_event_name: "PostToolUse", tool_name: "WriteFile", tool_input: { path: "a.py" } },
    spooled: { event: "tool", host: "kimi", path: "a.py" },
  },
];
