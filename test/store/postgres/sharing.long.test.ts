/** What only a server that many processes share has to keep: turns, freshness, rights, and a server that goes away. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { openPostgresStore } from "../../../src/store/postgres/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { until } from "../../until.ts";
import { active, direction, EMBEDDER, embedWaiting, idsOf, insertion, newItem, ORIGIN, put } from "../suite/trial.ts";
import { type Spaces, spacesOn } from "./fresh-space.ts";
import { postgresServer, type Server } from "./server.ts";
import { assertWhole } from "./whole-chain.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };

async function withStores(spaces: Spaces, count: number, check: (...stores: Store[]) => Promise<void>): Promise<void> {
  const { open, giveBack } = await spaces.take();
  const stores: Store[] = [];
  for (let number = 0; number < count; number += 1) stores.push(await open());
  try {
    await check(...stores);
  } finally {
    for (const store of stores) await store.close();
    await giveBack();
  }
}

if (server) describe("Postgres, shared", () => testSharing(server, spacesOn(server, { kind: "project", clock })));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

function testSharing(on: Server, spaces: Spaces): void {
  test("of many transactions at once, through several connections, all are applied, one after the other", () =>
    withStores(spaces, 4, async (...stores) => {
      const changes = Array.from({ length: 100 }, () => insertion("memory", newItem()));
      const applied = await Promise.all(changes.map((change, index) => stores[index % 4]!.apply([change], ORIGIN)));
      assert.deepEqual(new Set(applied.map(({ status }) => status)), new Set(["applied"]));
      assert.equal((await stores[0]!.chainHead()).length, 100);
      await assertWhole(stores[3]!);
    }));

  test("of two that expect the same version one is refused", () =>
    withStores(spaces, 2, async (one, other) => {
      const { id } = await put(one, "memory");
      const removal = { kind: "remove_item", shelf: "memory", id, expectedVersion: 1 } as const;
      const both = await Promise.all([one, other].map((store) => store.apply([removal], ORIGIN)));
      assert.deepEqual(both.map(({ status }) => status).toSorted(), ["applied", "conflict"]);
    }));

  test("what is refused is a conflict, even if something that was sent after it fails", () =>
    withStores(spaces, 1, async (store) => {
      const archived = insertion("evidence", newItem({ status: "archived" }));
      assert.equal((await store!.apply([archived], ORIGIN)).status, "applied");
      const again = await store!.apply([archived, insertion("memory", newItem())], ORIGIN);
      assert.equal(again.status === "conflict" && again.kind, "insert_item");
      assert.equal((await store!.report()).counts.length, 1);
    }));

  test("what one connection writes the other sees at once, vectors included", () =>
    withStores(spaces, 2, async (one, other) => {
      const near = (store: Store) => store.nearest("memory", { embedder: EMBEDDER, vector: direction(1) }, active, 5);
      const first = await put(one, "memory");
      await embedWaiting(one, () => direction(1));
      assert.deepEqual(idsOf(await near(other)), [first.id]);
      const second = await put(other, "memory");
      await embedWaiting(other, () => direction(1, 0.9));
      assert.deepEqual(idsOf(await near(one)), [first.id, second.id]);
      assert.deepEqual(idsOf(await one.keyword("memory", { terms: ["content"] }, active, 5)).length, 2);
    }));

  test("several that make the same space at once make it once", async () => {
    const schema = `test_made_${process.pid}`;
    const making = () => openPostgresStore({ url: on.url, schema, kind: "project", clock: { now: () => 1 } });
    const [maker, admin] = [new pg.Client({ connectionString: on.url }), new pg.Client({ connectionString: on.url })];
    await Promise.all([maker.connect(), admin.connect()]);
    // All of them find no schema, and wait for one that is made meanwhile.
    await maker.query(`begin; create schema ${schema}`);
    const opening = Promise.all([making(), making(), making(), making()]);
    const waiting = `select count(*)::integer as count from pg_stat_activity
      where query like 'create schema%${schema}%' and wait_event_type = 'Lock'`;
    await until(async () => (await admin.query(waiting)).rows[0].count === 4);
    await maker.query("commit");
    await maker.end();
    const stores = await opening;
    for (const store of stores) await put(store, "memory");
    assert.equal((await stores[0]!.chainHead()).length, 4);
    await Promise.all(stores.map((store) => store.close()));
    await admin.query(`drop schema ${schema} cascade`);
    await admin.end();
  });

  test("an impatient writer gives up while another writes; a patient one waits its turn", async () => {
    const { open, schema, giveBack } = await spaces.take();
    const store = await open();
    const holder = new pg.Client({ connectionString: on.url, options: `-c search_path=${schema}` });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from journal_head for update");
    const impatient = store.apply([insertion("memory", newItem())], ORIGIN, { impatient: true });
    await assert.rejects(impatient, { code: "unavailable", message: "The store is locked by another process." });
    const patient = store.apply([insertion("memory", newItem())], ORIGIN);
    await holder.query("rollback");
    assert.equal((await patient).status, "applied");
    await holder.end();
    await store.close();
    await giveBack();
  });

  test("while one goes first, its own writes pass and those of others wait", () =>
    withStores(spaces, 2, async (one, other) => {
      let waiting: Promise<unknown> = Promise.resolve();
      const written = await one.goFirst(async () => {
        waiting = put(other, "memory");
        const items = [await put(one, "memory"), await put(one, "memory")];
        assert.equal((await one.chainHead()).length, 2);
        return items;
      });
      await waiting;
      const [first, second] = await one.chain(1, 9);
      assert.deepEqual([first?.itemId, second?.itemId], idsOf(written));
      assert.equal((await one.chainHead()).length, 3);
    }));

  testRights(on, spaces);
  testFaults(on, spaces);
}

function testRights(on: Server, spaces: Spaces): void {
  test("a role that may only read reads everything and writes nothing", async () => {
    const { open, schema, giveBack } = await spaces.take();
    const owner = await open();
    const { id } = await put(owner, "memory");
    const reader = `${schema}_reader`;
    const admin = new pg.Client({ connectionString: on.url });
    await admin.connect();
    await admin.query(`create role ${reader} login; grant usage on schema ${schema} to ${reader};
      grant select on all tables in schema ${schema} to ${reader}`);
    const url = on.url.replace(/\/\/[^@]*@/, `//${reader}@`);
    const store = await open({ url });
    assert.equal(store.readOnly, true);
    assert.deepEqual(idsOf(await store.keyword("memory", { terms: ["content"] }, active, 5)), [id]);
    await assert.rejects(put(store, "memory"), { code: "unavailable", message: /may only read/ });
    await store.close();
    await admin.query(`drop owned by ${reader}; drop role ${reader}`);
    await admin.end();
    await owner.close();
    await giveBack();
  });
}

function testFaults(on: Server, spaces: Spaces): void {
  test("a schema that another program made is left alone", async () => {
    const admin = new pg.Client({ connectionString: on.url });
    await admin.connect();
    await admin.query(`create schema foreign_schema; create table foreign_schema.thing (one integer)`);
    const opening = openPostgresStore({ url: on.url, schema: "foreign_schema", kind: "project", clock });
    await assert.rejects(opening, { code: "unavailable", message: /another program/ });
    const { rows } = await admin.query(
      `select count(*)::integer as count from pg_class where relnamespace = 'foreign_schema'::regnamespace`,
    );
    assert.deepEqual(rows, [{ count: 1 }]);
    await admin.query(`drop schema foreign_schema cascade`);
    await admin.end();
  });

  test("a schema that a newer program has migrated is no longer written, nor opened", async () => {
    const { open, schema, giveBack } = await spaces.take();
    const store = await open();
    const admin = new pg.Client({ connectionString: on.url });
    await admin.connect();
    await admin.query(`update ${schema}.schema_version set version = version + 99`);
    await assert.rejects(put(store, "memory"), { code: "unavailable", message: /newer version/ });
    await assert.rejects(open(), { code: "unavailable", message: /supports schemas up to/ });
    await admin.query(`update ${schema}.schema_version set version = version - 99`);
    await admin.end();
    await store.close();
    await giveBack();
  });

  test("a server that cannot be reached is told as such", async () => {
    const options = { url: "postgres://stele@127.0.0.1:1/postgres", schema: "s", kind: "project", clock } as const;
    const opening = openPostgresStore({ ...options, patienceMs: 50 });
    await assert.rejects(opening, { code: "unavailable", message: /cannot be reached \(ECONNREFUSED\)/ });
  });

  test("a server that is killed loses nothing that was acknowledged, and stores recover by themselves", async () => {
    const { open, giveBack } = await spaces.take();
    const stores = [await open({ patienceMs: 60_000 }), await open({ patienceMs: 60_000 })];
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = stores.map(async (store) => {
      while (!isOver) {
        const item = newItem();
        const applied = await store.apply([insertion("memory", item)], ORIGIN).catch(() => null);
        if (applied?.status === "applied") acknowledged.push(item.id);
      }
    });
    for (let round = 1; round <= 2; round += 1) {
      const before = acknowledged.length;
      await until(() => acknowledged.length >= before + 20);
      await on.kill();
      await on.start();
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length >= before + 20);
    isOver = true;
    await Promise.all(writing);
    assert.deepEqual(idsOf(await stores[1]!.items("memory", acknowledged)).toSorted(), acknowledged.toSorted());
    await assertWhole(stores[0]!);
    for (const store of stores) await store.close();
    await giveBack();
  });
}
