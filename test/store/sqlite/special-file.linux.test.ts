/** What is no regular file is never used as a store, nor changed: it could lead our writes elsewhere, or block us. */
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { systemClock } from "../../../src/machine/clock.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { makePipe } from "../../child.ts";

const places: [what: string, make: (path: string, t: TestContext) => unknown][] = [
  ["a pipe", makePipe],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a socket",
    async (path, t) => {
      const server = createServer().listen(path);
      t.after(() => server.close());
      await once(server, "listening");
    },
  ],
];

for (const [what, make] of places)
  test(`${what} in place of a store is refused and keeps its mode`, async (t) => {
    // A socket's path is short.
    const folder = mkdtempSync("/tmp/stele-special-");
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "global.db");
    await make(path, t);
    chmodSync(path, 0o755);
    const opening = openSqliteStore({ path, kind: "global", clock: systemClock });
    await assert.rejects(opening, { code: "unavailable", message: `${path} is not a regular file.` });
    assert.equal(lstatSync(path).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(folder), ["global.db"]);
  });

test("a link in place of a store is refused, and what it leads to stays as it is", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-special-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [path, target] = [join(folder, "global.db"), join(folder, "elsewhere")];
  writeFileSync(target, "");
  chmodSync(target, 0o644);
  symlinkSync(target, path);
  const opening = openSqliteStore({ path, kind: "global", clock: systemClock });
  await assert.rejects(opening, { code: "unavailable", message: `${path} is not a regular file.` });
  assert.deepEqual([readFileSync(target, "utf8"), statSync(target).mode & 0o777], ["", 0o644]);
});
