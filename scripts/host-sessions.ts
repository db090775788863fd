/**
 * Two sessions of a real host against a scripted model: what the first one said is in what the second one's model is
 * handed. Run by hand, because it needs the hosts:
 *
 *   node scripts/host-sessions.ts HOSTS MODEL [claude-code|codex]
 *
 * HOSTS is a folder into which npm has installed them, MODEL a script that answers like their providers: it is started
 * with a script of replies and a file for requests, and prints its port.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { estimatedTokens } from "../src/logic/text/estimated-tokens.ts";
import { MEMORY_END, MEMORY_START } from "../src/model/capture/memory-block.ts";

const STELE = fileURLToPath(new URL("../bin/stele.js", import.meta.url));
const CAUSE =
  "The root cause: payment webhooks fail with a signature mismatch because express.json() consumes the raw body before the check runs.";
const FIRST = "Payment webhooks fail with a signature mismatch since the upgrade. Find out why.";
const MOST_TOKENS = 550;
const MINUTE_MS = 60_000;

const [hosts = "", model = "", only] = process.argv.slice(2).map((word, index) => (index < 2 ? resolve(word) : word));
if (!existsSync(join(hosts, "node_modules", ".bin")) || !existsSync(model)) {
  process.stderr.write("usage: host-sessions.ts HOSTS MODEL [claude-code|codex]\n");
  process.exit(2);
}

interface Lab {
  home: string;
  project: string;
  requests: string;
  port: string;
}

interface Host {
  /** Prepares the host's own settings. */
  setUp(lab: Lab): void;
  session(prompt: string, lab: Lab): string[];
  env(lab: Lab): Record<string, string>;
}

const hookOf = (...words: string[]) => ({
  type: "command",
  command: `${process.execPath} ${STELE} ${words.join(" ")}`,
});
const entry = (...words: string[]) => ({ hooks: [hookOf("hook", ...words)] });
const EVENTS = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"];
const HOOKS = { hooks: Object.fromEntries(EVENTS.map((event) => [event, [entry()]])) };

const HOSTS: Record<string, Host> = {
  "claude-code": {
    setUp: ({ home }) => writeJson(join(home, ".claude"), "settings.json", HOOKS),
    session: (prompt) => ["claude", "-p", prompt],
    env: ({ port }) => ({
      ...{ ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "sk-fake" },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  codex: {
    setUp({ home, port }) {
      writeJson(join(home, ".codex"), "hooks.json", HOOKS);
      const provider = `name = "fake"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"`;
      const config = `model = "fake"\nmodel_provider = "fake"\n\n[model_providers.fake]\n${provider}\n`;
      writeFileSync(join(home, ".codex", "config.toml"), config);
    },
    session: (prompt) => ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
    env: () => ({ FAKE_KEY: "x" }),
  },
};

function writeJson(folder: string, name: string, value: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value));
}

async function startModel(lab: Lab, replies: unknown): Promise<ChildProcess> {
  writeFileSync(join(lab.home, "script.json"), JSON.stringify(replies));
  const child = spawn(process.execPath, [model, join(lab.home, "script.json"), lab.requests], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  lab.port = await new Promise((found) => child.stdout!.once("data", (text: Buffer) => found(text.toString().trim())));
  return child;
}

function talk(host: Host, prompt: string, lab: Lab): void {
  const [program = "", ...argv] = host.session(prompt, lab);
  const env = { PATH: process.env["PATH"], HOME: lab.home, STELE_HOME: join(lab.home, "stele"), ...host.env(lab) };
  const path = join(hosts, "node_modules", ".bin", program);
  const options = { cwd: lab.project, env, encoding: "utf8", timeout: 5 * MINUTE_MS, input: "" } as const;
  const { status, stderr, stdout } = spawnSync(path, argv, options);
  assert.equal(status, 0, `${program}: ${stdout}\n${stderr}`);
}

/** The blocks of memory in what the model was handed, each once. */
function blocksIn(requests: string): string[] {
  const text = existsSync(requests) ? readFileSync(requests, "utf8").replaceAll("\\n", "\n") : "";
  const block = new RegExp(`<!-- ${MEMORY_START} -->[^]*?${MEMORY_END} -->`, "g");
  return [...new Set(text.match(block) ?? [])];
}

/** What a real hook process says when the host reports that it has compacted the session. */
function afterCompaction(session: string, lab: Lab): string {
  const payload = { session_id: session, hook_event_name: "SessionStart", source: "compact", cwd: lab.project };
  const env = { PATH: process.env["PATH"], STELE_HOME: join(lab.home, "stele") };
  return spawnSync(process.execPath, [STELE, "hook"], {
    ...{ cwd: lab.project, env, input: JSON.stringify(payload), encoding: "utf8" },
  }).stdout;
}

async function play(name: string, host: Host): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), `stele-${name}-`));
  const lab: Lab = { home, project: join(home, "shop"), requests: join(home, "requests.jsonl"), port: "" };
  mkdirSync(lab.project);
  spawnSync("git", ["init", "-q", lab.project]);
  const child = await startModel(lab, [{ text: CAUSE }]);
  try {
    host.setUp(lab);
    talk(host, FIRST, lab);
    assert.deepEqual(blocksIn(lab.requests), [], "the first session has nothing to be handed");
    talk(host, FIRST.replace("Find out why.", "Where is the raw body consumed?"), lab);
    const blocks = blocksIn(lab.requests);
    assert.equal(blocks.length, 1, `one block, not ${blocks.length}: ${blocks.join("\n")}`);
    assert.match(blocks[0]!, /signature mismatch because express\.json\(\) consumes the raw body/);
    assert.ok(estimatedTokens(blocks[0]!) <= MOST_TOKENS);
    assert.match(afterCompaction("any", lab), /consumes the raw body/, "after a compaction it is handed over again");
    process.stdout.write(
      `${name}: the second session was handed ${estimatedTokens(blocks[0]!)} tokens\n${blocks[0]}\n`,
    );
  } finally {
    child.kill();
    if (process.env["KEEP"]) process.stdout.write(`${home}\n`);
    else rmSync(home, { recursive: true, force: true });
  }
}

for (const [name, host] of Object.entries(HOSTS)) if (only === undefined || only === name) await play(name, host);
