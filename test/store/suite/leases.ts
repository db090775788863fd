/** Leases: one holder at a time, until it lets go or its time is over. */
import assert from "node:assert/strict";
import type { Change } from "../../../src/journal/change.ts";
import { apply, applyInVain, type LeaseStore, type Make, trialsOf } from "./trial.ts";

/** As long as the longest one taken here. */
const LASTS_MS = 21;

const take = (owner: string, at: number, until: number, name = "index"): Change => ({
  kind: "take_lease",
  name,
  owner,
  at,
  until,
});

const holder = (store: LeaseStore, now: number, name = "index") => store.leaseHolder(name, now, LASTS_MS);

export function testLeases(make: Make<LeaseStore>): void {
  const { once } = trialsOf(make);
  once("whoever takes a lease holds it alone, and may prolong it", async (store) => {
    assert.equal(await holder(store, 0), null);
    await apply(store, take("one", 10, 20));
    assert.equal(await holder(store, 19), "one");
    await applyInVain(store, "take_lease", take("two", 19, 40));
    await apply(store, take("one", 15, 30));
    await applyInVain(store, "take_lease", take("two", 29, 40));
    assert.equal(await holder(store, 29), "one");
    await apply(store, take("two", 19, 40, "decay"));
    assert.equal(await holder(store, 19, "decay"), "two");
  });
  once("a lease that has run out is free", async (store) => {
    await apply(store, take("one", 10, 20));
    assert.equal(await holder(store, 20), null);
    await apply(store, take("two", 20, 30));
    assert.equal(await holder(store, 20), "two");
  });
  once("a lease that was taken while the clock was ahead is free", async (store) => {
    await apply(store, take("one", 100_000, 100_010));
    assert.equal(await holder(store, 100_001), "one");
    assert.equal(await holder(store, 900), null);
    await apply(store, take("two", 900, 910));
    assert.equal(await holder(store, 900), "two");
    await applyInVain(store, "take_lease", take("one", 900, 910));
  });
  once("a lease is nobody else's who read the clock a little earlier", async (store) => {
    await apply(store, take("one", 1_000, 1_021));
    for (const at of [999, 900]) {
      await applyInVain(store, "take_lease", take("two", at, at + LASTS_MS));
      assert.equal(await holder(store, at), "one");
    }
  });
  once("only its holder lets go of a lease", async (store) => {
    await apply(store, take("one", 10, 20));
    await apply(store, { kind: "release_lease", name: "index", owner: "two" });
    assert.equal(await holder(store, 15), "one");
    await apply(store, { kind: "release_lease", name: "index", owner: "one" });
    await apply(store, { kind: "release_lease", name: "index", owner: "one" });
    assert.equal(await holder(store, 15), null);
  });
  once("of two who take it at once, one gets it", async (store) => {
    const origin = { verb: "test", host: "suite", session: "", call: "", space: "" };
    const both = ["one", "two"].map((owner) => store.apply([take(owner, 10, 20)], origin));
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), ["applied", "conflict"]);
  });
}
