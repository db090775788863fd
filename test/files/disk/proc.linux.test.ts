/** What only Linux lets be seen or made: open files, files that say nothing of their size, names that are no text. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { createFiles } from "../../../src/files/disk/named-files.ts";
import { createProjectFiles } from "../../../src/files/disk/project-files.ts";
import { CHANGED } from "../../../src/files/skip-rules.ts";
import { project, quiet, top } from "./project-on-disk.ts";

test("a file that is replaced while it is read is not taken", async () => {
  const { at, read } = project({ a: "old", b: "new" });
  await read("b");
  const reading = read("a");
  // Another thread opens it meanwhile.
  const isOpen = () => openPaths().includes(at("a"));
  for (let looks = 0; !isOpen(); looks += 1) assert.ok(looks < 1_000_000, "the file is never opened");
  renameSync(at("b"), at("a"));
  assert.deepEqual(await reading, { path: "a", reason: CHANGED });
  assert.ok("text" in (await read("a")));
});

function openPaths(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch (thrown) {
      assert.equal((thrown as NodeJS.ErrnoException).code, "ENOENT");
      return [];
    }
  });
}

test("a file with more in it than it says is not taken", async () => {
  const files = createProjectFiles("/proc/self", { polling: false, log: quiet });
  assert.deepEqual(await files.read("status", 1_000), { path: "status", reason: CHANGED });
});

test("reading leaves nothing open", async () => {
  const { at, read } = project({ a: "a", "b.ts": "x".repeat(9_000) });
  symlinkSync("a", at("c"));
  for (const path of ["a", "b.ts", "c", "d", "."]) await read(path);
  assert.deepEqual(
    openPaths().filter((path) => path.startsWith(top)),
    [],
  );
});

test("a folder whose name is not valid UTF-8 is named, not entered", async () => {
  const { root, met } = project({ "b.ts": "" });
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff])]));
  const { found, skipped } = await met();
  assert.deepEqual([found, skipped], [["b.ts"], [{ path: "a\uFFFD", reason: "its name is not valid UTF-8" }]]);
});

test("where no folder can be made, it says so", async () => {
  async function* nothing(): AsyncGenerator<string> {}
  await assert.rejects(createFiles(top).draft("/proc/none/file", nothing()), { code: "not_found" });
});
