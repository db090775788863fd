/**
 * An erasure while sixteen processes write without a pause: it gets its turn, and leaves nothing in the file or its log.
 *
 * What it took is printed, not asserted: that depends on the machine, so the load and the processor time are printed with
 * it. That it was done at all is what a starved compaction fails.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../../src/index.ts";
import { runChild } from "../child.ts";
import { until } from "../until.ts";

const WRITERS = 16;
const PURGES = 3;

test("a purge gets its turn among sixteen writers", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-purge-"));
  const [home, project, stop] = [join(folder, "home"), join(folder, "project"), join(folder, "stop")];
  mkdirSync(project);
  const settings = { embedder: { provider: "hash" } } as const;
  const stele = await open({ home, project, settings });
  const script = new URL("fixtures/write-until.ts", import.meta.url);
  try {
    const secrets = [];
    for (let number = 0; number < PURGES; number += 1) {
      const content = `The ${"ornithopter".repeat(number + 1)} lands at noon`;
      secrets.push({ content, id: (await stele.remember({ content })).id });
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => runChild(script, [home, project, writer, stop]));
    const took: { seconds: number; computing: number }[] = [];
    try {
      // Loads the code of the verb, which a busy machine takes longer for than for the purge.
      await stele.dryRun("forget", { target: secrets[0]!.id, purge: true });
      await until(async () => (await stele.list({})).total > PURGES + WRITERS);
      for (const { id, content } of secrets) {
        const [started, before] = [performance.now(), process.cpuUsage()];
        const { status, traces } = await stele.forget({ target: id, purge: true });
        const { user, system } = process.cpuUsage(before);
        took.push({ seconds: (performance.now() - started) / 1_000, computing: (user + system) / 1_000_000 });
        assert.deepEqual([status, traces], ["erased", []]);
        for (const name of readdirSync(join(home, "spaces")).filter((file) => !file.endsWith("-shm")))
          assert.ok(!readFileSync(join(home, "spaces", name)).includes(content), name);
      }
    } finally {
      writeFileSync(stop, "");
    }
    const written = (await Promise.all(writers)).map(({ code, output, errors }) => {
      assert.deepEqual([code, errors], [0, ""], "no writer failed meanwhile");
      return Number(output);
    });
    const total = written.reduce((sum, count) => sum + count, 0);
    const told = took.map(
      ({ seconds, computing }) => `${seconds.toFixed(1)} s, ${computing.toFixed(1)} s of it computing`,
    );
    context.diagnostic(`purges among ${total} writes, at a load of ${loadavg()[0]!.toFixed(0)}: ${told.join("; ")}`);
  } finally {
    await stele.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
