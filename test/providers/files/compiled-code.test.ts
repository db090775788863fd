/** Compiled code that is kept: how much, and how long. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keepCompiled, readCompiled } from "../../../src/providers/files/compiled-code.ts";

const DAY_SECONDS = 86_400;
const MEGABYTE = 2 ** 20;

/** A folder that another build filled, one file a day. */
function filled(t: { after(clean: () => void): void }, { files, bytes }: { files: number; bytes: number }): string {
  const folder = mkdtempSync(join(tmpdir(), "stele-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (let age = 1; age <= files; age++) {
    const path = join(folder, `old-${String(age).padStart(2, "0")}`);
    writeFileSync(path, "");
    truncateSync(path, bytes);
    const at = Date.now() / 1000 - (age - 0.5) * DAY_SECONDS;
    utimesSync(path, at, at);
  }
  return folder;
}

test("the newest code stays, up to 32 MB in all; what was written a month ago goes", (t) => {
  const cases = [
    [{ files: 20, bytes: 4 * MEGABYTE }, 7],
    [{ files: 40, bytes: 10 }, 30],
  ] as const;
  for (const [old, stay] of cases) {
    const folder = filled(t, old);
    const own = join(folder, "own");
    keepCompiled(own, { data: Buffer.from("code"), runs: 1 });
    assert.deepEqual(readCompiled(own), { data: Buffer.from("code"), runs: 1 });
    const left = readdirSync(folder).filter((name) => name !== "own");
    assert.deepEqual([left.length, left.sort().at(-1)], [stay, `old-${String(stay).padStart(2, "0")}`]);
  }
});
