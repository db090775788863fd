/**
 * Hooks that hand memory to a session, from the installed package: its start with a surface that is kept and an empty
 * spool, and a prompt while a server offers its model.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { seeded, sentence } from "./corpus.ts";
import { processTimes } from "./measure.ts";
import { startServer, steleServer } from "./mcp.ts";
import { child } from "./processes.ts";
import type { Row } from "./result.ts";
import { install } from "./start.ts";

const MEMORIES = 10_000;
const ROUNDS = 25;
/** Compiled code is gathered from the first runs. */
const RUNS_BEFORE = 5;

export async function measureHooks(folder: string): Promise<Row[]> {
  const program = install(folder);
  await child("fill-process.ts", [folder, String(MEMORIES)]);
  const home = join(folder, "home");
  const hook = () => {
    rmSync(join(home, "spool"), { recursive: true, force: true });
    return ["/usr/bin/env", `STELE_HOME=${home}`, process.execPath, program, "hook"];
  };
  const random = seeded(29);
  let sessions = 0;
  const report = (event: string, more: object) =>
    JSON.stringify({ session_id: `s${(sessions += 1)}`, hook_event_name: event, cwd: folder, ...more });
  const inputs = {
    start: () => report("SessionStart", { source: "startup" }),
    prompt: () => report("UserPromptSubmit", { permission_mode: "default", prompt: sentence(sessions, random) }),
  };
  const commands = { bare: () => ["/usr/bin/env", process.execPath, "-e", "0"], start: hook, prompt: hook };
  const server = await startServer(steleServer(folder, "minilm", program));
  try {
    await server.call("recall", { query: sentence(0, random) });
    processTimes(commands, RUNS_BEFORE, inputs);
    const { bare, start, prompt } = processTimes(commands, ROUNDS, inputs);
    const row = { part: "hooks", size: MEMORIES, who: "stele" } as const;
    return [
      { ...row, what: "session start hook against bare node", value: start.p50 / bare.p50, unit: "×" },
      { ...row, what: "prompt hook, a server running, p95", value: prompt.p95, unit: "ms" },
    ];
  } finally {
    await server.close();
  }
}
