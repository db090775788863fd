/**
 * Sixteen processes on one Postgres, with the server killed twice meanwhile: nothing that was acknowledged is lost, the
 * chain verifies, and every process goes on by itself.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../../src/store/store.ts";
import { type Child, startChild } from "../../child.ts";
import { inLane } from "../../lane.ts";
import { until } from "../../until.ts";
import { spacesOn } from "./fresh-space.ts";
import { postgresServer, type Server } from "./server.ts";
import { assertWhole } from "./whole-chain.ts";

const PROCESSES = 16;
/** So many memories each of them writes in a step, and so many steps there are before each end of the server, and after. */
const WRITTEN = 4;
const STEPS = inLane({ fast: 1, long: 1, soak: 50 });

const fixture = new URL("fixtures/mix-verbs.ts", import.meta.url);
const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };

/** What each process was told, and what it tried, in order. */
interface Crowd {
  children: Child[];
  lines: string[][];
}

function startCrowd(url: string, schema: string): Crowd {
  const lines = Array.from({ length: PROCESSES }, (): string[] => []);
  const children = lines.map((own, index) => {
    const child = startChild(fixture, [url, schema, index], { input: null });
    let rest = "";
    child.process.stdout.on("data", (text: string) => {
      const whole = (rest + text).split("\n");
      rest = whole.pop()!;
      own.push(...whole);
    });
    return child;
  });
  return { children, lines };
}

const writtenBy = (lines: readonly string[]) => lines.filter((line) => line.startsWith("written ")).length;

async function eachWritesOn({ lines, children }: Crowd): Promise<void> {
  const before = lines.map(writtenBy);
  await until(() => {
    assert.ok(children.every(({ process }) => process.exitCode === null));
    return lines.every((own, index) => writtenBy(own) >= before[index]! + WRITTEN);
  });
}

async function killedTwice(on: Server, crowd: Crowd): Promise<void> {
  for (let ends = 0; ends <= 2; ends += 1) {
    if (ends > 0) {
      await on.kill();
      await on.start();
    }
    for (let step = 1; step <= STEPS; step += 1) await eachWritesOn(crowd);
  }
}

/** Whatever was acknowledged is there; what was only tried may be. */
async function assertKept(store: Store, lines: readonly string[]): Promise<number> {
  const said = lines.map((line) => line.split(" ") as [string, string]);
  const idsWhich = (verb: string) => new Set(said.filter(([own]) => own === verb).map(([, id]) => id));
  const [written, changed, removed] = [idsWhich("written"), idsWhich("changed"), idsWhich("removed")];
  const [changing, removing] = [idsWhich("changing"), idsWhich("removing")];
  const stored = new Map((await store.items("memory", [...written])).map((item) => [item.id, item]));
  for (const id of written) if (!removing.has(id)) assert.ok(stored.has(id), `${id} is lost`);
  for (const id of removed) assert.ok(!stored.has(id), `${id} is there again`);
  for (const [id, { title }] of stored) {
    if (changed.has(id)) assert.equal(title, "changed", `the change of ${id} is lost`);
    if (!changing.has(id)) assert.equal(title, null, `nobody changed ${id}`);
  }
  return written.size;
}

if (server) {
  const spaces = spacesOn(server, { kind: "project", clock });
  test("sixteen processes lose nothing that was acknowledged when the server is killed, and go on", async () => {
    const { open, schema, giveBack } = await spaces.take();
    const store = await open({ patienceMs: 60_000 });
    const crowd = startCrowd(server.url, schema);
    try {
      await killedTwice(server, crowd);
      for (const { process } of crowd.children) process.stdin.end();
      for (const { ended } of crowd.children) {
        const { code, errors } = await ended;
        assert.deepEqual({ code, errors }, { code: 0, errors: "" });
      }
      let written = 0;
      for (const lines of crowd.lines) written += await assertKept(store, lines);
      assert.ok(written >= 3 * STEPS * PROCESSES * WRITTEN);
      await assertWhole(store);
    } catch (thrown) {
      const errors = await Promise.all(crowd.children.map(async (child) => (child.kill(), (await child.ended).errors)));
      throw new Error(`${crowd.lines.map(writtenBy).join(" ")} were written. ${errors.join("")}`, { cause: thrown });
    } finally {
      for (const child of crowd.children) child.kill();
    }
    await store.close();
    await giveBack();
  });
} else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });
