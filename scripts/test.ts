/**
 * Runs tests: `npm test`, `npm run test:long`, `npm run test:soak`; a file named after `--` runs alone.
 *
 * Files share a process, because starting one costs more than most tests; none leaves anything behind for another.
 * Several processes run in parallel. Anything a process leaves running is ended with it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { UNATTENDED } from "../src/app/environment.ts";

interface Lane {
  /** The files of each process, started in this order: long ones first. A file goes to the first group that matches it. */
  groups: readonly (readonly string[])[];
  /** Tests that only longer lanes run. */
  without?: string;
  /** No test may take longer, however busy the machine. */
  limitMs: number;
  /** Only tests that do more than in the fast lane. */
  isMore?: boolean;
}

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const MINUTE_MS = 60_000;
/** One more than two cores: they are kept busy while one process waits, for a disk or a browser. */
const AT_ONCE = Math.max(3, availableParallelism());
/**
 * Many small ones: the more a process has loaded, the longer its collector takes, up to four times in one with all files.
 * Those that take or wait longest come first, so that all end together.
 */
const LONG_GROUPS = [
  ["test/cli/**/*.test.ts"],
  ["test/store/postgres/**/*.test.ts"],
  ["test/page/**/*.test.ts"],
  ["test/{http,mcp}/**/*.test.ts"],
  ["test/crash/kill*.test.ts"],
  ["test/crash/*.test.ts"],
  ["test/fuzz/*.test.ts"],
  ["test/transfer/**/*.test.ts"],
  ["test/{decisions,journal}/**/*.test.ts"],
  ["test/{memory,recall,graph,briefing,maintenance}/**/*.test.ts"],
  ["test/store/vectors/**/*.test.ts"],
  ["test/store/**/*.test.ts"],
  ["test/redaction/**/*.test.ts"],
  ["test/sessions/**/*.test.ts"],
  ["test/{files,embed,encryption,machine,agents,text,time}/**/*.test.ts"],
  ["test/hosts/**/*.test.ts"],
  ["test/**/*.test.ts"],
];
const LANES: Record<string, Lane> = {
  fast: {
    groups: [
      ["test/{files,sessions,encryption,remote}/**/*.test.ts"],
      ["test/{memory,recall,graph,briefing,decisions,maintenance}/**/*.test.ts"],
      ["test/**/*.test.ts"],
    ],
    without: "test/{crash,fuzz}/*",
    limitMs: 5 * MINUTE_MS,
  },
  long: {
    groups: LONG_GROUPS,
    limitMs: 15 * MINUTE_MS,
    isMore: true,
  },
  soak: {
    groups: [...LONG_GROUPS, ["test/**/*.soak.ts"]],
    limitMs: 180 * MINUTE_MS,
    isMore: true,
  },
};

/** Whether a test does more in a longer lane: it draws random cases, or asks for the lane itself. */
function growsWithLane(path: string, seen = new Set<string>()): boolean {
  // Source text inside tests may import files that do not exist.
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const source = readFileSync(path, "utf8");
  const imported = [...source.matchAll(/^(?:import|export)\b[^;"]*?from "([^"]+)"/gm)].map(([, name]) => name!);
  if (imported.some((name) => name === "fast-check" || name.endsWith("/lane.ts"))) return true;
  const own = imported.filter((name) => name.startsWith(".") && !name.includes("/src/"));
  return own.some((name) => growsWithLane(join(dirname(path), name), seen));
}

function isMeant(file: string, { isMore = false, without }: Lane): boolean {
  if (without !== undefined && matchesGlob(file, without)) return false;
  if (/\.linux\.(?:long\.)?test\.ts$/.test(file) && process.platform !== "linux") return false;
  const isLong = file.endsWith(".long.test.ts");
  return isMore ? isLong || file.endsWith(".soak.ts") || growsWithLane(join(ROOT, file)) : !isLong;
}

/**
 * Root ignores permissions, and some tests are about permissions. Without these two capabilities root is bound by them
 * like an ordinary owner.
 */
function bound(): string[] {
  if (process.getuid?.() !== 0) return [];
  const rights = "-dac_override,-dac_read_search";
  const command = ["setpriv", `--bounding-set=${rights}`, `--inh-caps=${rights}`, "--"];
  const { status } = spawnSync(command[0]!, [...command.slice(1), "true"], { stdio: "ignore" });
  if (status === 0) return command;
  process.stderr.write(
    "Root is bound by no permissions, and setpriv cannot change that here: run it as another user.\n",
  );
  process.exit(1);
}

/**
 * Grammars are large and used only briefly here, so optimising them is not worthwhile. Most objects of a test are
 * garbage when it ends: a large young generation and a single-threaded collector save a fifth of the work.
 */
const ENGINE = ["--liftoff-only", "--single-threaded-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];
const OPTIONS = [...ENGINE, "--test", "--test-isolation=none", "--test-reporter=./scripts/test-reporter.ts"];
/** Files are loaded in order of name, and this name comes first. */
const SETUP = "scripts/test-setup.ts";

/** The in-memory file system of Linux. */
const MEMORY_DISK = "/dev/shm";
/** Many times the space that tests ever use at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Thousands of small stores are opened and closed, and each would wait for the disk. An explicit TMPDIR is respected. */
function memoryDisk(): string[] {
  if (process.env["TMPDIR"] !== undefined || !existsSync(MEMORY_DISK)) return [];
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= ROOM_BYTES ? [MEMORY_DISK] : [];
}

/** Names a Postgres server to test against, in place of the one that tests start themselves. */
const SERVER = "STELE_TEST_POSTGRES";

/** A folder with a difficult name, outside any git repository, so that tests can be outside git too. */
function temporaryFolder(): string {
  const isInGit = (folder: string): boolean =>
    existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInGit(dirname(folder)));
  const places = [...memoryDisk(), tmpdir(), "/tmp", "/var/tmp"];
  const place = places.find((folder) => existsSync(folder) && !isInGit(realpathSync(folder)));
  if (place === undefined) throw new Error("TMPDIR lies in a git repository, and so does /tmp.");
  const folder = mkdtempSync(join(realpathSync(place), "stele tests ü "));
  // A Postgres server that root starts runs as nobody, who passes through.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  return folder;
}

function environment(lane: string, limitMs: number, temporary: string): NodeJS.ProcessEnv {
  // Neither the user's own settings nor an agent or build machine that runs the tests may influence them.
  const isOwn = (name: string) => name === SERVER || (!name.startsWith("STELE_") && !UNATTENDED.includes(name));
  const own = Object.entries(process.env).filter(([name]) => isOwn(name));
  return {
    ...Object.fromEntries(own),
    TMPDIR: temporary,
    // Most processes load the same sources and do little else.
    NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/compiled"),
    TEST_LANE: lane,
    TEST_LIMIT_MS: String(limitMs),
  };
}

const running = new Set<ChildProcess>();
/** Ends a process and everything it has started. */
function end(child: ChildProcess): void {
  running.delete(child);
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
  }
}
const temporary = temporaryFolder();
process.once("exit", () => {
  running.forEach(end);
  rmSync(temporary, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

interface Outcome {
  passed: number;
  failed: number;
}

async function run(files: readonly string[], command: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(command[0]!, [...command.slice(1), SETUP, ...files], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  running.add(child);
  const ended = once(child, "exit").finally(() => end(child));
  const [[code, signal], output] = await Promise.all([ended, text(child.stdout)]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed.*\n$/m.exec(output) ?? [];
  process.stdout.write(output.replace(/^\d+ passed, .*\n$/m, ""));
  const hasFinished = code === 0 && passed !== undefined;
  if (!hasFinished && !Number(failed))
    process.stdout.write(`\nFAILED: the process of ${files[0]} … ended with ${code ?? signal}\n`);
  return { passed: Number(passed ?? 0), failed: hasFinished ? Number(failed) : Math.max(1, Number(failed ?? 0)) };
}

const { values, positionals } = parseArgs({
  options: { lane: { type: "string", default: "fast" }, "limit-ms": { type: "string" } },
  allowPositionals: true,
});
const lane = LANES[values.lane];
if (!lane) throw new Error(`There is no lane ${values.lane}, only ${Object.keys(LANES).join(", ")}.`);
const limitMs = Number(values["limit-ms"] ?? lane.limitMs);
const command = [...bound(), process.execPath, ...OPTIONS, `--test-timeout=${limitMs}`];
const taken = new Set<string>();
const groups = (positionals.length > 0 ? [positionals] : lane.groups).map((patterns) => {
  const own = globSync([...patterns], { cwd: ROOT }).filter((file) => !taken.has(file));
  for (const file of own) taken.add(file);
  return own.filter((file) => positionals.length > 0 || isMeant(file, lane)).toSorted();
});
const started = performance.now();
const env = environment(values.lane, limitMs, temporary);
const waiting = groups.filter((files) => files.length > 0);
const outcomes: Outcome[] = [];
const runWaiting = async (): Promise<void> => {
  for (let files = waiting.shift(); files; files = waiting.shift()) outcomes.push(await run(files, command, env));
};
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
const left = readdirSync(temporary);
const sum = (name: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[name], 0);
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed in ${seconds} s\n`);
if (left.length > 0) process.stdout.write(`FAILED: left behind in the temporary folder: ${left.join(", ")}\n`);
process.exitCode = sum("failed") + left.length > 0 || sum("passed") === 0 ? 1 : 0;
