/** Rights in a shared space: they hold against raw SQL too, because a client may claim anything. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import pg from "pg";
import type { TeamServer } from "../../../src/model/care/team.ts";
import type { Change } from "../../../src/model/journal/change.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import {
  examineTeam,
  makeTeamSpace,
  openTeamSpace,
  teamProjects,
} from "../../../src/store/postgres/team/team-space.ts";
import { ORIGIN, insertion, newItem, put } from "../suite/trial.ts";
import { until } from "../../until.ts";
import { type Server, postgresServer } from "./server.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };
const PEOPLE = { reading: "reader", writing: "writer", deciding: "ratifier", outside: null } as const;
type Person = keyof typeof PEOPLE;
const SCHEMA = `stele_t${process.pid}`;
const PROJECT = { schema: SCHEMA, remote: "git@example.org:app.git", firstCommit: "c0ffee" };

if (server) describe("Postgres, a team's space", () => testTeam(server));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

function testTeam(on: Server): void {
  const urlOf = (user: string) => on.url.replace(/\/\/[^@]*@/, `//${user}@`);
  const loginOf = (person: Person) => `${person}_${process.pid}`;
  const as = (person: Person): TeamServer => ({
    url: urlOf(loginOf(person)),
    tls: null,
    name: `${person} \\ of the team`,
  });
  const admin: TeamServer = { url: on.url, tls: null, name: null };
  const asAdmin = (sql: string) => raw(on.url, sql);

  async function raw(url: string, sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA}` });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }
  const rawAs = (person: Person, sql: string) => raw(urlOf(loginOf(person)), sql);

  async function withStore<T>(person: Person, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openTeamSpace(as(person), SCHEMA, { clock });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Made once; every test adds to it. */
  let made: Promise<void> | undefined;
  const ready = () =>
    (made ??= (async () => {
      assert.deepEqual(await makeTeamSpace(admin, PROJECT, { clock }), { isKnown: false, indexes: 0 });
      for (const [person, role] of Object.entries(PEOPLE)) {
        await asAdmin(`create role ${loginOf(person as Person)} login`);
        if (role !== null) await asAdmin(`grant ${SCHEMA}_${role} to ${loginOf(person as Person)}`);
      }
    })());
  after(async () => {
    if (!made) return;
    await asAdmin(`drop schema ${SCHEMA} cascade`);
    for (const person of Object.keys(PEOPLE)) await asAdmin(`drop role ${loginOf(person as Person)}`);
    for (const role of ["owner", "reader", "writer", "ratifier"])
      await asAdmin(`drop owned by ${SCHEMA}_${role}; drop role ${SCHEMA}_${role}`);
  });

  const check = (name: string, work: () => Promise<void>) =>
    test(name, async () => {
      await ready();
      await work();
    });

  check("a password reaches the server, whatever is in it, and no other one does", async () => {
    // The settings of a server that is not ours are not ours to change.
    if (process.env["STELE_TEST_POSTGRES"]) return;
    const password = "p@ss/w%rd:\\ 'é";
    const [login, open] = [loginOf("writing"), "host all all 127.0.0.1/32 trust"];
    const { rows } = await asAdmin(`select current_setting('hba_file') as path`);
    const accept = (...lines: string[]) =>
      asAdmin(
        `copy (values ${lines.map((line) => `('${line}')`).join(", ")}) to '${rows[0].path}'; select pg_reload_conf()`,
      );
    await asAdmin(`alter role ${login} password ${pg.escapeLiteral(password)}`);
    await accept(`host all ${login} 127.0.0.1/32 scram-sha-256`, open);
    try {
      const wanted = (given?: string) => examineTeam({ ...as("writing"), password: given }, SCHEMA);
      await until(() =>
        wanted().then(
          () => false,
          () => true,
        ),
      );
      await assert.rejects(wanted(), { code: "unavailable", message: /wants a password/ });
      await assert.rejects(wanted("wrong"), { code: "unavailable", message: /refused the user or the password/ });
      assert.equal((await wanted(password)).user, login);
    } finally {
      await accept(open);
      await until(() =>
        examineTeam(as("writing"), SCHEMA).then(
          () => true,
          () => false,
        ),
      );
    }
  });

  check("making it again brings it up to date and changes nothing", async () => {
    assert.deepEqual(await makeTeamSpace(admin, PROJECT, { clock }), { isKnown: true, indexes: 0 });
  });

  check("roles of another database are not taken over", async () => {
    await asAdmin(`create role ${SCHEMA}x_writer`);
    const making = makeTeamSpace(admin, { ...PROJECT, schema: `${SCHEMA}x` }, { clock });
    await assert.rejects(making, { code: "conflict", message: /another database/ });
    await asAdmin(`drop role ${SCHEMA}x_writer`);
  });

  check("a member finds the project, others do not learn of it", async () => {
    const own = (projects: { schema: string }[]) => projects.filter(({ schema }) => schema === SCHEMA);
    assert.deepEqual(own(await teamProjects(as("reading"))), [PROJECT]);
    assert.deepEqual(own(await teamProjects(as("outside"))), []);
    await assert.rejects(openTeamSpace(as("outside"), SCHEMA, { clock }), {
      code: "unavailable",
      message: /cannot read/,
    });
  });

  check("everybody's role is known", async () => {
    const roleOf = async (person: Person) => (await examineTeam(as(person), SCHEMA)).role;
    assert.deepEqual(
      [await roleOf("reading"), await roleOf("writing"), await roleOf("deciding"), await roleOf("outside")],
      ["reader", "writer", "ratifier", null],
    );
    const { version, newest, isEncrypted, roundTripMs } = await examineTeam(as("writing"), SCHEMA);
    assert.deepEqual([version, isEncrypted, roundTripMs > 0], [newest, false, true]);
  });

  check("a reader reads what a writer wrote, and writes nothing", async () => {
    const { id } = await withStore("writing", (store) => put(store, "memory"));
    await withStore("reading", async (store) => {
      assert.equal(store.readOnly, true);
      assert.equal((await store.items("memory", [id]))[0]?.id, id);
      await assert.rejects(put(store, "memory"), { code: "unavailable", message: /may only read/ });
    });
  });

  check("a writer proposes and does not decide; a ratifier does both", async () => {
    await withStore("writing", async (store) => {
      await put(store, "proposal");
      await put(store, "evidence");
      await assert.rejects(put(store, "decision"), { code: "refused", message: /role in the database/ });
    });
    const { id } = await withStore("deciding", (store) => put(store, "decision"));
    await withStore("writing", async (store) => {
      const touch: Change = {
        ...{ kind: "touch_items", shelf: "decision", query: null, at: 5 },
        touches: [{ id, how: "get", relevance: null }],
      };
      assert.equal((await store.apply([touch], ORIGIN)).status, "applied", "reading one is noted");
      assert.equal((await store.items("decision", [id]))[0]?.accessCount, 1);
      const purging = store.apply([{ kind: "purge_items", ids: [id], queries: [] }], ORIGIN);
      await assert.rejects(purging, { code: "refused" });
    });
  });

  check("a writer erases what is no decision", () =>
    withStore("writing", async (store) => {
      const { id } = await put(store, "memory");
      await store.apply([{ kind: "purge_items", ids: [id], queries: [] }], ORIGIN);
      assert.deepEqual(await store.items("memory", [id]), []);
    }),
  );

  check("a writer erases what the server does not have, such as a working memory", () =>
    withStore("writing", async (store) => {
      const purging = store.apply([{ kind: "purge_items", ids: ["unknown"], queries: [] }], ORIGIN);
      assert.equal((await purging).status, "applied");
    }),
  );

  check("reading a ratified proposal is noted, and nothing else of it is a writer's to change", async () => {
    const { id } = await withStore("deciding", (store) => put(store, "proposal", { status: "ratified" }));
    for (const set of [`background = 'x'`, `id = 'another'`, `type = 'pattern'`, `content = 'x'`])
      await assert.rejects(rawAs("writing", `update proposal_item set ${set} where id = '${id}'`), { code: "42501" });
    await rawAs("writing", `update proposal_item set access_count = access_count + 1 where id = '${id}'`);
  });

  check("a schema that somebody else made is neither looked into nor taken over", async () => {
    const trap = `${SCHEMA}trap`;
    const { rows } = await asAdmin(`select quote_ident(current_database()) as name`);
    await asAdmin(`grant create on database ${rows[0].name} to ${loginOf("writing")}`);
    await rawAs(
      "writing",
      `create schema ${trap}; grant usage on schema ${trap} to public;
       create function ${trap}.steal() returns text language plpgsql as $$ begin
         update ${SCHEMA}.decision_item set content = 'stolen'; return 'x'; end $$;
       create view ${trap}.fact as select 'team_remote' as key, ${trap}.steal() as value;
       grant select on ${trap}.fact to public`,
    );
    try {
      await withStore("deciding", (store) => put(store, "decision"));
      const found = await teamProjects(as("deciding"));
      const stolen = await asAdmin(`select 1 from decision_item where content = 'stolen'`);
      assert.deepEqual([found.filter(({ schema }) => schema === trap), stolen.rowCount], [[], 0]);
      const making = makeTeamSpace(admin, { ...PROJECT, schema: trap }, { clock });
      await assert.rejects(making, { code: "conflict", message: /belongs to somebody else/ });
    } finally {
      await asAdmin(
        `drop schema ${trap} cascade; revoke create on database ${rows[0].name} from ${loginOf("writing")}`,
      );
    }
  });

  check("whoever embeds passages may embed those of decisions", async () => {
    await withStore("deciding", (store) => put(store, "decision"));
    await withStore("writing", async (store) => {
      await store.apply([{ kind: "adopt_embedder", embedder: "e", at: 1 }], ORIGIN);
      const [waiting] = await store.waiting({ embedder: "e", limit: 1, now: 1, shelves: ["decision"] });
      const one = { shelf: "decision", passage: waiting!.passage } as const;
      await store.apply(
        [{ kind: "lease_passages", embedder: "e", passages: [one], owner: "o", at: 1, until: 9 }],
        ORIGIN,
      );
      const vector = { values: new Int8Array(384), scale: 1 };
      const storing: Change = { kind: "store_vectors", embedder: "e", owner: "o", vectors: [{ ...one, vector }] };
      assert.equal((await store.apply([storing], ORIGIN)).status, "applied");
    });
  });

  check("the journal has the role that the server saw and the name of the settings", async () => {
    const item = newItem();
    await withStore("writing", async (store) => {
      await store.apply([insertion("memory", item)], ORIGIN);
      const { records } = await store.journal({ itemIds: [item.id] }, { limit: 9, offset: 0 });
      assert.deepEqual(records[0]?.by, { role: loginOf("writing"), name: "writing \\ of the team" });
    });
  });

  const denied = { code: "42501" };
  const entry = (shelf: string) =>
    `insert into journal (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, hash, role)
     values (${shelf === "memory" ? 900_001 : 900_002}, 1, 1, 'ratify', 'cli', '', '', '', 'insert_item', '${shelf}', 'x', '\\x00', 'deciding')`;
  const item = (shelf: string, status: string) =>
    `insert into ${shelf}_item (id, type, scope, status, version, hash, confidence, priority, pinned, created_at, updated_at,
       accessed_at, access_count, source, host, session, tags, context, details, summary, content)
     values (gen_random_uuid()::text, 'decision', 'project', '${status}', 1, gen_random_uuid()::text, 1, 5, 0, 1, 1, 1, 0,
       'manual', 'cli', '', '[]', '{}', '{}', '', 'forged')`;

  const forbidden: [Person, string][] = [
    ["reading", item("memory", "active")],
    ["reading", `update memory_item set content = 'x'`],
    ["reading", `delete from journal`],
    ["reading", `truncate memory_item cascade`],
    ["reading", entry("memory")],
    ["reading", `insert into event (id, kind, session, at, payload) values ('x', 'x', 'x', 1, '{}')`],
    ["writing", item("decision", "active")],
    ["writing", `update decision_item set content = 'x'`],
    ["writing", `update decision_item set valid_until = 1`],
    ["writing", `update decision_item set confidence = 0.1`],
    ["writing", `delete from decision_item`],
    ["writing", `delete from decision_passage`],
    ["writing", `insert into decision_relation (decision_id, related_id) values ('a', 'b')`],
    ["writing", `insert into evidence_link (decision_id, evidence_id, subject) values ('a', 'b', 'c')`],
    ["writing", item("proposal", "ratified")],
    ["writing", `update proposal_item set status = 'ratified'`],
    [
      "writing",
      `insert into edge (id, shelf, source, target, relation, strength, bidirectional, status, created_at)
       values ('e', 'decision', 'a', 'b', 'supersedes', 1, 0, 'active', 1)`,
    ],
    ["writing", entry("decision")],
    ["writing", `update journal set role = 'deciding'`],
    ["writing", `delete from journal`],
    ["writing", `delete from journal_payload where seq in (select seq from journal where shelf = 'decision')`],
    [
      "writing",
      `insert into journal_payload (seq, salt, payload) select seq, '\\x00', '{}' from journal where shelf = 'decision'
       and not exists (select 1 from journal_payload kept where kept.seq = journal.seq)`,
    ],
    ["writing", `insert into fact (key, value) values ('team_note', 'x')`],
    ["writing", `update fact set value = 'another repository' where key = 'team_remote'`],
    ["writing", `delete from fact where key = 'team_remote'`],
    ["deciding", `update fact set value = 'another repository' where key = 'team_remote'`],
    ["writing", `update schema_version set version = 99`],
    ["writing", `alter table decision_item disable trigger all`],
    ["writing", `drop trigger journal_who on journal`],
    ["writing", `set role ${SCHEMA}_owner`],
    ["writing", `set role ${SCHEMA}_ratifier`],
    ["writing", `set session_replication_role = replica`],
    ["writing", `grant ${SCHEMA}_ratifier to writing_${process.pid}`],
    ["deciding", `update journal set role = 'writing'`],
    ["deciding", `delete from journal`],
    ["deciding", `set role ${SCHEMA}_owner`],
    ["outside", `select 1 from memory_item`],
  ];
  for (const [person, sql] of forbidden)
    check(`${person} (${PEOPLE[person] ?? "no role"}) cannot: ${sql.replace(/\s+/g, " ").slice(0, 70)}`, async () => {
      await withStore("deciding", async (store) => {
        const { id } = await put(store, "decision");
        await put(store, "proposal");
        // Gives the journal a previous state of a decision.
        await store.apply([{ kind: "remove_item", shelf: "decision", id, expectedVersion: 1 }], ORIGIN);
        await put(store, "decision");
      });
      await assert.rejects(rawAs(person, sql), (thrown: { code: string }) => {
        // What a role cannot even see does not exist for it.
        assert.ok(
          thrown.code === denied.code || (person === "outside" && thrown.code === "42P01"),
          String(thrown.code),
        );
        return true;
      });
    });

  check("a claimed role in the journal is replaced by the true one, also within another role", async () => {
    await rawAs("writing", entry("memory"));
    await rawAs("writing", `set role ${SCHEMA}_writer; ${entry("memory").replace("900001", "900003")}`);
    const { rows } = await rawAs("reading", `select distinct role from journal where seq in (900001, 900003)`);
    assert.deepEqual(rows, [{ role: loginOf("writing") }]);
    await asAdmin(`delete from journal where seq >= 900000`);
  });

  check("a function of the session's own does not stand in for the one that is meant", async () => {
    const hijack = `create function pg_temp.pg_has_role(name, text, text) returns boolean language sql as 'select true';
      set search_path = pg_temp, ${SCHEMA}, pg_catalog; update proposal_item set status = 'ratified'`;
    await withStore("writing", (store) => put(store, "proposal"));
    await assert.rejects(rawAs("writing", hijack), denied);
  });
}
