/** Copying a project to a store that others read: what is the person's own stays, in the journal too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copiedLines } from "../../src/cli/team.ts";
import { removingOnRecord } from "../../src/memory/item-changes.ts";
import type { Store } from "../../src/store/store.ts";
import { copyProject } from "../../src/transfer/copy-project.ts";
import { freshStore } from "../store/fresh-store.ts";
import { apply, put, revision } from "../store/suite/trial.ts";
import { temporaryFolder } from "../store/temporary-folder.ts";
import { testWorld } from "../test-world.ts";

const { path } = temporaryFolder("copy");

async function copied(fill: (store: Store) => Promise<void>) {
  const world = await testWorld();
  await fill(world.project);
  const to = await freshStore({ path: path(), kind: "project", clock: world.clock });
  const answer = await copyProject(world.project, to, world);
  const memories = await to.walk("memory", { after: null, limit: 100 });
  const chain = await to.chain(1, 100);
  await to.close();
  return { answer, said: JSON.stringify({ memories, chain }) };
}

test("memories and their journal are copied", async () => {
  const { answer, said } = await copied(async (store) => {
    const item = await put(store, "memory", { tags: ["earlier"] });
    await apply(store, revision("memory", item, { tags: ["later"] }));
  });
  assert.match(said, /later.*earlier/);
  assert.deepEqual([answer.inserted, answer.journal], [1, { adopted: 2, skipped: 0, reason: null }]);
});

test("a working memory that became global leaves no word of itself, and it is told that the journal stays", async () => {
  const { answer, said } = await copied(async (store) => {
    await put(store, "memory", { content: "everybody's" });
    const item = await put(store, "memory", { content: "mine alone", scope: "working" });
    await apply(store, ...removingOnRecord("memory", item));
  });
  assert.match(said, /everybody's/);
  assert.doesNotMatch(said, /mine alone/);
  assert.match(copiedLines(answer, "the server's").join("\n"), /Journal: not copied, because parts of it/);
});
