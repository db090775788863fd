/**
 * Real hosts, set up by `stele init` alone: `npm run test:hosts`, by hand.
 *
 * Installs Claude Code, Codex and Gemini CLI into a temporary folder (about 900 MB; `-- --hosts DIR` uses or fills another
 * one) and runs two sessions of each against a scripted model on this machine: the tool is found, called and answered, hooks
 * fire, the second session is handed what the first one learnt, and after `init --remove` the configuration is as before.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { estimatedTokens } from "../src/logic/text/estimated-tokens.ts";
import { BLOCK_END, BLOCK_START } from "../src/model/capture/memory-block.ts";
import { type Reply, startModel } from "./host-sessions/model.ts";

const STELE = fileURLToPath(new URL("../bin/stele.js", import.meta.url));
const PACKAGES = ["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli"];
const FACT = "The herons of the staging cluster nest in rack seven";
const PROMPT = "Remember where the herons nest";
const NEXT_PROMPT = "Tidy the imports, please";
const HANDED_TOKENS = 550;
const HANDLE_LENGTH = 8;
const ATTEMPTS = 75;
const LIMIT_MS = 180_000;

const { values } = parseArgs({ options: { hosts: { type: "string" } } });
const lab = mkdtempSync(join(tmpdir(), "stele-hosts-"));
const hosts = values.hosts ?? join(lab, "hosts");

interface Place {
  home: string;
  project: string;
  /** First on the path. */
  bin: string;
  run(command: string, ...args: string[]): Promise<string>;
  stele(...args: string[]): Promise<string>;
  /** What a hook says to this input. */
  hook(input: string): Promise<string>;
}

/** A user of their own: nothing of this machine's configuration is read or written. */
function newPlace(name: string, variables: Record<string, string> = {}): Place {
  const home = join(lab, name);
  const project = join(home, "project");
  const bin = join(home, "bin");
  for (const folder of [project, bin]) mkdirSync(folder, { recursive: true });
  const path = [bin, join(hosts, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env = { PATH: path, HOME: home, ...variables };
  const run: Place["run"] = (command, ...args) => spawned(command, args, { env, cwd: project });
  return {
    ...{ home, project, bin, run },
    stele: (...args) => run(process.execPath, STELE, ...args),
    hook: (input) => spawned(process.execPath, [STELE, "hook"], { env, cwd: project }, input),
  };
}

async function spawned(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd: string },
  input = "",
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"], timeout: LIMIT_MS });
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([
    ...[child.stdout, child.stderr].map((stream) => text(stream)),
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}\n${errors}`);
  return `${output}${errors}`;
}

async function install(): Promise<void> {
  mkdirSync(hosts, { recursive: true });
  if (PACKAGES.every((name) => existsSync(join(hosts, "node_modules", name)))) return;
  writeFileSync(join(hosts, "package.json"), '{ "private": true }\n');
  await spawned("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: hosts, env: process.env });
}

/** What hooks reported, before anybody took it in. */
function reportsIn({ home }: Place): string[] {
  const spool = join(home, ".local", "share", "stele", "spool");
  if (!existsSync(spool)) return [];
  return readdirSync(spool, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

const said = (tool: { namespace?: string; name: string }): Reply[] => [
  { tool: { ...tool, input: { content: FACT } } },
  { text: "Noted: the herons nest in rack seven." },
];

async function claudeCode(): Promise<string> {
  const load: Reply = { tool: { name: "ToolSearch", input: { query: "select:mcp__stele__remember" } } };
  await using model = await startModel([load, ...said({ name: "mcp__stele__remember" })]);
  const place = newPlace("claude", {
    ...{ ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`, ANTHROPIC_API_KEY: "sk-fake" },
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  });
  const settings = '{\n    "env": {}\n}';
  mkdirSync(join(place.home, ".claude"));
  writeFileSync(join(place.home, ".claude", "settings.json"), settings);
  await place.stele("init", "claude-code", "--yes");
  const list = await place.run("claude", "mcp", "list");
  assert.match(list, /stele: .*Connected/);
  await place.run("claude", "-p", PROMPT, "--allowedTools", "mcp__stele__remember", "--output-format", "json");
  const report = await judge(place, model.requests);
  const handed = await handedOver(place, model.requests, () => place.run("claude", "-p", NEXT_PROMPT));
  await place.stele("init", "--remove", "claude-code", "--yes");
  assert.equal(readFileSync(join(place.home, ".claude", "settings.json"), "utf8"), settings);
  assert.doesNotMatch(await place.run("claude", "mcp", "list"), /^stele:/m);
  return `${report}; ${handed}`;
}

async function codex(): Promise<string> {
  await using model = await startModel([
    // Codex does not wait for servers before it asks its model.
    { tool: { name: "exec_command", input: { cmd: "sleep 3" } } },
    ...said({ namespace: "mcp__stele", name: "remember" }),
  ]);
  const place = newPlace("codex", { FAKE_KEY: "x" });
  const config = [
    'model = "scripted" # mine',
    'model_provider = "fake"',
    "[model_providers.fake]",
    'name = "fake"',
    `base_url = "http://127.0.0.1:${model.port}/v1"`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
  ].join("\n");
  mkdirSync(join(place.home, ".codex"));
  writeFileSync(join(place.home, ".codex", "config.toml"), config);
  await place.stele("init", "codex", "--yes");
  assert.match(await place.run("codex", "mcp", "list"), /stele .*enabled/);
  const trusting = [
    "--skip-git-repo-check",
    "--dangerously-bypass-hook-trust",
    "--dangerously-bypass-approvals-and-sandbox",
  ];
  await place.run("codex", "exec", ...trusting, PROMPT);
  const report = await judge(place, model.requests);
  const handed = await handedOver(place, model.requests, () => place.run("codex", "exec", ...trusting, NEXT_PROMPT));
  await place.stele("init", "--remove", "codex", "--yes");
  assert.doesNotMatch(await place.run("codex", "mcp", "list"), /^stele /m);
  assert.ok(!readFileSync(join(place.home, ".codex", "config.toml"), "utf8").includes("stele"));
  return `${report}; ${handed}`;
}

/** The memory is there, the model was handed the tool's answer, and hooks have reported the session. */
async function judge(place: Place, requests: readonly string[]): Promise<string> {
  const [recalled = ""] = (await place.stele("recall", "where do the herons nest?")).split("\n");
  assert.match(recalled, /rack seven/, requests.map((body) => body.slice(-400)).join("\n"));
  assert.ok(requests.at(-1)!.includes(recalled.slice(0, HANDLE_LENGTH)), "the model was not handed the tool's answer");
  const log = join(place.home, ".local", "share", "stele", "hook.log");
  assert.ok(!existsSync(log), existsSync(log) ? readFileSync(log, "utf8") : "");
  const reports = reportsIn(place);
  return `${requests.length} requests to the model, ${reports.length} reports of hooks, recalled ${recalled}`;
}

/** A later session is handed what the first one learnt, once and within the budget, and again after a compaction. */
async function handedOver(place: Place, requests: readonly string[], session: () => Promise<string>): Promise<string> {
  const before = requests.length;
  await session();
  // A host need not report the end of a session; the beginning of the next one ends it.
  await retried(async () => {
    await place.stele("extract");
    const why = await place.stele("why", PROMPT);
    assert.match(why, /herons nest/, `hooks have not reported the first session`);
  });
  const handed = requests.slice(before).join("\n").replaceAll("\\n", "\n");
  const blocks = new Set(handed.match(new RegExp(`${BLOCK_START}[^]*?${BLOCK_END}`, "g")) ?? []);
  assert.equal(blocks.size, 1, `one block, not ${blocks.size}: ${[...blocks].join("\n")}`);
  const [block = ""] = blocks;
  assert.ok(block.includes(FACT), block);
  const tokens = estimatedTokens(block);
  assert.ok(tokens <= HANDED_TOKENS, `${tokens} tokens`);
  const payload = { session_id: "any", hook_event_name: "SessionStart", source: "compact", cwd: place.project };
  assert.ok((await place.hook(JSON.stringify(payload))).includes(FACT), "after a compaction it is handed over again");
  return `the next session was handed ${tokens} tokens`;
}

async function retried(work: () => Promise<unknown>): Promise<void> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return void (await work());
    } catch (thrown) {
      if (left === 0) throw thrown;
      await setTimeout(1_000);
    }
  }
}

async function gemini(): Promise<string> {
  const place = newPlace("gemini", { GEMINI_API_KEY: "fake" });
  await place.stele("init", "gemini", "--yes");
  const settings = readFileSync(join(place.home, ".gemini", "settings.json"), "utf8");
  const list = await place.run("gemini", "mcp", "list");
  assert.match(list, /stele/);
  await place.stele("init", "--remove", "gemini", "--yes");
  assert.ok(settings.includes("BeforeAgent"));
  return list
    .split("\n")
    .find((line) => line.includes("stele"))!
    .trim();
}

/** Installed, it is a copy of the folder alone, so it has to find the program. */
async function plugin(): Promise<string> {
  const place = newPlace("plugin");
  const root = fileURLToPath(new URL("../", import.meta.url));
  for (const folder of [root, join(root, "plugin")])
    await place.run("claude", "plugin", "validate", folder, "--strict");
  await place.run("claude", "plugin", "marketplace", "add", root);
  await place.run("claude", "plugin", "install", "stele@stele");
  symlinkSync(STELE, join(place.bin, "stele"));
  const list = await place.run("claude", "mcp", "list");
  assert.match(list, /plugin:stele:stele.*Connected/);
  return "plugin and marketplace are valid; installed, its server is connected";
}

let failures = 0;
try {
  await install();
  for (const [name, check] of Object.entries({
    "Claude Code": claudeCode,
    Codex: codex,
    "Gemini CLI": gemini,
    Plugin: plugin,
  })) {
    try {
      console.log(`ok    ${name}: ${await check()}`);
    } catch (thrown) {
      failures += 1;
      console.log(`FAIL  ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
} finally {
  rmSync(lab, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = failures > 0 ? 1 : 0;
