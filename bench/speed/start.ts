/**
 * How long one command takes against a bare `node -e 0`, from the built package and from a checkout.
 *
 * The package is built again and laid out as npm would install it. Each program has its own data folder and has run
 * each command before, as in everyday use.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processTimes } from "./measure.ts";
import type { Row } from "./result.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STARTS = 25;
/** Enough to fill a page of a list, and few enough that only the start matters. */
const MEMORIES = 30;

type Program = "package" | "checkout";

export function measureStart(folder: string): Row[] {
  const programs: Record<Program, string> = { package: install(folder), checkout: join(ROOT, "bin", "stele.js") };
  const node = process.execPath;
  const commands: Record<string, () => readonly string[]> = {
    bare: () => ["/usr/bin/env", node, "-e", "0"],
    help: () => ["/usr/bin/env", node, programs.package, "--help"],
    hook: () => ["/usr/bin/env", `STELE_HOME=${join(folder, "hook-home")}`, node, programs.package, "hook"],
  };
  const inputs = { hook: () => reportOf(folder) };
  mkdirSync(join(folder, "hook-home"));
  for (const [name, bin] of Object.entries(programs)) Object.assign(commands, verbsOf(name, bin, folder));
  processTimes(commands, 1, inputs);
  const { bare, help, hook, ...times } = processTimes(commands, STARTS, inputs);
  const row = { part: "start", size: null, who: "stele" } as const;
  return [
    { ...row, what: "bare node", value: bare!.p50, p95: bare!.p95, unit: "ms" },
    { ...row, what: "stele --help against bare node", value: help!.p50 / bare!.p50, unit: "×" },
    { ...row, what: "capture hook against bare node", value: hook!.p50 / bare!.p50, unit: "×" },
    ...Object.entries(times).map(([what, { p50 }]): Row => ({ ...row, what, value: p50 / bare!.p50, unit: "×" })),
  ];
}

let reports = 0;

/** What an agent's host reports after a command, never the same. */
const reportOf = (cwd: string): string =>
  JSON.stringify({
    session_id: "b2f1",
    transcript_path: "/home/a/.claude/projects/b2f1.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_use_id: `toolu_${(reports += 1)}`,
    tool_input: { command: "npm test -- test/parser.test.ts", description: "Run the tests of the parser" },
    tool_response: { stdout: "12 tests passed\n".repeat(40), stderr: "", interrupted: false },
  });

export function install(folder: string): string {
  const built = spawnSync(process.execPath, [join(ROOT, "scripts/build.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) throw new Error("The package could not be built.");
  const target = join(folder, "node_modules", "stele");
  mkdirSync(target, { recursive: true });
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(ROOT, name), join(target, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(target, "node_modules"));
  return join(target, "bin", "stele.js");
}

/** Everyday commands, by the name of the measurement. */
function verbsOf(name: string, bin: string, folder: string): Record<string, () => readonly string[]> {
  const [home, project] = ["home", "project"].map((part) => join(folder, `${name}-${part}`)) as [string, string];
  for (const path of [home, project]) mkdirSync(path);
  const command = (...words: string[]) => [
    ...["/usr/bin/env", `STELE_HOME=${home}`, process.execPath, bin, ...words, "--project", project],
  ];
  const run = (...words: string[]) => {
    const [first = "", ...rest] = command(...words, "--json");
    return JSON.parse(spawnSync(first, rest, { encoding: "utf8" }).stdout) as { id: string };
  };
  let count = 0;
  const fact = () => `Service ${(count += 1)} listens on port ${8_000 + count} and needs the VPN`;
  const { id } = run("remember", fact());
  while (count < MEMORIES) run("remember", fact());
  /** Each resembles the ones before, so that they are compared by the rules for statements. */
  const note = () => `Deploys of the shop need the VPN and two approvals, see ticket ${(count += 1)}`;
  run("remember", note());
  const what = (verb: string) => `${verb}, ${name} against bare node`;
  return {
    [what("remember")]: () => command("remember", fact()),
    [what("remember beside similar ones")]: () => command("remember", note()),
    [what("list")]: () => command("list"),
    [what("get")]: () => command("get", id),
    [what("recall by words")]: () => command("recall", "which port needs the VPN", "--mode", "keyword"),
  };
}
