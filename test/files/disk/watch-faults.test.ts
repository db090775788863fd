/** Watching where the system complains, is silent or says too much. What it says is said here instead. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { type FSWatcher, mkdirSync, utimesSync, watch, type WatchListener, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { walkProject } from "../../../src/files/disk/walk-project.ts";
import { type WatchOptions, watchProject } from "../../../src/files/disk/watch.ts";
import { until } from "../../until.ts";
import { LIMITS, project } from "./project-on-disk.ts";

const PACE = { quietMs: 5, longestMs: 100, pollMs: 5 };

/** A system that says only what it is told to say. */
function saying(onListen: (watcher: EventEmitter) => void = () => {}) {
  const heard = new Map<string, WatchListener<string>>();
  const open = new Set<EventEmitter>();
  const listen = ((folder: string, _options: unknown, listener: WatchListener<string>) => {
    const watcher = Object.assign(new EventEmitter(), { close: () => void open.delete(watcher) });
    open.add(watcher);
    heard.set(folder, listener);
    onListen(watcher);
    return watcher as unknown as FSWatcher;
  }) as typeof watch;
  return { listen, open, heard };
}

const walkOf = (root: string) => walkProject(root, { exclude: null, except: [] }, LIMITS);

function setUp(contents: Record<string, string>, given: Partial<WatchOptions>) {
  const { root, at } = project(contents);
  const counts = { changes: 0, walks: 0 };
  const warnings: string[] = [];
  const walk = given.walk ?? (() => walkOf(root));
  const start = () =>
    watchProject({
      root: () => root,
      polling: false,
      recursive: false,
      pace: PACE,
      log: { debug: () => {}, warn: (message) => void warnings.push(message) },
      onChange: () => void (counts.changes += 1),
      ...given,
      walk() {
        counts.walks += 1;
        return walk();
      },
    });
  return { root, at, counts, warnings, start };
}

describe("watching with faults", { concurrency: true }, () => {
  test("looking goes on after a look that failed", async () => {
    const { root } = project({ "a.ts": "" });
    let failures = 0;
    const walk = async () => {
      if (counts.walks === 2) throw new Error(`failure ${(failures += 1)}`);
      return walkOf(root);
    };
    const { counts, warnings, start } = setUp({}, { polling: true, walk });
    const watching = await start();
    await until(() => failures === 1);
    writeFileSync(`${root}/b.ts`, "");
    await until(() => counts.changes > 0);
    await watching.close();
    assert.deepEqual(warnings, ["Looking for changes failed: Error: failure 1"]);
  });

  test("a restart that failed is tried again", async () => {
    const { root } = project({ "a.ts": "" });
    const { listen, heard, open } = saying();
    const walk = async () => {
      if (counts.walks === 2) throw new Error("for once");
      return walkOf(root);
    };
    const { counts, warnings, start } = setUp({}, { listen, root: () => root, walk });
    const watching = await start();
    heard.get(root)?.("rename", ".gitignore");
    await until(() => counts.walks >= 3 && open.size === 1);
    await watching.close();
    assert.equal(open.size, 0);
    assert.match(warnings.join(), /^Watching failed and is retried: Error: for once$/);
  });

  test("a beginning that failed is told to whoever began", async () => {
    const walk = () => Promise.reject(new Error("never"));
    for (const polling of [true, false]) await assert.rejects(setUp({}, { polling, walk }).start(), /never/);
  });

  test("a folder that changed in times to come is believed once", async () => {
    const { at, counts, start } = setUp({ "a/b.ts": "" }, saying());
    const future = Date.now() / 1_000 + 1_000_000;
    utimesSync(at("a"), future, future);
    const watching = await start();
    await until(() => counts.walks >= 2);
    await pause(20 * PACE.quietMs);
    assert.ok(counts.walks <= 3, `${counts.walks} walks`);
    await watching.close();
  });

  test("a system that complains all the time is not asked any more", async () => {
    const { listen, open } = saying((watcher) => {
      setImmediate(() => watcher.emit("error", Object.assign(new Error("odd"), { code: "EPERM" })));
    });
    const { at, counts, warnings, start } = setUp({ "a.ts": "" }, { listen });
    const watching = await start();
    await until(() => warnings.length > 0);
    await until(() => open.size === 0);
    const before = counts.changes;
    writeFileSync(at("b.ts"), "");
    await until(() => counts.changes > before);
    await watching.close();
    assert.equal(warnings.length, 1);
  });

  test("one folder that cannot be watched harms no other; a project that cannot is looked at", async () => {
    for (const [refused, isPolled] of [
      ["a", false],
      ["", true],
    ] as const) {
      const { listen, heard } = saying();
      const choosy = ((folder: string, ...rest: [object, WatchListener<string>]) => {
        if (folder === (refused === "" ? root : at(refused))) throw Object.assign(new Error("odd"), { code: "EINVAL" });
        return listen(folder, ...rest);
      }) as typeof watch;
      const { root, at, counts, warnings, start } = setUp({ "a/b.ts": "", "c.ts": "" }, { listen: choosy });
      const watching = await start();
      if (!isPolled) heard.get(root)?.("change", "c.ts");
      else await until(() => warnings.length === 1);
      writeFileSync(at("d.ts"), "");
      await until(() => counts.changes > 0);
      await watching.close();
      assert.equal(warnings.length, isPolled ? 1 : 0);
    }
  });

  test("who is told of the whole hears nothing of what is left out", async () => {
    const { listen, heard } = saying();
    const contents = { ".gitignore": "ignored/\n", "ignored/deep/x.ts": "", "a/b.ts": "", "node_modules/c/d.js": "" };
    const { root, at, counts, start } = setUp(contents, { listen, recursive: true });
    const old = Date.now() / 1_000 - 1_000;
    for (const folder of ["", "a"]) utimesSync(at(folder), old, old);
    const watching = await start();
    const say = heard.get(root) ?? assert.fail("nobody listens");
    const quiet = [
      "ignored",
      "ignored/deep",
      "ignored/deep/x.ts",
      "node_modules",
      "node_modules/c/d.js",
      "node_modules/c",
    ];
    for (const path of quiet) for (const event of ["change", "rename"] as const) say(event, path);
    // A system may tell of a folder when something in it, left out or not, has changed.
    say("change", "a");
    // Nobody can look at these.
    say("change", "x".repeat(300));
    say("change", `a/${"x/".repeat(2_100)}`);
    await until(() => counts.changes > 0);
    await pause(10 * PACE.quietMs);
    assert.deepEqual(counts, { changes: 1, walks: 1 });
    say("change", "a/b.ts");
    await until(() => counts.changes >= 2);
    mkdirSync(at("a/new"));
    say("rename", "a/new");
    await until(() => counts.walks >= 2 && counts.changes >= 3);
    await watching.close();
  });

  test("closing in the middle of a walk leaves nothing open", async () => {
    const { listen, open, heard } = saying();
    const { root, counts, start } = setUp({ "a/b.ts": "" }, { listen });
    const watching = await start();
    const before = counts.walks;
    heard.get(root)?.("rename", null);
    await until(() => counts.walks > before);
    await watching.close();
    assert.equal(open.size, 0);
  });
});
