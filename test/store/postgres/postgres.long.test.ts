/** The store on Postgres: the promises of the port, kept by a real server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testStore } from "../store-suite.ts";
import { spacesOn } from "./fresh-space.ts";
import { postgresServer } from "./server.ts";

const server = await postgresServer();

if (server) {
  const spaces = spacesOn(server, { kind: "global", clock: { now: () => 1_700_000_000_000 } });
  testStore("Postgres", async () => {
    const { open, giveBack } = await spaces.take();
    const store = await open();
    return {
      store,
      async close() {
        await store.close();
        await giveBack();
      },
    };
  });
} else {
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });
}
