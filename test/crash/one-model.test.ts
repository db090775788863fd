/** Six processes and one model: its owner is killed, another takes over, and nothing is left after the last. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../../src/index.ts";
import { type Child, runTool, startChild } from "../child.ts";
import { inLane } from "../lane.ts";
import { until } from "../until.ts";

const USER = new URL("fixtures/model-user.ts", import.meta.url);
const PROCESSES = 6;
const KILLS = inLane({ fast: 1, long: 3, soak: 20 });
const HYBRID = JSON.stringify({ mode: "hybrid", degraded: null });

/** The processes that hold a model of this home, with their parents. */
function models(home: string): { parent: number }[] {
  const lines = runTool("ps", "-ww", "-eo", "ppid=,args=").split("\n");
  const own = lines.filter(
    (line) => /minilm\/worker/.test(line) && line.includes(JSON.stringify(join(home, "models"))),
  );
  return own.map((line) => ({ parent: Number.parseInt(line, 10) }));
}

function talk(child: Child) {
  let heard = "";
  child.process.stdout.on("data", (text: string) => (heard += text));
  const lines = () => heard.split("\n").length - 1;
  return {
    child,
    async opened() {
      await until(() => lines() === 1);
    },
    async ask(question: string): Promise<string> {
      const before = lines();
      child.process.stdin.write(`${question}\n`);
      await until(() => lines() > before);
      return heard.split("\n")[before]!;
    },
  };
}

/** While the owner of the model does not greet at once, a question is answered by words; the next one may not be. */
async function untilHybrid(user: ReturnType<typeof talk>, question: string): Promise<void> {
  for (let attempt = 0; (await user.ask(`${question} ${attempt}`)) !== HYBRID; attempt += 1);
}

test("six processes share one model, whoever of them is killed", async () => {
  const root = mkdtempSync(join(tmpdir(), "stele-one-model-"));
  const home = join(root, "home");
  mkdirSync(home, { mode: 0o700 });
  const first = await open({ home, project: root });
  await first.remember({ content: "The store survives a crash, because two processes may write at once." });
  await first.backfill({});
  await first.close();
  const all = Array.from({ length: PROCESSES }, () => talk(startChild(USER, [home, root], { input: null })));
  await Promise.all(all.map((user) => user.opened()));
  let living = all;
  for (let round = 0; round <= KILLS && living.length > 1; round += 1) {
    await Promise.all(living.map((user, index) => untilHybrid(user, `who writes in round ${round}.${index}`)));
    const [model, ...others] = models(home);
    assert.deepEqual(others, []);
    const owner = living.find(({ child }) => child.process.pid === model!.parent)!;
    if (round === KILLS) break;
    owner.child.kill();
    await owner.child.ended;
    living = living.filter((user) => user !== owner);
  }
  for (const { child } of living) child.process.stdin.end();
  for (const { child } of living) assert.equal((await child.ended).code, 0);
  await until(() => models(home).length === 0);
  assert.deepEqual(readdirSync(join(home, "run")), ["model.lock"]);
  rmSync(root, { recursive: true });
});
