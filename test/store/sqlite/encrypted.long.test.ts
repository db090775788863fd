/** The store on an encrypted file: the promises of the port once more. */
import { storeKeyOf } from "../../../src/encryption/store-key.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { testStore } from "../store-suite.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("encrypted");
const clock = { now: () => 1_700_000_000_000 };
const key = storeKeyOf(Buffer.alloc(32, 7));

testStore("SQLite, encrypted", async () => {
  const store = await openSqliteStore({ path: path(), kind: "global", clock, key });
  return { store, close: () => store.close() };
});
