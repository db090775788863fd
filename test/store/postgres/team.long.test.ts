/** Rights in a shared space: they hold against raw SQL too, because a client may claim anything. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import pg from "pg";
import type { Change } from "../../../src/journal/change.ts";
import { examineTeam, makeTeamSpace, openTeamSpace, teamProjects } from "../../../src/store/postgres/team-space.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TeamServer } from "../../../src/team/team.ts";
import { until } from "../../until.ts";
import { active, idsOf, insertion, newItem, ORIGIN, put } from "../suite/trial.ts";
import { postgresServer, type Server } from "./server.ts";
import { assertWhole } from "./whole-chain.ts";

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
      assert.deepEqual(await makeTeamSpace(admin, PROJECT, { clock }), { isKnown: false });
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
    assert.deepEqual(await makeTeamSpace(admin, PROJECT, { clock }), { isKnown: true });
  });

  check("one of an older schema is not used until it was brought up to date", async () => {
    await asAdmin(`
      drop table right_of_way, session_card, session_error, note_verdict, handover, near_pair;
      alter table edge drop column verdict;
      drop index evidence_item_session;
      update schema_version set version = 1`);
    await assert.rejects(openTeamSpace(as("writing"), SCHEMA, { clock }), {
      code: "unavailable",
      message: /has schema 1/,
    });
    await makeTeamSpace(admin, PROJECT, { clock });
    await withStore("writing", (store) => put(store, "memory"));
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
      await put(store, "evidence", { type: "evidence" });
      await assert.rejects(put(store, "decision"), { code: "refused", message: /role in the database/ });
    });
    const { id } = await withStore("deciding", (store) => put(store, "decision"));
    await withStore("writing", async (store) => {
      const touch: Change = {
        kind: "touch_items",
        shelf: "decision",
        query: null,
        at: 5,
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

  check("whoever has no role in the project holds up no writer, and nobody who makes it", async () => {
    const client = new pg.Client({ connectionString: urlOf(loginOf("outside")) });
    await client.connect();
    try {
      for (const seed of [0, 1]) await client.query(`select pg_advisory_lock(hashtextextended('${SCHEMA}', ${seed}))`);
      await withStore("writing", async (store) => {
        await put(store, "memory");
        await store.goFirst(() => put(store, "memory"));
      });
      await makeTeamSpace(admin, PROJECT, { clock });
    } finally {
      await client.end();
    }
  });

  const denied = { code: "42501" };
  /** An entry that continues the chain as far as anybody but a client can tell, or stands so far behind its end. */
  const entry = (shelf: string, { by = 1, head = "length + 1" }: { by?: number; head?: string } = {}) =>
    `with written as (
       insert into journal (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, hash, role)
       select length + ${by}, 1, 1, 'ratify', 'cli', '', '', '', 'insert_item', '${shelf}', 'forged', '\\x00', 'deciding'
       from journal_head)
     update journal_head set length = ${head}, hash = '\\x00'`;
  const item = (shelf: string, status: string, type = "decision") =>
    `insert into ${shelf}_item (id, type, scope, status, version, hash, confidence, priority, pinned, created_at, updated_at,
       accessed_at, access_count, source, host, session, tags, context, details, summary, content)
     values (gen_random_uuid()::text, '${type}', 'project', '${status}', 1, gen_random_uuid()::text, 1, 5, 0, 1, 1, 1, 0,
       'manual', 'cli', '', '[]', '{}', '{}', '', 'forged')`;

  const forbidden: [Person, string][] = [
    ["reading", item("memory", "active", "fact")],
    ["reading", `update memory_item set content = 'x'`],
    ["reading", `delete from journal`],
    ["reading", `truncate memory_item cascade`],
    ["reading", entry("memory")],
    ["reading", `select from journal_head for update`],
    ["reading", `begin; lock table journal_head in row share mode`],
    ["reading", `begin; lock table right_of_way in row share mode`],
    ["reading", `comment on schema ${SCHEMA} is 'x'`],
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
    ["outside", `begin; lock table ${SCHEMA}.right_of_way in access share mode`],
    ["outside", `comment on schema ${SCHEMA} is 'x'`],
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
    await rawAs("writing", `set role ${SCHEMA}_writer; ${entry("memory")}`);
    const { rows } = await rawAs("reading", `select role from journal where item_id = 'forged'`);
    assert.deepEqual(rows, [{ role: loginOf("writing") }, { role: loginOf("writing") }]);
  });

  const bare = entry("memory").replace(/^with written as \(|\)\s*update.*$/gs, "");
  const unended: [what: string, sql: string][] = [
    ["an entry that its head does not know", bare],
    ["an entry far behind its end", bare.replace("length + 1", "900001")],
    ["a gap", entry("memory", { by: 2, head: "length + 2" })],
    ["an end before its end", entry("memory", { head: "length" })],
    ["an end that nothing leads to", `update journal_head set length = length + 1`],
    ["an earlier end", `update journal_head set length = length - 1`],
    ["another hash at its end", `update journal_head set hash = '\\x01'`],
  ];
  for (const [what, sql] of unended)
    check(`nobody gives the journal ${what}`, async () => {
      await withStore("writing", (store) => put(store, "memory"));
      for (const person of ["writing", "deciding"] as const)
        await assert.rejects(rawAs(person, sql), { code: "23514", constraint: "journal_continues" });
      await withStore("writing", (store) => put(store, "memory"));
    });

  /** As before the triggers were there. */
  const unguarded = (sql: string) =>
    asAdmin(`
      alter table journal disable trigger journal_ended; alter table journal_head disable trigger journal_continued;
      ${sql};
      alter table journal enable trigger journal_ended; alter table journal_head enable trigger journal_continued`);
  const making = () => makeTeamSpace(admin, PROJECT, { clock });
  const entryCount = async () => (await asAdmin(`select count(*)::integer as count from journal`)).rows[0].count;

  check("an entry where the next one belongs is named, and moved away by whoever makes the space", async () => {
    await withStore("writing", (store) => put(store, "memory"));
    await unguarded(bare);
    const storing = withStore("writing", (store) => put(store, "memory"));
    await assert.rejects(storing, { code: "unavailable", message: /does not end where its head says/ });
    const count = await entryCount();
    await assert.rejects(making(), {
      code: "conflict",
      message: /moved to \w+\.journal_aside: 1\.$/,
    });
    await making();
    await withStore("writing", (store) => put(store, "memory"));
    const { rows } = await asAdmin(`select entry ->> 'item_id' as id, entry ->> 'role' as role from journal_aside`);
    assert.deepEqual([await entryCount(), rows.map(({ id }) => id)], [count, ["forged"]]);
    for (const sql of [`select from journal_aside`, `delete from journal_aside`])
      for (const person of ["reading", "writing", "deciding"] as const)
        await assert.rejects(rawAs(person, sql), denied);
  });

  for (const [what, sql] of [
    ["lowered", `update journal_head set length = 1`],
    ["emptied", `update journal_head set length = 0, hash = decode(repeat('00', 32), 'hex')`],
  ] as const)
    check(`a head that was ${what} is moved back to the end of the chain, and no entry is lost`, async () => {
      const schema = `${SCHEMA}_${what}`;
      const project = { ...PROJECT, schema };
      await makeTeamSpace(admin, project, { clock });
      const open = () => openTeamSpace(admin, schema, { clock });
      const before = await open();
      const { id } = await put(before, "decision");
      await before.apply([{ kind: "remove_item", shelf: "decision", id, expectedVersion: 1 }], ORIGIN);
      await put(before, "memory");
      const [head, chain] = [await before.chainHead(), await before.chain(1, 9)];
      await before.close();
      await asAdmin(`set search_path = ${schema}; drop trigger journal_continued on journal_head; ${sql}`);
      const count = head.length - (what === "lowered" ? 1 : 0);
      const message = new RegExp(`continue the chain, and count again: ${count}\\.$`);
      await assert.rejects(makeTeamSpace(admin, project, { clock }), { code: "conflict", message });
      const after = await open();
      assert.deepEqual([await after.chainHead(), await after.chain(1, 9)], [head, chain]);
      await put(after, "memory");
      await assertWhole(after);
      await after.close();
      await asAdmin(`drop schema ${schema} cascade`);
      for (const role of ["owner", "reader", "writer", "ratifier"])
        await asAdmin(`drop owned by ${schema}_${role}; drop role ${schema}_${role}`);
    });

  const misshapen: [what: string, sql: string][] = [
    ["a memory that is a decision", `update memory_item set type = 'decision', title = 'auth'`],
    ["a memory that looks like one", `update memory_item set type = 'Decision, ratified'`],
    ["a new memory that is a decision", item("memory", "active")],
    ["a memory that is ratified", `update memory_item set status = 'ratified'`],
    ["evidence that is a decision", item("evidence", "active")],
    ["a source that nobody knows", `update memory_item set source = 'x'`],
    ["a time that is no date", `update memory_item set created_at = 9000000000000000000`],
    ["a number of reads that is not exact", `update decision_item set access_count = 9000000000000000000`],
    ["evidence that is ratified", item("evidence", "ratified", "evidence")],
  ];
  for (const [what, sql] of misshapen)
    check(`nobody stores ${what}`, async () => {
      await withStore("writing", (store) => put(store, "memory"));
      for (const person of ["writing", "deciding"] as const)
        await assert.rejects(rawAs(person, sql), { code: "23514" });
    });

  check("what claimed to be a decision before the constraints were there is one no more", async () => {
    const { id } = await withStore("writing", (store) => put(store, "memory"));
    const shown = () => withStore("reading", async (store) => (await store.items("memory", [id]))[0]!.type);
    await asAdmin(`
      alter table memory_item drop constraint memory_item_type_of_shelf;
      update memory_item set type = 'decision' where id = '${id}'`);
    assert.equal(await shown(), "fact", "whatever the row says");
    await makeTeamSpace(admin, PROJECT, { clock });
    const { rows } = await asAdmin(`select type from memory_item where id = '${id}'`);
    assert.deepEqual(rows, [{ type: "fact" }]);
    await assert.rejects(rawAs("writing", misshapen[0]![1]), { code: "23514" });
  });

  for (const [column, kind] of [
    ["tags", "nope"],
    ["tags", "{}"],
    ["context", "[]"],
    ["details", `"text"`],
  ])
    check(`nobody stores ${kind} as ${column}, and what was there before is emptied`, async () => {
      const { id } = await withStore("writing", (store) => put(store, "memory", { tags: ["one"] }));
      const spoil = `update memory_item set ${column} = '${kind}' where id = '${id}'`;
      await assert.rejects(rawAs("writing", spoil), (thrown: { code: string }) =>
        ["22P02", "23514"].includes(thrown.code),
      );
      await asAdmin(`alter table memory_item drop constraint memory_item_json; ${spoil}`);
      const read = () => withStore("reading", (store) => store.items("memory", [id]));
      assert.deepEqual(
        (await read()).map((found) => found.id),
        [id],
        "it is read nevertheless",
      );
      await makeTeamSpace(admin, PROJECT, { clock });
      await assert.rejects(rawAs("writing", spoil), (thrown: { code: string }) =>
        ["22P02", "23514"].includes(thrown.code),
      );
      assert.equal((await read()).length, 1);
    });

  check("a context without its parts takes nothing from anybody", async () => {
    const { id } = await withStore("writing", (store) => put(store, "memory", { content: "the walrus sleeps" }));
    await rawAs("writing", `update memory_item set context = '{"branch": 7}', tags = '[1]' where id = '${id}'`);
    const EMPTY = { branch: null, commits: [], files: [], symbols: [], language: null };
    await withStore("reading", async (store) => {
      const [found] = await store.items("memory", [id]);
      assert.deepEqual([found?.context, found?.tags], [EMPTY, []]);
      assert.deepEqual((await store.outlines("memory", [id]))[0]?.context, EMPTY);
      const hits = await store.keyword("memory", { terms: ["walrus"] }, active, 5);
      assert.deepEqual(idsOf(hits), [id]);
    });
  });

  check("what JSON can hold and Postgres cannot is stored as it is", () =>
    withStore("writing", async (store) => {
      const context = { branch: "a\0b", commits: ["\ud800"], files: [], symbols: [], language: null };
      const { id } = await put(store, "memory", { context, details: { text: "\0" } });
      assert.deepEqual((await store.items("memory", [id]))[0]?.context, context);
    }),
  );

  check("a store whose item the constraints refuse says so", () =>
    withStore("writing", async (store) => {
      await assert.rejects(put(store, "memory", { type: "decision" }), {
        code: "refused",
        message: /not allowed on this shelf/,
      });
    }),
  );

  check("a function of the session's own does not stand in for the one that is meant", async () => {
    const hijack = `create function pg_temp.pg_has_role(name, text, text) returns boolean language sql as 'select true';
      set search_path = pg_temp, ${SCHEMA}, pg_catalog; update proposal_item set status = 'ratified'`;
    await withStore("writing", (store) => put(store, "proposal"));
    await assert.rejects(rawAs("writing", hijack), denied);
  });
}
