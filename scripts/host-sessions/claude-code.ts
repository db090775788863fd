/** Claude Code: three sessions, set up by `stele init` alone. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKING, NEXT_PROMPT, PROMPT, carriedTokens, handedOver, judge, recalled, remembering } from "./judge.ts";
import { startModel } from "./model.ts";
import { nextDay } from "./next-day.ts";
import { type Place, newPlace } from "./place.ts";

const SETTINGS = '{\n    "env": {}\n}';

/** Where Claude Code talks to this model, and to nobody else. */
export function claudePlace(name: string, folders: Parameters<typeof newPlace>[1], { port }: { port: number }): Place {
  const place = newPlace(name, folders, {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "sk-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  });
  mkdirSync(join(place.home, ".claude"));
  return place;
}

export async function claudeCode(folders: { lab: string; hosts: string }): Promise<string> {
  await using model = await startModel();
  const place = claudePlace("claude", folders, model);
  writeFileSync(join(place.home, ".claude", "settings.json"), SETTINGS);
  await place.stele("init", "claude-code", "--yes");
  const list = await place.run("claude", "mcp", "list");
  assert.match(list, /stele: .*Connected/);
  model.script(remembering({ name: "mcp__stele__remember" }));
  await place.run("claude", "-p", PROMPT, "--allowedTools", "mcp__stele__remember", "--output-format", "json");
  const report = await judge(place, model.requests);
  const carried = carriedTokens(model.requests[0]!);
  model.script([{ text: "Tidied." }]);
  const handed = await handedOver(place, model.requests, () => place.run("claude", "-p", NEXT_PROMPT));
  // Recall is loaded from the start; a tool that is not is found by the words of an agent.
  model.script([
    { tool: { name: "ToolSearch", input: { query: "decisions that hold for this project" } } },
    { tool: { name: "mcp__stele__decisions", input: {} } },
    { tool: { name: "mcp__stele__recall", input: { query: ASKING } } },
    { text: "In rack seven." },
  ]);
  await place.run("claude", "-p", ASKING, "--allowedTools", "mcp__stele__recall", "mcp__stele__decisions");
  const [found, decided] = model.requests.slice(-3);
  assert.match(found!, /"tool_reference","tool_name":"mcp__stele__decisions"/);
  assert.match(decided!.slice(decided!.lastIndexOf("tool_result")), /decision/i);
  const told = recalled(model.requests);
  await place.stele("init", "--remove", "claude-code", "--yes");
  assert.equal(readFileSync(join(place.home, ".claude", "settings.json"), "utf8"), SETTINGS);
  assert.doesNotMatch(await place.run("claude", "mcp", "list"), /^stele:/m);
  return [report, carried, handed, "ToolSearch found decisions", told].join("; ");
}

export async function claudeCodeNextDay(folders: { lab: string; hosts: string }): Promise<string> {
  await using model = await startModel();
  const place = claudePlace("claude-next-day", folders, model);
  await place.stele("init", "claude-code", "--yes");
  return await nextDay(place, model, {
    session: (prompt, goesOn) =>
      place.run(
        "claude",
        "-p",
        prompt,
        ...(goesOn ? ["--continue"] : []),
        "--allowedTools",
        "Bash",
        "Write",
        "mcp__stele",
      ),
    shell: (command) => ({ tool: { name: "Bash", input: { command } } }),
    write: (file, content) => ({ tool: { name: "Write", input: { file_path: join(place.project, file), content } } }),
    verb: (name, input) => [
      { tool: { name: "ToolSearch", input: { query: `select:mcp__stele__${name}` } } },
      { tool: { name: `mcp__stele__${name}`, input } },
    ],
  });
}
