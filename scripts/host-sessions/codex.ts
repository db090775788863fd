/** Codex: three sessions, set up by `stele init` alone. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKING, NEXT_PROMPT, PROMPT, carriedTokens, handedOver, judge, recalled, remembering } from "./judge.ts";
import { type Reply, startModel } from "./model.ts";
import { nextDay } from "./next-day.ts";
import { type Place, newPlace } from "./place.ts";

/** A model of which Codex knows that it looks for tools, so that it shows it none of a server's. */
const SEARCHING_MODEL = "gpt-5.5";
/** Codex does not wait for servers before it asks its model. */
const WAIT: Reply = { tool: { name: "exec_command", input: { cmd: "sleep 3" } } };
/** Words of an agent, and the tool that should come first. */
const SEARCHES: readonly (readonly [words: string, tool: string])[] = [
  ["what was decided", "decisions"],
  ["save note for later", "remember"],
  ["what changed since last session", "orient"],
  ["delete outdated memory", "forget"],
  ["project conventions", "recall"],
];
const TRUSTING = [
  "--skip-git-repo-check",
  "--dangerously-bypass-hook-trust",
  "--dangerously-bypass-approvals-and-sandbox",
];

/** Where Codex talks to this model, and to nobody else. */
function codexPlace(name: string, folders: Parameters<typeof newPlace>[1], { port }: { port: number }): Place {
  const place = newPlace(name, folders, { FAKE_KEY: "x" });
  const config = [
    'model = "scripted" # mine',
    'model_provider = "fake"',
    "[model_providers.fake]",
    'name = "fake"',
    `base_url = "http://127.0.0.1:${port}/v1"`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
  ].join("\n");
  mkdirSync(join(place.home, ".codex"));
  writeFileSync(join(place.home, ".codex", "config.toml"), config);
  return place;
}

export async function codex(folders: { lab: string; hosts: string }): Promise<string> {
  await using model = await startModel();
  const place = codexPlace("codex", folders, model);
  await place.stele("init", "codex", "--yes");
  assert.match(await place.run("codex", "mcp", "list"), /stele .*enabled/);
  model.script([WAIT, ...remembering({ namespace: "mcp__stele", name: "remember" })]);
  await place.run("codex", "exec", ...TRUSTING, PROMPT);
  const report = await judge(place, model.requests);
  const carried = carriedTokens(model.requests[1]!);
  model.script([{ text: "Tidied." }]);
  const handed = await handedOver(place, model.requests, () => place.run("codex", "exec", ...TRUSTING, NEXT_PROMPT));
  model.script([
    WAIT,
    ...SEARCHES.map(([search]) => ({ search })),
    { tool: { namespace: "mcp__stele", name: "recall", input: { query: ASKING } } },
    { text: "In rack seven." },
  ]);
  const before = model.requests.length;
  await place.run("codex", "exec", "--model", SEARCHING_MODEL, ...TRUSTING, ASKING);
  assert.ok(!model.requests[before + 1]!.includes(RECALL), "the tool was not deferred");
  assert.deepEqual(
    foundIn(model.requests.at(-1)!),
    SEARCHES.map(([, tool]) => tool),
  );
  const told = recalled(model.requests);
  await place.stele("init", "--remove", "codex", "--yes");
  assert.doesNotMatch(await place.run("codex", "mcp", "list"), /^stele /m);
  assert.ok(!readFileSync(join(place.home, ".codex", "config.toml"), "utf8").includes("stele"));
  return [report, carried, handed, `tool_search found ${SEARCHES.map(([, tool]) => tool).join(", ")}`, told].join("; ");
}

/** What the model was told of recall, once it had looked for it. */
const RECALL = "Search the memory for what earlier sessions learnt";

/** The first tool that each search found. */
function foundIn(request: string): (string | undefined)[] {
  const { input } = JSON.parse(request) as { input: { type: string; tools?: { tools: { name: string }[] }[] }[] };
  return input.flatMap(({ type, tools }) => (type === "tool_search_output" ? [tools?.[0]?.tools[0]?.name] : []));
}

export async function codexNextDay(folders: { lab: string; hosts: string }): Promise<string> {
  await using model = await startModel();
  const place = codexPlace("codex-next-day", folders, model);
  await place.stele("init", "codex", "--yes");
  const shell = (cmd: string): Reply => ({ tool: { name: "exec_command", input: { cmd } } });
  const patch = (file: string, text: string) =>
    `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\nEOF`;
  return await nextDay(place, model, {
    session: (prompt, goesOn) =>
      place.run("codex", "exec", ...(goesOn ? ["resume", "--last"] : []), ...TRUSTING, prompt),
    shell,
    write: (file, text) => shell(patch(file, text)),
    verb: (name, input) => [WAIT, { tool: { namespace: "mcp__stele", name, input } }],
  });
}
