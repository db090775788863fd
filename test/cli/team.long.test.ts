/** Two people share a project: two data folders, two checkouts, one server. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import type { Ask } from "../../src/catalog/consent.ts";
import { type Person, sharedProject } from "../hosts/fixtures/shared-project.ts";
import { providerServer } from "../remote/provider-server.ts";
import { CAUSE } from "../sessions/saying-model.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "../sessions/transcript.ts";
import { postgresServer, type Server } from "../store/postgres/server.ts";

const server = await postgresServer();
/** A language model that always says the same: rules alone capture no memory. */
const model = await providerServer([
  { body: { choices: [{ message: { content: JSON.stringify({ memories: [CAUSE] }) } }] } },
]);
const RUN = process.pid;
const NAME = `trial${RUN}`;
const SCHEMA = `stele_${NAME}`;

if (server) describe("a team", () => testTeam(server));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

function testTeam(on: Server): void {
  const { asAdmin, person, team, using, hook, ...project } = sharedProject(on, NAME);
  const llm = { provider: "openai", model: "m", baseUrl: model.address };
  const [first, second, third] = [person("first"), person("second", { llm }), person("third")];
  const contents = async (who: Person, query: string) =>
    (await using(who, (stele) => stele.recall({ query }))).hits.map(({ content }) => content);

  const ready = () => project.ready({ first: "ratifier", second: "writer", third: "reader" });

  test("what one has is pushed, everything of it, and the other joins", async () => {
    await ready();
    const kept = await using(first, async (stele) => {
      await stele.remember({ content: "The cache is flushed at midnight." });
      await stele.remember({ content: "Old.", tags: ["x"] });
      await stele.remember({ content: "I prefer tabs.", scope: "global" });
      await stele.remember({ content: "A scratch.", scope: "working" });
      const { id } = await stele.propose({ subject: "cache", decision: "The cache is Redis." });
      await stele.ratify({ id });
      return stele.audit({ limit: 50 });
    });
    const tried = await team(first, "push", "--name", NAME, "--dry-run");
    assert.match(tried.said, /memory: 2\n {2}decision: 1/);
    assert.equal((await team(first, "push", "--name", NAME)).code, 4, "nobody was asked");
    assert.match((await team(first, "status")).said, /not shared/);
    const pushed = await team(first, "push", "--name", NAME, "--yes", "--json");
    assert.equal(pushed.code, 0, pushed.said);
    const rows = await asAdmin(`select content, scope from ${SCHEMA}.memory_item order by content`);
    assert.deepEqual(
      rows.map(({ content }) => content),
      ["Old.", "The cache is flushed at midnight."],
    );
    const after = await using(first, (stele) => stele.audit({ limit: 50, verify: true }));
    assert.equal(after.verification?.ok, true);
    const before = kept.entries.filter(({ store }) => store === "project").map(({ id, kind }) => [id, kind]);
    const told = after.entries.filter(({ store }) => store === "project").map(({ id, kind }) => [id, kind]);
    assert.deepEqual(told.slice(-before.length), before, "the journal goes on");
    assert.equal((await team(second, "join", "--name", NAME, "--yes")).code, 0);
    assert.ok((await contents(second, "when is the cache flushed?")).includes("The cache is flushed at midnight."));
  });

  test("what one remembers the other finds, with who it was; what is one's own stays", async () => {
    await using(second, (stele) => stele.remember({ content: "The index is rebuilt by make reindex." }));
    await using(second, (stele) => stele.remember({ content: "Scratch of second.", scope: "working" }));
    assert.ok((await contents(first, "how is the index rebuilt?")).includes("The index is rebuilt by make reindex."));
    assert.ok(!(await contents(first, "scratch of second")).includes("Scratch of second."));
    assert.ok((await contents(second, "scratch of second")).includes("Scratch of second."));
    const { entries } = await using(first, (stele) => stele.audit({ limit: 1 }));
    assert.deepEqual(entries[0]?.by, { role: `second_${RUN}`, name: "second" });
    assert.deepEqual(await asAdmin(`select 1 from ${SCHEMA}.memory_item where scope = 'working'`), []);
    assert.deepEqual(await asAdmin(`select 1 from ${SCHEMA}.access_log where query is not null`), []);
  });

  test("a working memory that is promoted becomes the team's", async () => {
    const { id } = await using(second, (stele) =>
      stele.remember({ content: "The flag is --drain.", scope: "working" }),
    );
    await using(second, (stele) => stele.promote({ id }));
    assert.ok((await contents(first, "which flag drains?")).includes("The flag is --drain."));
    await using(second, (stele) => stele.rollback({ last: 1 }));
    assert.ok(!(await contents(first, "which flag drains?")).includes("The flag is --drain."));
  });

  test("a working memory that becomes global is nobody else's, and goes back when that is undone", async () => {
    const { id } = await using(second, (stele) => stele.remember({ content: "My heron diary.", scope: "working" }));
    await using(second, (stele) => stele.promote({ id, scope: "global" }));
    assert.ok((await contents(second, "heron diary")).includes("My heron diary."));
    await using(second, (stele) => stele.rollback({ last: 1 }));
    const { items } = await using(second, (stele) => stele.list({ limit: 50, scope: ["working"] }));
    assert.ok(items.some((item) => item.id === id));
    const tables = ["memory_item", "journal_payload", "access_log", "event", "checkpoint", "embedding_cache"];
    for (const table of tables)
      assert.deepEqual(await asAdmin(`select * from ${SCHEMA}.${table} one where one::text like '%heron%'`), [], table);
  });

  test("a writer erases a working memory", async () => {
    const { id } = await using(second, (stele) => stele.remember({ content: "Scratch to erase.", scope: "working" }));
    await using(second, (stele) => stele.forget({ target: id, purge: true }));
    assert.ok(!(await contents(second, "scratch to erase")).includes("Scratch to erase."));
  });

  test("a writer erases a captured memory with its evidence, except what a decision rests on", async () => {
    const path = join(second.project, "heard.jsonl");
    const spoken = FIXED_LOGIN.map((saying, index) => ({ ...saying, minute: index }));
    writeTranscript(path, claudeLines(spoken, "heard", second.project));
    const { memories } = await using(second, (stele) => stele.extract({ path, end: true }));
    assert.equal(memories.length, 1);
    const [id] = memories as [string];
    const { evidence = [] } = await using(second, (stele) => stele.get({ id }));
    const written = (table: string) =>
      asAdmin(
        `select 1 from ${SCHEMA}.${table} one where one::text ~ 'freeze the clock globally|reads the system clock'`,
      );
    const CARDS = ["session_card", "session_error", "note_verdict", "handover"];
    assert.ok((await written("evidence_item")).length > 0);
    assert.equal((await written("session_card")).length, 1);
    const resting = await using(first, (stele) =>
      stele.propose({ subject: "clock", decision: "Clocks are injected.", evidence }),
    );
    await using(first, (stele) => stele.ratify({ id: resting.id }));
    const tried = await using(second, (stele) => stele.dryRun("forget", { target: id, purge: true }));
    assert.deepEqual([tried.answer.evidence, tried.answer.evidenceKept], [[], evidence]);
    await using(first, (stele) => stele.forget({ target: resting.id, purge: true }));
    const erased = await using(second, (stele) => stele.forget({ target: id, purge: true }));
    assert.deepEqual([erased.status, erased.evidence, erased.traces], ["erased", evidence, []]);
    const tables = ["memory_item", "evidence_item", "evidence_passage", "journal_payload", "event", "checkpoint"];
    for (const table of [...tables, ...CARDS]) assert.deepEqual(await written(table), [], table);
    assert.deepEqual((await using(second, (stele) => stele.extract({ path, end: true }))).memories, []);
  });

  test("a writer proposes, and only a ratifier ratifies; a reader remembers nothing", async () => {
    const { id } = await using(second, (stele) => stele.propose({ subject: "queue", decision: "The queue is NATS." }));
    const refused = { code: "refused", message: /role in the database/ };
    const unasked: Ask = () => assert.fail("whoever may not ratify is not asked");
    await assert.rejects(
      using(second, (stele) => stele.ratify({ id }), unasked),
      refused,
    );
    await assert.rejects(
      using(second, (stele) => stele.dryRun("ratify", { id })),
      refused,
    );
    await using(first, (stele) => stele.ratify({ id }));
    assert.equal((await team(third, "join", "--name", NAME, "--yes")).code, 0);
    const { hits, degraded } = await using(third, (stele) => stele.decisions({ subject: "queue" }));
    assert.deepEqual([hits.length, degraded], [1, "you may only read what the team shares"]);
    await assert.rejects(
      using(third, (stele) => stele.remember({ content: "No." })),
      /may only read/,
    );
    assert.match((await team(third, "push", "--yes")).said, /reader cannot send/);
  });

  test("while the server is away a search answers from here and says so, and a write fails with a way to keep it", async () => {
    await on.kill();
    try {
      await using(second, async (stele) => {
        const { degraded } = await stele.recall({ query: "cache" });
        assert.match(degraded ?? "", /server cannot be reached/);
        await assert.rejects(stele.remember({ content: "Lost?" }), { code: "unavailable", hint: /--scope working/ });
        await stele.remember({ content: "Kept here.", scope: "working" });
        const { hits } = await stele.recall({ query: "kept here", scope: ["working"] });
        assert.equal(hits[0]?.content, "Kept here.");
      });
      const findings = await (await openDoctor({ home: second.home, project: second.project })).examine();
      assert.match(findings.find(({ check }) => check === "team")?.message ?? "", /cannot be reached/);
    } finally {
      await on.start();
    }
    assert.ok((await contents(second, "when is the cache flushed?")).includes("The cache is flushed at midnight."));
    const findings = await (await openDoctor({ home: second.home, project: second.project })).examine();
    assert.match(
      findings.find(({ check }) => check === "team")?.message ?? "",
      /is a writer; not encrypted; schema \d/,
    );
  });

  test("what hooks report while the server is away is taken in once when it is back", async () => {
    const report = (event: string, more: object = {}) =>
      hook(second, { session_id: "away", hook_event_name: event, ...more });
    const events = () => asAdmin(`select kind from ${SCHEMA}.event where session = 'away' order by kind`);
    await on.kill();
    try {
      const reported = [
        await report("SessionStart", { source: "startup" }),
        await report("UserPromptSubmit", { prompt_id: "p", prompt: "Which cache do we use?" }),
      ];
      assert.deepEqual(
        reported.map(({ code, output, errors }) => [code, output, errors]),
        [
          [0, "", ""],
          [0, "", ""],
        ],
      );
      await assert.rejects(
        using(second, (stele) => stele.extract({})),
        { code: "unavailable", message: /cannot be reached/ },
      );
    } finally {
      await on.start();
    }
    for (const _ of ["once", "not twice"]) {
      await using(second, (stele) => stele.extract({}));
      assert.deepEqual(
        (await events()).map(({ kind }) => kind),
        ["prompt", "session_start"],
      );
    }
  });

  test("what the team has is pulled, twice as well as once, and whoever leaves goes on with it", async () => {
    const pulled = await team(second, "pull", "--yes", "--json");
    assert.equal(pulled.code, 0, pulled.said);
    assert.equal((JSON.parse(pulled.said) as { conflictCount: number }).conflictCount, 0);
    const again = JSON.parse((await team(second, "pull", "--yes", "--json")).said) as {
      inserted: number;
      updated: number;
    };
    assert.deepEqual([again.inserted, again.updated], [0, 0]);
    const there = await asAdmin(`select id from ${SCHEMA}.memory_item order by id`);
    assert.equal((await team(second, "leave", "--yes")).code, 0);
    const { items } = await using(second, (stele) => stele.list({ limit: 50, scope: ["project"] }));
    assert.deepEqual(
      items.map(({ id }) => id).toSorted(),
      there.map(({ id }) => id),
    );
    assert.deepEqual(readdirSync(join(second.home, "team")), []);
  });
}
