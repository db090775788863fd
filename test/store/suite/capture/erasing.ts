/** An erased item leaves nothing in events and checkpoints, and a transcript that was read is not read again. */
import assert from "node:assert/strict";
import type { Change } from "../../../../src/journal/change.ts";
import {
  apply,
  applyInVain,
  type CaptureStore,
  insertion,
  type Make,
  newItem,
  ORIGIN,
  put,
  removal,
  trialsOf,
} from "../trial.ts";
import { checkpoint, event, noting, saving } from "./steps.ts";

const purge = (id: string, sessions?: string[]): Change => ({
  kind: "purge_items",
  ids: [id],
  queries: [],
  ...(sessions && { sessions }),
});

export function testCaptureErasing(make: Make<CaptureStore>): void {
  const { once } = trialsOf(make);
  once("events that name it, hold its content or come from its session go with it", async (store) => {
    const content = 'the "blue" ferret\nsleeps';
    const item = newItem({ content, session: "own" });
    const elsewhere = { session: "other" };
    await apply(
      store,
      insertion("memory", item),
      ...noting(
        event("own", { session: "own" }),
        event("names", { ...elsewhere, payload: { items: [item.id] } }),
        event("holds", { ...elsewhere, payload: { text: `> ${content}.` } }),
        event("stays", { ...elsewhere, payload: { text: "the blue ferret wakes" } }),
      ),
    );
    assert.deepEqual((await store.sessionsOf([item.id, "unknown"])).toSorted(), ["own", ORIGIN.session]);
    await apply(store, purge(item.id));
    assert.deepEqual(await store.knownEvents(["own", "names", "holds", "stays"]), new Set(["stays"]));
  });
  once("so do those of an item that only the journal knows, or only another store", async (store) => {
    const item = await put(store, "memory", { content: "gone ferret", session: "session" });
    await apply(store, removal("memory", item));
    await apply(
      store,
      ...noting(
        event("journal", { session: "session" }),
        event("content", { session: "other", payload: { text: "a gone ferret" } }),
        event("told", { session: "told" }),
        event("stays", { session: "other" }),
      ),
    );
    await apply(store, purge(item.id, ["told"]));
    assert.deepEqual(await store.knownEvents(["journal", "content", "told", "stays"]), new Set(["stays"]));
  });
  once("a checkpoint loses its state, keeps its place, and whoever reads on must notice", async (store) => {
    const item = await put(store, "memory", { content: "blue ferret", session: "own" });
    const [own, holding] = [checkpoint({ session: "own", updatedAt: 5 }), checkpoint({ transcript: "/t/holding" })];
    const other = checkpoint({ transcript: "/t/other" });
    const holds = { ...holding, state: { seen: "a blue ferret" } };
    await apply(store, saving(own, null), saving(holds, null), saving(other, null));
    await apply(store, purge(item.id));
    for (const { transcript } of [own, holds]) {
      const left = (await store.checkpoint(transcript))!;
      assert.deepEqual([left.state, left.offset, left.lines], [null, own.offset, own.lines]);
      assert.ok(left.updatedAt > own.updatedAt);
    }
    assert.deepEqual(await store.checkpoint(other.transcript), other);
    assert.deepEqual(await store.openCheckpoints(10, 10), [other.transcript], "nothing waits where the state is gone");
    await applyInVain(store, "save_checkpoint", saving({ ...own, offset: 200 }, 100, own.updatedAt));
  });
}
