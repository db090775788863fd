/** A project that is watched: changes arrive in bursts, whatever way they are noticed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import type { WalkLimits } from "../../src/model/corpus.ts";
import { createProjectFiles } from "../../src/providers/project-files.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-watch-")));
after(() => rmSync(top, { recursive: true, force: true }));

const LIMITS: WalkLimits = { fileBytes: 1_000_000, files: 10_000, excludes: ["*.secret"] };
const PACE = { quietMs: 25, longestMs: 250, pollMs: 25 };
const DEADLINE_MS = 30_000;

let made = 0;
async function watched(polling: boolean, contents: Record<string, string>) {
  const root = join(top, String((made += 1)));
  const at = (path: string) => join(root, path);
  for (const [path, content] of Object.entries({ "start.ts": "", ...contents })) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  const warnings: string[] = [];
  const log = { debug: () => {}, warn: (message: string) => void warnings.push(message) };
  const batches: (readonly string[] | null)[] = [];
  let noticed = () => {};
  const watching = await createProjectFiles(root, { polling, log, pace: PACE }).watch(LIMITS, (paths) => {
    batches.push(paths);
    noticed();
  });
  const told = () => new Set(batches.flatMap((paths) => paths ?? []));
  /** Waits until all of these were told of, or for a batch that tells of everything. */
  async function until(...paths: string[]): Promise<void> {
    const missing = () => {
      const known = told();
      return paths.filter((path) => !known.has(path));
    };
    const isThere = () => batches.includes(null) || (paths.length > 0 && missing().length === 0);
    await new Promise<void>((resolve, reject) => {
      const give = () => reject(new Error(`not told of ${missing().slice(0, 5).join(", ") || "anything"}`));
      const timer = setTimeout(give, DEADLINE_MS);
      noticed = () => {
        if (!isThere()) return;
        clearTimeout(timer);
        resolve();
      };
      noticed();
    });
  }
  const forget = () => void batches.splice(0);
  return { root, at, batches, warnings, told, until, forget, close: () => watching.close() };
}

for (const polling of [false, true]) {
  const how = polling ? "by looking" : "by being told";

  test(`${how}: create, edit, rename and delete are noticed`, async () => {
    const { at, batches, until, forget, close } = await watched(polling, { "a/old.ts": "" });
    mkdirSync(at("new/deep"), { recursive: true });
    writeFileSync(at("new/deep/b.ts"), "");
    await until("new/deep/b.ts");
    forget();
    appendFileSync(at("new/deep/b.ts"), "more");
    await until("new/deep/b.ts");
    renameSync(at("a/old.ts"), at("a/renamed.ts"));
    await until("a/old.ts", "a/renamed.ts");
    forget();
    rmSync(at("a/renamed.ts"));
    rmSync(at("new"), { recursive: true });
    await until("a/renamed.ts", "new/deep/b.ts");
    assert.ok(!batches.includes(null));
    await close();
  });

  test(`${how}: what is left out is not told of`, async () => {
    const { at, told, until, close } = await watched(polling, {
      ".gitignore": "ignored/\n*.log\n",
      "ignored/a.ts": "",
      "node_modules/x/a.js": "",
      "b/.gitignore": "here\n",
    });
    symlinkSync(at("ignored"), at("link"));
    for (const path of ["ignored/a.ts", "node_modules/x/a.js", "a.log", "b/here", "a.png", "a.secret", "ignored/new"])
      writeFileSync(at(path), "x");
    writeFileSync(at("b/there"), "");
    await until("b/there");
    const files = [...told()].filter((path) => path !== "b" && path !== "");
    assert.deepEqual(files, ["b/there"]);
    await close();
  });

  test(`${how}: a project that goes and comes back harms nothing`, async () => {
    const { root, at, warnings, told, until, forget, close } = await watched(polling, { "a/b.ts": "" });
    renameSync(root, `${root}-away`);
    renameSync(`${root}-away`, root);
    rmSync(root, { recursive: true });
    mkdirSync(at("ignored"), { recursive: true });
    writeFileSync(at(".gitignore"), "ignored/\n");
    await until(".gitignore");
    for (const name of ["1", "2", "3"]) {
      forget();
      writeFileSync(at("ignored/x.ts"), name);
      writeFileSync(at("back.ts"), name.repeat(Number(name)));
      await until("back.ts");
    }
    assert.ok(!told().has("ignored/x.ts"));
    rmSync(root, { recursive: true });
    await close();
    assert.deepEqual(warnings, []);
  });
}

test("a burst of 1,000 files arrives whole, in few batches", async () => {
  const { at, batches, until, close } = await watched(false, {});
  const paths = Array.from({ length: 1_000 }, (_, index) => `burst/${index % 10}/${index}.ts`);
  for (let folder = 0; folder < 10; folder += 1) mkdirSync(at(`burst/${folder}`), { recursive: true });
  // Names of one file: a thousand files take longer to make than to notice.
  for (const path of paths) linkSync(at("start.ts"), at(path));
  await until(...paths);
  assert.ok(batches.length < 100, `${batches.length} batches`);
  assert.ok(batches.every((batch) => batch !== null && batch.toSorted().join() === batch.join()));
  await close();
});

test("other rules hold as soon as they are written", async () => {
  const { at, told, until, forget, close } = await watched(false, { ".gitignore": "a/\n", "a/x.ts": "", "b/x.ts": "" });
  writeFileSync(at(".gitignore"), "b/\n");
  await until();
  forget();
  writeFileSync(at("b/x.ts"), "changed");
  writeFileSync(at("a/x.ts"), "changed");
  await until("a/x.ts");
  assert.ok(!told().has("b/x.ts"));
  await close();
});

test("nothing is told after closing", async () => {
  const { at, batches, close } = await watched(false, {});
  writeFileSync(at("a.ts"), "");
  await close();
  const before = batches.length;
  writeFileSync(at("b.ts"), "");
  await new Promise((resolve) => setTimeout(resolve, 4 * PACE.quietMs));
  assert.equal(batches.length, before);
  await close();
});

test("where the system cannot watch, it is looked at instead", async () => {
  const backend = new URL("backend.js", import.meta.resolve("chokidar")).href;
  type Factory = (() => never) | null;
  const { setNativeWatchFactoryForTests: replace } = (await import(backend)) as {
    setNativeWatchFactoryForTests: (factory: Factory) => void;
  };
  replace(() => {
    throw Object.assign(new Error("no more watchers"), { code: "ENOSPC", syscall: "watch" });
  });
  try {
    const { at, warnings, until, forget, close } = await watched(false, {});
    await until();
    forget();
    writeFileSync(at("a.ts"), "");
    await until("a.ts");
    await close();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /ENOSPC/);
  } finally {
    replace(null);
  }
});

test("a process that watches may end", async () => {
  const source = new URL("../../src/providers/project-files.ts", import.meta.url).href;
  const root = join(top, "alone");
  mkdirSync(root);
  const script = `
    const { createProjectFiles } = await import(${JSON.stringify(source)});
    for (const polling of [false, true])
      await createProjectFiles(${JSON.stringify(root)}, { polling, log: { debug() {}, warn() {} } })
        .watch(${JSON.stringify(LIMITS)}, () => {});
    console.log("watching");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { timeout: DEADLINE_MS });
  assert.equal((await run).stdout, "watching\n");
});
