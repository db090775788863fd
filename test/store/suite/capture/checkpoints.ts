/** Checkpoints: one for each transcript, moved only by whoever knows where it was. */
import assert from "node:assert/strict";
import { type CaptureStore, type Make, ORIGIN, apply, applyInVain, trialsOf } from "../trial.ts";
import { checkpoint, saving } from "./steps.ts";

export function testCheckpoints(make: Make<CaptureStore>): void {
  const { once } = trialsOf(make);
  once("a checkpoint is kept whole, and replaced whole", async (store) => {
    const [first, other] = [checkpoint(), checkpoint({ transcript: "/t/two.jsonl", state: null })];
    await apply(store, saving(first, null), saving(other, null));
    assert.deepEqual(await store.checkpoint(first.transcript), first);
    assert.deepEqual(await store.checkpoint(other.transcript), other);
    assert.equal(await store.checkpoint("/t/three.jsonl"), null);
    const second = {
      ...first,
      session: "later",
      extractor: "x",
      offset: 300,
      lines: 9,
      skipped: 2,
      state: [1],
      updatedAt: 8,
    };
    await apply(store, saving(second, 100));
    assert.deepEqual(await store.checkpoint(first.transcript), second);
    assert.equal((await store.captureCounts()).checkpoints, 2);
    assert.equal((await store.chainHead()).length, 0);
  });
  once("it is refused where the transcript has been read further, or not so far", async (store) => {
    const saved = checkpoint();
    await applyInVain(store, "save_checkpoint", saving(saved, 0));
    await apply(store, saving(saved, null));
    for (const offset of [null, 0, 99])
      await applyInVain(store, "save_checkpoint", saving({ ...saved, offset: 200 }, offset));
    await applyInVain(store, "save_checkpoint", saving({ ...saved, offset: 200 }, 100, 4));
    await apply(store, saving({ ...saved, offset: 200 }, 100, 5));
  });
  once("of two who continue at the same place, one gets on", async (store) => {
    await apply(store, saving(checkpoint(), null));
    const both = [200, 300].map((offset) => store.apply([saving(checkpoint({ offset }), 100)], ORIGIN));
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), ["applied", "conflict"]);
  });
  once("open ones are listed once nothing has happened for a while, oldest first", async (store) => {
    const at = (transcript: string, updatedAt: number, isOpen: boolean) =>
      saving(checkpoint({ transcript, updatedAt, isOpen }), null);
    await apply(store, at("/t/b", 7, true), at("/t/a", 5, true), at("/t/new", 9, true), at("/t/shut", 5, false));
    assert.deepEqual(await store.openCheckpoints(9, 10), ["/t/a", "/t/b"]);
    assert.deepEqual(await store.openCheckpoints(9, 1), ["/t/a"]);
    await apply(store, saving(checkpoint({ transcript: "/t/a", updatedAt: 5, isOpen: false }), 100));
    assert.deepEqual(await store.openCheckpoints(9, 10), ["/t/b"]);
  });
  once("dropped checkpoints are gone, unknown ones need no dropping", async (store) => {
    await apply(store, saving(checkpoint(), null), saving(checkpoint({ transcript: "/t/two" }), null));
    await apply(store, { kind: "drop_checkpoints", transcripts: ["/t/two", "/t/three"] });
    assert.equal((await store.captureCounts()).checkpoints, 1);
    assert.equal(await store.checkpoint("/t/two"), null);
  });
}
