import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { digest } from "../../../src/engine/capture/digest.ts";
import type { Spooled } from "../../../src/model/capture/spooled.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { FIXED_LOGIN, claudeLines, writeTranscript } from "./transcript.ts";

let count = 0;
const START = Date.UTC(2026, 0, 15, 9);

function report(event: Spooled["event"], fields: Partial<Spooled> = {}): Spooled {
  count += 1;
  return {
    ...{ id: String(count).padStart(32, "0"), event, host: "gemini", session: "g1", turn: null },
    ...{ at: START + count * 1_000, cwd: "/project", transcript: null, tool: null, command: null, path: null },
    ...{ text: null, ...fields },
  };
}

function put(world: TestWorld, ...reports: readonly Spooled[]): void {
  const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const one of reports) writeFileSync(join(folder, `${one.id}.json`), JSON.stringify(one), { mode: 0o600 });
}

/** The same session as the hooks of a host report it that writes no transcript. */
const fixedLogin = (): Spooled[] => [
  report("session_start", { text: "startup" }),
  ...FIXED_LOGIN.flatMap(({ prompt, reply, command, result = "", isError }) => {
    if (prompt !== undefined) return [report("prompt", { text: prompt })];
    if (reply !== undefined) return [report("turn_end", { text: reply })];
    const ran = { tool: "shell", command: command ?? null, text: result };
    return [report(isError ? "failure" : "tool", ran)];
  }),
];

const countOf = async (world: TestWorld, shelf: "memory" | "evidence"): Promise<number> =>
  (await world.project.newestIds(shelf, 1_000)).length;

describe("reports of hooks", () => {
  test("without a transcript are taken in as a session, and leave the spool", async () => {
    const world = await testWorld();
    const reports = fixedLogin();
    put(world, ...reports);
    const done = (await digest(world))!;
    assert.equal(done.reports, reports.length);
    assert.ok(done.memories.length > 0);
    assert.equal((await world.spool.list(10)).length, 0);
    assert.equal(await world.project.eventCount({ session: "g1" }), reports.length);
    const items = await world.project.items("memory", done.memories);
    assert.ok(items.some(({ content }) => content.includes("reads the system clock")));
    assert.ok(items.every(({ host, session }) => host === "gemini" && session === "g1"));
  });

  test("that come again, or twice, change nothing", async () => {
    const world = await testWorld();
    const reports = fixedLogin();
    put(world, ...reports);
    await digest(world);
    const before = [await countOf(world, "memory"), await countOf(world, "evidence")];
    put(world, ...reports);
    assert.equal((await digest(world))!.reports, 0);
    assert.deepEqual([await countOf(world, "memory"), await countOf(world, "evidence")], before);
    assert.equal((await world.spool.list(10)).length, 0);
  });

  test("give the same however they are divided", async () => {
    const [whole, parts] = [await testWorld(), await testWorld()];
    const reports = [...fixedLogin(), report("session_end", { text: "exit" })];
    put(whole, ...reports);
    await digest(whole);
    for (const one of reports) {
      put(parts, one);
      await digest(parts);
    }
    const texts = async (world: TestWorld) =>
      (await world.project.items("memory", await world.project.newestIds("memory", 100))).map(({ content }) => content).sort(); // prettier-ignore
    assert.deepEqual(await texts(parts), await texts(whole));
    assert.equal(await countOf(parts, "evidence"), await countOf(whole, "evidence"));
  });

  test("that name a transcript have it read instead", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "s1.jsonl");
    writeTranscript(transcript, claudeLines(FIXED_LOGIN));
    const named = { host: "claude-code", session: "s1", transcript } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("turn_end", { ...named, text: "because" }));
    const done = (await digest(world))!;
    assert.equal(done.reports, 2);
    assert.equal(done.evidence, 2, "the turns of the transcript, not the reports");
    assert.equal(await world.project.eventCount({ session: "s1" }), 2);
  });

  test("whose transcript is gone are taken in themselves", async () => {
    const world = await testWorld();
    const named = { host: "codex", session: "c1", transcript: join(world.folder, "gone.jsonl") } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("session_end", named));
    assert.equal((await digest(world))!.evidence, 1);
  });

  test("of a session that nobody ended are chosen from after half an hour", async () => {
    const world = await testWorld();
    world.clock.time = START;
    put(world, ...fixedLogin().slice(0, -1));
    assert.deepEqual((await digest(world))!.memories, []);
    world.clock.time += 31 * 60_000;
    assert.ok((await digest(world))!.memories.length > 0);
    assert.deepEqual((await digest(world))!.memories, []);
  });

  test("are left alone while another process digests", async () => {
    const world = await testWorld();
    put(world, ...fixedLogin());
    const at = world.clock.now();
    const lease = { kind: "take_lease", name: "digest", owner: "other", at, until: at + 10_000 } as const;
    await world.project.apply([lease], world.origin);
    assert.equal(await digest(world), null);
    assert.ok((await world.spool.list(100)).length > 0);
  });

  test("that cannot be read are passed over", async () => {
    const world = await testWorld();
    const [first, ...rest] = fixedLogin();
    put(world, first!, ...rest);
    const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
    writeFileSync(join(folder, `${"f".repeat(32)}.json`), "{damaged");
    assert.equal((await digest(world))!.reports, rest.length + 1);
    assert.equal((await world.spool.list(10)).length, 0);
  });

  test("interrupted anywhere are neither lost nor doubled", async () => {
    const whole = await testWorld();
    const reports = [...fixedLogin(), report("session_end")];
    put(whole, ...reports);
    await digest(whole);
    const expected = [await countOf(whole, "memory"), await countOf(whole, "evidence"), reports.length];
    for (let fault = 0; fault < 6; fault += 1) {
      const world = await testWorld();
      put(world, ...reports);
      let left = fault;
      const failing =
        <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          if (left === 0) throw new Error("interrupted");
          left -= 1;
          return call(...args);
        };
      const { project, spool } = world;
      const broken = {
        ...world,
        project: { ...project, apply: failing(project.apply) },
        spool: { ...spool, remove: failing(spool.remove) },
      };
      await digest(broken).catch(() => null);
      world.clock.time += 60_000; // the lease of the interrupted one has expired
      await digest(world);
      const counts = [await countOf(world, "memory"), await countOf(world, "evidence")];
      assert.deepEqual([...counts, await world.project.eventCount({})], expected, `after ${fault} calls`);
    }
  });
});
