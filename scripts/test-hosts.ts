/**
 * Real hosts, set up by `stele init` alone: `npm run test:hosts`, by hand.
 *
 * Installs Claude Code, Codex, Gemini CLI, the MCP Inspector and mcpb into a temporary folder (about 900 MB; `-- --hosts DIR` uses or
 * fills another one) and runs sessions against a scripted model on this machine: tools are found, called and answered, hooks
 * fire, the second session is handed what the first one learnt and did, and after `init --remove` the configuration is as before.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claudeCode, claudeCodeNextDay } from "./host-sessions/claude-code.ts";
import { claudeCodeOverHttp } from "./host-sessions/claude-code-http.ts";
import { codex, codexNextDay } from "./host-sessions/codex.ts";
import { bundle, gemini, inspector, plugin } from "./host-sessions/others.ts";
import { spawned } from "./host-sessions/place.ts";

const PACKAGES = [
  "@anthropic-ai/claude-code",
  "@openai/codex",
  "@google/gemini-cli",
  "@modelcontextprotocol/inspector",
  "@anthropic-ai/mcpb",
];
const CHECKS = {
  "Claude Code": claudeCode,
  "Claude Code, next day": claudeCodeNextDay,
  "Claude Code over HTTP": claudeCodeOverHttp,
  Codex: codex,
  "Codex, next day": codexNextDay,
  "Gemini CLI": gemini,
  Plugin: plugin,
  "MCP Inspector": inspector,
  "MCPB manifest": bundle,
};

const { values } = parseArgs({ options: { hosts: { type: "string" }, only: { type: "string" } } });
const lab = mkdtempSync(join(tmpdir(), "stele-hosts-"));
const hosts = values.hosts ?? join(lab, "hosts");

async function install(): Promise<void> {
  mkdirSync(hosts, { recursive: true });
  if (PACKAGES.every((name) => existsSync(join(hosts, "node_modules", name)))) return;
  writeFileSync(join(hosts, "package.json"), '{ "private": true }\n');
  await spawned("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: hosts, env: process.env });
}

let failures = 0;
try {
  await install();
  for (const [name, check] of Object.entries(CHECKS).filter(([name]) => (values.only ?? name) === name)) {
    try {
      console.log(`ok    ${name}: ${await check({ lab, hosts })}`);
    } catch (thrown) {
      failures += 1;
      console.log(`FAIL  ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
} finally {
  rmSync(lab, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = failures > 0 ? 1 : 0;
