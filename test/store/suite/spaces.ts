/** The registry of spaces. */
import assert from "node:assert/strict";
import type { Space } from "../../../src/memory/space.ts";
import { apply, applyInVain, type Make, type SpaceStore, trialsOf } from "./trial.ts";

const space = (id: string, key: string, createdAt: number): Space => ({
  id,
  key,
  root: `${key}/root`,
  remote: "git@example.org:a.git",
  firstCommit: null,
  createdAt,
});

export function testSpaces(make: Make<SpaceStore>): void {
  const { once } = trialsOf(make);
  once("spaces are listed as they were registered, oldest first, one for each key and id", async (store) => {
    assert.deepEqual(await store.spaces(), []);
    const [older, newer] = [space("b", "/one", 1), space("a", "/two", 2)];
    await apply(store, { kind: "insert_space", space: newer }, { kind: "insert_space", space: older });
    assert.deepEqual(await store.spaces(), [older, newer]);
    await applyInVain(store, "insert_space", { kind: "insert_space", space: space("c", "/one", 3) });
    await applyInVain(store, "insert_space", { kind: "insert_space", space: space("a", "/three", 3) });
  });
  once("a space moves from where it is expected to a free place, and keeps id and birth", async (store) => {
    const [here, other] = [space("a", "/here", 1), space("b", "/other", 2)];
    await apply(store, { kind: "insert_space", space: here }, { kind: "insert_space", space: other });
    const moved = { ...space("ignored", "/there", 99), remote: null, firstCommit: "abc" };
    await apply(store, { kind: "move_space", id: "a", expectedKey: "/here", space: moved });
    assert.deepEqual(await store.spaces(), [{ ...moved, id: "a", createdAt: 1 }, other]);
    await applyInVain(store, "move_space", { kind: "move_space", id: "a", expectedKey: "/here", space: here });
    await applyInVain(store, "move_space", { kind: "move_space", id: "x", expectedKey: "/there", space: here });
    await applyInVain(store, "move_space", { kind: "move_space", id: "a", expectedKey: "/there", space: other });
  });
}
