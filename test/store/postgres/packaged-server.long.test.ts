/** The packaged server starts for any user, and no folder but its own is changed for it. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { packagedServer } from "./packaged-server.ts";

/** A place that everybody may use, like `/tmp`, and one that is private, in which root cannot start a server. */
for (const mode of [0o1777, 0o700])
  test(`a place with mode ${mode.toString(8)} keeps it, and nothing is left there`, async () => {
    const place = mkdtempSync(join(tmpdir(), "stele-place-"));
    try {
      chmodSync(place, mode);
      const refused = (thrown: Error) => (assert.match(thrown.message, /nobody, who may not enter/), null);
      const server = mode === 0o1777 ? await packagedServer({ place }) : await packagedServer({ place }).catch(refused);
      await server?.end();
      assert.equal(statSync(place).mode & 0o7777, mode);
      assert.deepEqual(readdirSync(place), []);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
