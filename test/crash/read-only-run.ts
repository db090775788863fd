/**
 * Every verb on a home that cannot be written: by another user, on a read-only mount, and where not even reading is allowed.
 *
 * `node test/crash/read-only-run.ts` makes a home, closes it, runs all verbs there through the library
 * and the shipped program, and compares every byte afterwards. What cannot be set up here is said.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../src/index.ts";
import { SETTINGS } from "../fuzz/settings.ts";
import { runChild } from "../child.ts";
import { readOnlyFolder } from "./own-mount.ts";

interface Way {
  name: string;
  /** "other": whom permissions bind; "self": root as well. */
  user: "other" | "self";
  /** What others may do with the home; the folders and the files. */
  modes: [folders: number, files: number];
  isReadable: boolean;
  wrapper(home: string): string[] | null;
}

const WAYS: readonly Way[] = [
  { name: "another user", user: "other", modes: [0o555, 0o444], isReadable: true, wrapper: () => [] },
  { name: "a read-only mount", user: "self", modes: [0o700, 0o600], isReadable: true, wrapper: readOnlyFolder },
  { name: "a stranger", user: "other", modes: [0o700, 0o600], isReadable: false, wrapper: () => [] },
];

/** What was seen, line by line. */
export async function runOnReadOnlyHome(): Promise<{ lines: string[]; isGood: boolean }> {
  const lines: string[] = [];
  let isGood = true;
  for (const way of WAYS) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-closed-")));
    try {
      const seen = await runOneWay(way, folder);
      lines.push(...seen.lines.map((line) => `${way.name}: ${line}`));
      isGood &&= seen.isGood;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { lines, isGood };
}

async function runOneWay(way: Way, folder: string): Promise<{ lines: string[]; isGood: boolean }> {
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const place of [folder, work]) {
    mkdirSync(place, { recursive: true });
    chmodSync(place, 0o777);
  }
  if (way.user === "other" && process.getuid?.() !== 0) {
    return { lines: ["left out: only root can become another user"], isGood: true };
  }
  await fill(home, work);
  for (const { path, isFolder } of entriesIn(home)) chmodSync(path, way.modes[isFolder ? 0 : 1]);
  const wrapper = way.wrapper(home);
  if (wrapper === null) return { lines: ["left out: nothing can be mounted here"], isGood: true };
  const before = fingerprint(home);
  const script = new URL("fixtures/every-verb-read-only.ts", import.meta.url);
  const readable = way.isReadable ? "readable" : "closed";
  const { code, output, errors } = await runChild(script, [home, work, way.user, readable], { wrapper });
  const lines = `${output}${errors}`.trimEnd().split("\n");
  const changed = [...before].filter(([path, print]) => fingerprint(home).get(path) !== print).map(([path]) => path);
  const added = [...fingerprint(home).keys()].filter((path) => !before.has(path));
  lines.push(
    changed.length + added.length === 0
      ? `the home is what it was, byte for byte (${before.size} files and folders)`
      : `WRONG, the home has changed: ${[...changed, ...added].join(", ")}`,
  );
  return { lines, isGood: code === 0 && changed.length + added.length === 0 };
}

/** A home with something of everything, a backup, and beside it what another home exported. */
async function fill(home: string, work: string): Promise<void> {
  const options = { project: work, settings: SETTINGS, session: "s" };
  const other = await open({ home: join(work, "other home"), ...options });
  await other.remember({ content: "a memory that only the other home has" });
  await other.export({ path: join(work, "other.jsonl") });
  await other.close();
  chmodSync(join(work, "other.jsonl"), 0o666);
  rmSync(join(work, "other home"), { recursive: true });
  const stele = await open({ home, ...options });
  for (const scope of ["project", "global", "working"] as const)
    for (const number of [1, 2, 3]) await stele.remember({ content: `${scope} memory ${number} about deploys`, scope });
  await stele.remember({ content: "sessions live in cookies", type: "decision" });
  await stele.backup({});
  await stele.recall({ query: "deploys" });
  await stele.remember({ content: "this one waits for its vector" });
  await stele.close();
}

interface Entry {
  path: string;
  isFolder: boolean;
}

function entriesIn(home: string): Entry[] {
  const inside = readdirSync(home, { recursive: true, withFileTypes: true });
  const entries = inside.map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }));
  return [...entries, { path: home, isFolder: true }];
}

/** Of every file and folder its mode, its times and its content. */
function fingerprint(home: string): Map<string, string> {
  return new Map(
    entriesIn(home).map(({ path, isFolder }) => {
      const { mode, mtimeMs, size } = statSync(path);
      const content = isFolder ? "" : createHash("sha256").update(readFileSync(path)).digest("hex");
      return [path, `${mode} ${mtimeMs} ${size} ${content}`];
    }),
  );
}

if (process.argv[1] === import.meta.filename) {
  const { lines, isGood } = await runOnReadOnlyHome();
  console.log(lines.join("\n"));
  process.exitCode = isGood ? 0 : 1;
}
