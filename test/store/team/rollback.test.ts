/** A working memory that leaves this machine, or is folded here, comes back by a rollback, as in a project of one's own. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dryRunWorld } from "../../../src/catalog/dry-run.ts";
import { withDailyLog } from "../../../src/journal/daily-log.ts";
import { rollback } from "../../../src/journal/rollback.ts";
import { summarize } from "../../../src/maintenance/summarize.ts";
import { closing } from "../../../src/memory/item-changes.ts";
import { getItem } from "../../../src/memory/list.ts";
import { promote } from "../../../src/memory/move.ts";
import type { Store } from "../../../src/store/store.ts";
import { whenReached } from "../../../src/store/team/away.ts";
import { teamStore } from "../../../src/store/team/store.ts";
import type { World } from "../../../src/world.ts";
import { keep, temporaryFolder, testWorld } from "../../test-world.ts";
import { freshStore } from "../fresh-store.ts";
import { apply, put, revision } from "../suite/trial.ts";

const TEXTS = [
  "The parser fails on empty input because it reads one byte too far.",
  "The cache is warmed by the nightly job at two.",
  "Deploys need the VPN and a second person.",
  "The beacon is green only at noon.",
];
const SCRATCH = { scope: "working", ttlSeconds: 86_400 } as const;

async function shared() {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const server = await freshStore({ path: join(folder, "server.db"), kind: "project", clock: world.clock });
  const own = world.project;
  const reached = whenReached({
    open: async () => ({ ...server, refusal: async () => null }),
    now: () => 0,
    onAway: () => undefined,
  });
  const project = teamStore({ shared: reached, own });
  return { world: { ...world, project }, server, own, clock: world.clock, folder };
}

const during = (call: string, world: World): World => ({ ...world, origin: { ...world.origin, call } });

const statesIn = async (store: Store, ids: readonly string[]): Promise<string[]> =>
  (await store.items("memory", ids)).map(({ scope, status }) => `${scope} ${status}`);

test("a promotion to the project is rolled back, and that too", async () => {
  const { world, server, own } = await shared();
  const { id } = await keep(world, TEXTS[0]!, SCRATCH);
  const [before] = await own.items("memory", [id]);
  await promote(id, "project", during("promotion", world));
  assert.deepEqual([await statesIn(own, [id]), await statesIn(server, [id])], [[], ["project active"]]);

  const undone = await rollback({ chosen: ["promotion"] }, during("undoing", world));
  assert.deepEqual(
    undone.items.map((item) => [item.id, item.store, item.became]),
    [[id, "project", "revised"]],
  );
  assert.deepEqual([await own.items("memory", [id]), await statesIn(server, [id])], [[before], []]);

  await rollback({ chosen: ["undoing"] }, during("redoing", world));
  assert.deepEqual([await statesIn(own, [id]), await statesIn(server, [id])], [[], ["project active"]]);
});

test("a dry run of a rollback says what it would restore, and writes to neither part", async () => {
  const { world, server, own } = await shared();
  const { id } = await keep(world, TEXTS[0]!, SCRATCH);
  await promote(id, "project", during("promotion", world));
  const heads = async () => [await own.chainHead(), await server.chainHead()];
  const before = await heads();
  const { world: stage, changes } = dryRunWorld(during("", world));
  const undone = await rollback({ chosen: ["promotion"] }, stage);
  assert.deepEqual([undone.status, undone.items.map((item) => item.id)], ["rolled_back", [id]]);
  assert.deepEqual([await statesIn(own, [id]), await statesIn(server, [id])], [[], ["project active"]]);
  assert.deepEqual(await heads(), before);
  assert.deepEqual(changes.map(({ kind }) => kind).toSorted(), ["insert_item", "remove_item", "revise_item"]);
});

test("what is written to a part is in the daily log, as what is written to the whole", async () => {
  const { world, folder } = await shared();
  const log = join(folder, "daily");
  const after: (() => unknown)[] = [];
  const afterwards = { ...world.afterwards, add: (_: string, work: () => unknown) => void after.push(work) };
  const logged = withDailyLog(world.project, { ...world, folder: log, afterwards });
  await put(logged, "memory", { content: "to the whole" });
  for (const [index, part] of logged.parts!.entries()) await put(part, "memory", { content: `to part ${index}` });
  for (const work of after) await work();
  const [file] = readdirSync(log);
  const lines = readFileSync(join(log, file!), "utf8").trim().split("\n").slice(2);
  assert.deepEqual(
    lines.map((line) => line.replace(/^.*: /, "")),
    ["to the whole", "to part 0", "to part 1"],
  );
});

test("a promotion is not rolled back over what the team made of it", async () => {
  const { world, server, own } = await shared();
  const { id } = await keep(world, TEXTS[0]!, SCRATCH);
  await promote(id, "project", during("promotion", world));
  await promote(id, "global", during("later", world));
  await assert.rejects(rollback({ chosen: ["promotion"] }, world), { code: "conflict", message: /later/ });
  assert.deepEqual([await statesIn(own, [id]), await statesIn(server, [id])], [[], []]);
});

test("a summary goes to the server, and the working memories that it folds do not", async () => {
  const { world, server, own, clock } = await shared();
  const ids: string[] = [];
  for (const text of TEXTS) ids.push((await keep(world, text, SCRATCH)).id);
  ids.push((await keep(world, "Half of the beacon is painted.", { type: "progress" })).id);
  clock.time += 3_600_000;
  const { summary } = await summarize({ session: "session", olderThanMinutes: 30 }, during("folding", world));
  assert.deepEqual(await statesIn(server, [summary!.id, ...ids]), ["project superseded", "project active"]);
  assert.deepEqual(await statesIn(own, ids), Array(TEXTS.length).fill("project superseded"));
  const { records } = await server.journal({}, { limit: 100, offset: 0 });
  assert.ok(!records.some(({ itemId }) => ids.slice(0, TEXTS.length).includes(itemId)));

  const { history } = await getItem({ id: summary!.id }, world);
  assert.deepEqual(history.map(({ id }) => id).toSorted(), ids.toSorted(), "here they are its history");
  const heads = await world.project.heads("memory", ids);
  assert.ok(ids.every((id) => heads.get(id)?.id === summary!.id));

  await rollback({ chosen: ["folding"] }, during("undoing", world));
  assert.deepEqual(await statesIn(world.project, [summary!.id]), []);
  assert.deepEqual(await statesIn(own, ids), Array(TEXTS.length).fill("working active"));
  assert.deepEqual(await statesIn(server, ids), ["project active"]);
});

test("nothing is folded in favour of a memory that somebody closed meanwhile", async () => {
  const { world, server, own, clock } = await shared();
  const [mine] = await own.items("memory", [(await keep(world, TEXTS[0]!, SCRATCH)).id]);
  const { id } = await keep(world, "The parser needs care.");
  const folding = () =>
    world.project.apply(
      [closing(mine!, id, clock.now(), { scope: "project", expiresAt: null })],
      during("folding", world).origin,
    );
  const [theirs] = await server.items("memory", [id]);
  await apply(server, revision("memory", theirs!, { status: "archived" }));
  assert.deepEqual([(await folding()).status, await statesIn(own, [mine!.id])], ["conflict", ["working active"]]);
  await apply(server, revision("memory", { ...theirs!, version: 2 }, { status: "active" }));
  assert.deepEqual([(await folding()).status, await statesIn(own, [mine!.id])], ["applied", ["project superseded"]]);
  assert.deepEqual(await world.project.callsWithPrefix("folding", { limit: 5 }), ["folding"], "it is found here alone");
});
