/** Random bytes: as many as asked for, never the same, whether or not the system has a device for them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemRandom } from "../../src/machine/ids.ts";

const folder = mkdtempSync(join(tmpdir(), "random-"));
const file = join(folder, "urandom");
after(() => rmSync(folder, { recursive: true }));
writeFileSync(file, "always the same bytes ".repeat(10));

/** Reading the last one never gives a byte. */
const devices = [undefined, join(folder, "missing"), folder, file, "/dev/null"];

for (const device of devices) {
  test(`from ${device === undefined ? "the system" : device.replace(folder, "")}`, () => {
    const drawn = Array.from({ length: 50 }, () => Buffer.from(systemRandom(16, device)).toString("hex"));
    assert.equal(new Set(drawn).size, drawn.length);
    assert.ok(drawn.every((bytes) => /^[0-9a-f]{32}$/.test(bytes)));
    assert.equal(systemRandom(5_000, device).length, 5_000);
  });
}
