/**
 * A store from which everything is erased again and again: its file shrinks again.
 *
 * Every erasure rewrites the file, so this takes long; it has a file of its own to be run alone.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../../src/index.ts";
import { inLane } from "../lane.ts";

const ERASED = inLane({ fast: 20, long: 120, soak: 10_000 });
/** Four entries of about 300 bytes, with their index. */
const JOURNAL_BYTES = 2_000;
/** An empty store. */
const FRESH_BYTES = 2_000_000;

test(`after ${ERASED} memories were remembered, forgotten and purged, the file is as small as before`, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-erased-"));
  const home = join(folder, "home");
  const stele = await open({
    home,
    project: folder,
    settings: { embedder: { provider: "hash" }, log: { level: "silent" } },
  });
  try {
    await stele.remember({ content: "What stays" });
    const [name] = readdirSync(join(home, "spaces")).filter((file) => file.endsWith(".db"));
    const size = () =>
      ["", "-wal"].reduce((sum, end) => sum + (statSync(join(home, "spaces", name! + end), { throwIfNoEntry: false })?.size ?? 0), 0); // prettier-ignore
    let highest = 0;
    for (let number = 0; number < ERASED; number += 1) {
      const { id } = await stele.remember({ content: `Passing thought ${number} about ${"things ".repeat(50)}` });
      await stele.forget({ target: id });
      highest = Math.max(highest, size());
      const { status, traces } = await stele.forget({ target: id, purge: true });
      assert.deepEqual([status, traces], ["erased", []]);
    }
    await stele.maintain({});
    const left = size();
    const perErased = left / ERASED;
    context.diagnostic(`${ERASED} erased: ${left} bytes at the end, ${highest} at most`);
    // The chain of the journal keeps an entry of each change for ever, and nothing of what it changed.
    assert.ok(left <= highest && perErased < JOURNAL_BYTES + FRESH_BYTES / ERASED, `${left} bytes`);
    assert.equal((await stele.list({})).total, 1);
  } finally {
    await stele.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
