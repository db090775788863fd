/** A project that is watched: changes arrive in bursts, whatever way they are noticed. */
import assert from "node:assert/strict";
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
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { WalkLimits } from "../../../src/files/corpus.ts";
import { createProjectFiles, type ProjectFilesOptions } from "../../../src/files/disk/project-files.ts";
import { runChild } from "../../child.ts";
import { until } from "../../until.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-watch-")));
after(() => rmSync(top, { recursive: true, force: true }));

const LIMITS: WalkLimits = { fileBytes: 1_000_000, files: 10_000, excludes: ["*.secret"] };
const PACE = { quietMs: 10, longestMs: 100, pollMs: 10 };
const WAYS = {
  "by looking": { polling: true },
  "by being told, folder by folder": { polling: false, recursive: false },
  "by being told of the whole": { polling: false, recursive: true },
};
type Way = Pick<ProjectFilesOptions, "polling" | "recursive" | "listen">;
const TOLD = WAYS["by being told, folder by folder"];

let made = 0;
async function watched(way: Way, contents: Record<string, string>, limits: WalkLimits = LIMITS) {
  const root = join(top, String((made += 1)));
  const at = (path: string) => join(root, path);
  for (const [path, content] of Object.entries({ "start.ts": "", ...contents })) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  const warnings: string[] = [];
  const log = { debug: () => {}, warn: (message: string) => void warnings.push(message) };
  let changes = 0;
  const files = createProjectFiles(root, { ...way, log, pace: PACE, except: [at("data")] });
  const watching = await files.watch(limits, () => void (changes += 1));
  const told = () => changes;
  /** Waits until nothing more is told; as long as looking at everything takes here and now, a few times. */
  async function quiet(): Promise<void> {
    for (let calm = 0, before = changes; calm < 6; calm = before === changes ? calm + 1 : 0) {
      before = changes;
      await pause(PACE.quietMs);
      await files.walk(LIMITS);
    }
  }
  /** Waits until a change is told that came after this one. */
  async function after(change: () => void): Promise<void> {
    await quiet();
    const before = changes;
    change();
    await until(() => changes !== before);
  }
  return { root, at, warnings, told, quiet, after, close: () => watching.close() };
}

// They mostly wait.
describe("watching", { concurrency: true }, () => {
  for (const [how, way] of Object.entries(WAYS)) {
    test(`${how}: create, edit, rename and delete are noticed, also in new folders`, async () => {
      const { at, after, close } = await watched(way, { "a/old.ts": "" });
      await after(() => writeFileSync(at("a/new.ts"), ""));
      await after(() => appendFileSync(at("a/new.ts"), "more"));
      await after(() => renameSync(at("a/new.ts"), at("a/renamed.ts")));
      await after(() => mkdirSync(at("new/deep"), { recursive: true }) && writeFileSync(at("new/deep/b.ts"), ""));
      await after(() => writeFileSync(at("new/deep/b.ts"), "more"));
      await after(() => renameSync(at("new/deep"), at("new/other")));
      await after(() => appendFileSync(at("new/other/b.ts"), "and more"));
      await after(() => rmSync(at("new"), { recursive: true }));
      await after(() => rmSync(at("a/renamed.ts")));
      await close();
    });

    test(`${how}: what is left out is not told of`, async () => {
      const { at, told, quiet, after, close } = await watched(way, {
        ".gitignore": "ignored/\n*.log\n",
        "ignored/a.ts": "",
        "node_modules/x/a.js": "",
        "b/.gitignore": "here\n",
        "b/.git": "gitdir: x\n",
        "data/spaces/a.ts": "",
        "closed/.gitignore": "#".repeat(1_000_001),
      });
      await quiet();
      const before = told();
      symlinkSync(at("ignored"), at("link"));
      const packages = ["node_modules/x/a.js", "node_modules/y.js", "b/.git"];
      const data = ["data/a.ts", "data/spaces/a.ts", "a.db-wal", "b/a.db-journal"];
      const others = ["ignored/a.ts", "a.log", "b/here", "a.png", "a.secret", "ignored/new", "closed/a.ts"];
      for (const path of [...packages, ...data, ...others]) writeFileSync(at(path), "x");
      await quiet();
      assert.equal(told(), before);
      await after(() => writeFileSync(at("b/there"), ""));
      await after(() => writeFileSync(at("closed/.gitignore"), ""));
      await after(() => writeFileSync(at("closed/a.ts"), "more"));
      await close();
    });

    test(`${how}: where code is left out, only documents are told of`, async () => {
      const { at, told, quiet, after, close } = await watched(way, { "a/b.ts": "" }, { ...LIMITS, code: "off" });
      await quiet();
      const before = told();
      for (const path of ["start.ts", "a/b.ts", "a/new.py", "a/Makefile"]) writeFileSync(at(path), "more");
      await quiet();
      assert.equal(told(), before);
      await after(() => writeFileSync(at("a/guide.md"), ""));
      await close();
    });

    test(`${how}: a project that goes and comes back harms nothing`, async () => {
      const { root, at, warnings, told, quiet, after, close } = await watched(way, { "a/b.ts": "" });
      renameSync(root, `${root}-away`);
      renameSync(`${root}-away`, root);
      await after(() => appendFileSync(at("a/b.ts"), "more"));
      await after(() => {
        rmSync(root, { recursive: true });
        mkdirSync(at("ignored"), { recursive: true });
        writeFileSync(at(".gitignore"), "ignored/\n");
      });
      await after(() => writeFileSync(at("back.ts"), "more"));
      await quiet();
      const before = told();
      writeFileSync(at("ignored/x.ts"), "");
      await quiet();
      assert.equal(told(), before);
      rmSync(root, { recursive: true });
      await quiet();
      await after(() => mkdirSync(at("anew"), { recursive: true }) && writeFileSync(at("anew/x.ts"), ""));
      await after(() => appendFileSync(at("anew/x.ts"), "more"));
      await close();
      assert.deepEqual(warnings, []);
    });
  }

  test("a burst of 1,000 files is told of a few times", async () => {
    const { at, told, quiet, after, close } = await watched(TOLD, {});
    await quiet();
    const before = told();
    await after(() => {
      for (let folder = 0; folder < 10; folder += 1) mkdirSync(at(`burst/${folder}`), { recursive: true });
      // Names of one file: a thousand files take longer to make than to notice.
      for (let file = 0; file < 1_000; file += 1) linkSync(at("start.ts"), at(`burst/${file % 10}/${file}.ts`));
    });
    await quiet();
    assert.ok(told() < before + 50, `${told() - before} times`);
    await close();
  });

  test("other rules hold as soon as they are written", async () => {
    const { at, told, quiet, after, close } = await watched(TOLD, { ".gitignore": "a/\n", "a/x.ts": "", "b/x.ts": "" });
    await after(() => writeFileSync(at(".gitignore"), "b/\n"));
    await after(() => writeFileSync(at("a/x.ts"), "changed"));
    await quiet();
    const before = told();
    writeFileSync(at("b/x.ts"), "changed");
    await quiet();
    assert.equal(told(), before);
    await close();
  });

  test("what git leaves out for this clone alone is a rule too", async () => {
    const { at, after, close } = await watched(TOLD, { ".git/HEAD": "", ".git/info/exclude": "", "a.ts": "" });
    await after(() => writeFileSync(at(".git/info/exclude"), "a.ts\n"));
    await close();
  });

  test("where the system cannot watch, it is looked at instead", async () => {
    const listen = () => {
      throw Object.assign(new Error("no more watchers"), { code: "ENOSPC", syscall: "watch" });
    };
    const { at, warnings, after, close } = await watched({ ...TOLD, listen }, { "a/x.ts": "" });
    await after(() => writeFileSync(at("a/x.ts"), "more"));
    await close();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /ENOSPC/);
  });

  test("nothing is told after closing", async () => {
    const { at, told, quiet, close } = await watched(TOLD, {});
    writeFileSync(at("a.ts"), "");
    await close();
    const before = told();
    writeFileSync(at("b.ts"), "");
    await quiet();
    assert.equal(told(), before);
    await close();
  });

  test("a process that watches may end", async () => {
    const source = new URL("../../../src/files/disk/project-files.ts", import.meta.url).href;
    const root = join(top, "alone");
    mkdirSync(root);
    const script = `
    const { createProjectFiles } = await import(${JSON.stringify(source)});
    for (const polling of [false, true])
      await createProjectFiles(${JSON.stringify(root)}, { polling, log: { debug() {}, warn() {} } })
        .watch(${JSON.stringify(LIMITS)}, () => {});
    console.log("watching");`;
    assert.equal((await runChild(null, ["--input-type=module", "-e", script])).output, "watching\n");
  });
});

for (const debounceMs of [20_000, 40])
  test(`a burst is over ${debounceMs} ms after its last change, where the setting says so`, async (context) => {
    const timers = context.mock.method(globalThis, "setTimeout");
    const root = join(top, `debounced by ${debounceMs}`);
    mkdirSync(root);
    const log = { debug: () => {}, warn: () => {} };
    const files = createProjectFiles(root, { ...TOLD, log, debounceMs });
    const watching = await files.watch(LIMITS, () => undefined);
    writeFileSync(join(root, "a.ts"), "");
    const waits = () => timers.mock.calls.map(({ arguments: [, ms] }) => Math.round(ms ?? 0));
    await until(() => waits().includes(debounceMs));
    await watching.close();
  });
