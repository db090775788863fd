/** Hosts that no test can run: what we write has the shape their documentation describes, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { wantedFiles } from "../../src/agents/agent-table.ts";
import type { HostId, Places } from "../../src/agents/connection.ts";
import { isRefused, planConnect } from "../../src/agents/plan-file.ts";
import { OWN_DATA, placesIn, PROGRAM } from "./fixtures.ts";

const words = z.array(z.string());
const variables = z.record(z.string(), z.string());
const seconds = z.number().min(1).max(60);
const lists = <Name extends string, Hook extends z.ZodType>(names: readonly Name[], hook: Hook) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.array(hook).optional()])));

/** cursor.com/docs: context/mcp and hooks. */
const CURSOR_SERVERS = z.strictObject({
  mcpServers: z.record(
    z.string(),
    z.strictObject({
      type: z.literal("stdio").optional(),
      command: z.string(),
      args: words,
      env: variables.optional(),
    }),
  ),
});
const CURSOR_EVENTS = [
  ...["sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart"],
  ...["subagentStop", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution"],
  ...["beforeReadFile", "afterFileEdit", "beforeSubmitPrompt", "preCompact", "stop", "afterAgentResponse"],
  "afterAgentThought",
];
const CURSOR_HOOKS = z.strictObject({
  version: z.literal(1),
  hooks: lists(CURSOR_EVENTS, z.strictObject({ command: z.string(), timeout: seconds })),
});

/** code.visualstudio.com/docs/agents/reference: mcp-configuration and hooks-reference. */
const VSCODE_SERVERS = z.strictObject({
  servers: z.record(
    z.string(),
    z.strictObject({ type: z.literal("stdio"), command: z.string(), args: words, env: variables.optional() }),
  ),
});
const VSCODE_EVENTS = [
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart"],
  ...["SubagentStop", "Stop"],
];
const VSCODE_HOOKS = z.strictObject({
  version: z.literal(1),
  hooks: lists(VSCODE_EVENTS, z.strictObject({ type: z.literal("command"), command: z.string(), timeout: seconds })),
});

const DOCUMENTED: [HostId, z.ZodType, z.ZodType, (places: Places) => string[]][] = [
  ["cursor", CURSOR_SERVERS, CURSOR_HOOKS, ({ home }) => [`${home}/.cursor/mcp.json`, `${home}/.cursor/hooks.json`]],
  [
    "vscode",
    VSCODE_SERVERS,
    VSCODE_HOOKS,
    ({ config, home }) => [`${config}/Code/User/mcp.json`, `${home}/.copilot/hooks/stele.json`],
  ],
];
for (const [host, servers, hooks, paths] of DOCUMENTED)
  test(`${host}: files, fields and events are those of its documentation`, () => {
    for (const platform of ["linux", "darwin"])
      for (const program of [PROGRAM, { ...PROGRAM, data: OWN_DATA }]) {
        const places = placesIn("/home/ann", platform);
        const files = wantedFiles(host, "user", program, places);
        assert.deepEqual(files.map(({ path }) => path), paths(places)); // prettier-ignore
        for (const [at, schema] of [servers, hooks].entries()) {
          const planned = planConnect(null, files[at]!, program);
          assert.ok(!isRefused(planned));
          schema.parse(JSON.parse(planned.text!));
        }
      }
  });
