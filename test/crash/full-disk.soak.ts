/** A disk that is full: nothing that was acknowledged is lost, and every verb says what is wrong. Needs to mount one. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runChild } from "../child.ts";
import { smallDisk } from "./own-mount.ts";

async function onDisk(megabytes: number, script: string, args: (disk: string, folder: string) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), "stele-full-"));
  try {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const wrapper = smallDisk(disk, megabytes);
    return await runChild(new URL(script, import.meta.url), args(disk, folder), { wrapper });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a store on a full disk fails clearly and loses nothing that was acknowledged", async () => {
  const { code, output, errors } = await onDisk(3, "../store/fixtures/fill-disk.ts", (disk) => [join(disk, "a.db")]);
  assert.deepEqual([code, errors], [0, ""]);
  const { acknowledged, readable, kept, integrity, failure } = JSON.parse(output) as Record<string, unknown>;
  assert.deepEqual([readable, kept, integrity], [acknowledged, acknowledged, "ok"]);
  assert.match(JSON.stringify(failure), /unavailable.*full/);
});

test("every verb on a full disk answers or says what is wrong, and goes on when there is room", async () => {
  const { code, output, errors } = await onDisk(14, "fixtures/fill-and-go-on.ts", (disk, folder) => [disk, folder]);
  assert.equal(code, 0, output + errors);
});
