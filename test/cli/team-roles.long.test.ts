/** What a role does not allow is left to others, and everything else is done: sweeps of a writer, hooks of a reader. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import inspect from "../../src/maintenance/verbs/inspect.ts";
import { handleOf } from "../../src/memory/handles.ts";
import redact from "../../src/redaction/verbs/redact.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import resume from "../../src/sessions/verbs/resume.ts";
import { READER } from "../catalog/reader.ts";
import { sharedProject } from "../hosts/fixtures/shared-project.ts";
import { postgresServer, type Server } from "../store/postgres/server.ts";
import { until } from "../until.ts";

const server = await postgresServer();
const NAME = `roles${process.pid}`;

if (server) describe("roles of a team", () => testRoles(server));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

const SECRET = `gh${"p_"}q7Zk2mPx9RtB4wLd8NcV3yHf6JgS1uEa5TbM`;

function testRoles(on: Server): void {
  const { schema, asAdmin, team, using, hook, ...project } = sharedProject(on, NAME);
  const [deciding, writing] = [project.person("deciding"), project.person("writing")];
  // What decorates a store must not hide what its server says later.
  const reading = project.person("reading", { dailyLog: { enabled: "on" }, context: { startMs: 60_000 } });
  const check = (name: string, work: () => Promise<void>) =>
    test(name, async () => {
      await project.ready({ deciding: "ratifier", writing: "writer", reading: "reader" });
      for (const person of [deciding, writing]) await team(person, "join", "--name", NAME, "--yes");
      await work();
    });
  const decide = (subject: string, decision: string) =>
    using(deciding, async (stele) => {
      const { id } = await stele.propose({ subject, decision });
      return (await stele.ratify({ id })).id;
    });

  check("a writer redacts what is theirs to change and is told what is left; a ratifier redacts that", async () => {
    const { id: memory } = await using(writing, (stele) => stele.remember({ content: "Deploys need a token." }));
    const { id: pending } = await using(writing, (stele) =>
      stele.propose({ subject: "mail", decision: "Mail goes by SMTP." }),
    );
    const decision = await decide("deploys", "Deploys run in CI.");
    const holding = [
      ["memory", memory],
      ["decision", decision],
      ["proposal", pending],
    ] as const;
    for (const [shelf, id] of holding)
      await asAdmin(`update ${schema}.${shelf}_item set content = content || ' ${SECRET}' where id = '${id}'`);
    await asAdmin(`update ${schema}.proposal_item set background = '${SECRET}' where status = 'ratified'`);
    const held = async (table: string) =>
      (await asAdmin(`select 1 from ${schema}.${table} one where one::text like '%${SECRET}%'`)).length;

    const tried = await using(writing, (stele) => stele.dryRun("redact", {}));
    assert.deepEqual([tried.answer.leftItems, await held("memory_item")], [2, 1]);
    const done = await using(writing, (stele) => stele.redact({}));
    assert.equal(done.status, "redacted");
    assert.deepEqual(done.findings.map(({ shelf, id }) => [shelf, id]).toSorted(), [
      ["memory", memory],
      ["proposal", pending],
    ]);
    assert.deepEqual(done.left.map(({ shelf }) => shelf).toSorted(), ["decision", "proposal"]);
    assert.equal(redact.isBad?.(done), true);
    assert.match(redact.render(done), /2 items and records hold secrets .* a ratifier runs `stele redact`/);
    assert.ok(redact.render(done).includes(handleOf(decision)));
    assert.deepEqual([await held("memory_item"), await held("decision_item"), await held("proposal_item")], [0, 1, 1]);

    const again = await using(writing, (stele) => stele.redact({}));
    assert.deepEqual([again.status, again.leftItems], ["left", 2]);
    const rest = await using(deciding, (stele) => stele.redact({}));
    assert.deepEqual([rest.status, rest.left], ["redacted", []]);
    for (const table of ["memory_item", "decision_item", "proposal_item", "journal_payload"])
      assert.equal(await held(table), 0, table);
    assert.equal((await using(writing, (stele) => stele.redact({}))).status, "clean");
  });

  check("a writer imports what is no decision, and is told of the rest", async () => {
    const solo = project.person("solo");
    const file = join(solo.project, "all.jsonl");
    await using(solo, async (stele) => {
      await stele.remember({ content: "The archive is on tape." });
      for (const [subject, decision] of [
        ["tape", "Tapes are kept for ten years."],
        ["tapes", "Tapes are stored in Riga."],
      ] as const)
        await stele.ratify({ id: (await stele.propose({ subject, decision })).id });
      await stele.propose({ subject: "shelf", decision: "Shelves are numbered." });
      await stele.export({ path: file, journal: true });
    });
    const answer = await using(writing, (stele) => stele.import({ path: file }));
    // A decision and the proposal that it was are two items, and the two decisions contradict each other.
    assert.deepEqual([answer.inserted, answer.conflictCount], [2, 5]);
    assert.match(answer.conflicts[0]!.reason, /a ratifier imports it/);
    const rest = await using(deciding, (stele) => stele.import({ path: file }));
    assert.deepEqual([rest.inserted, rest.unchanged, rest.conflictCount, rest.edges.inserted], [4, 2, 0, 1]);
    await asAdmin(`set search_path = ${schema}; delete from edge where shelf = 'decision'`);
    const { edges, conflicts } = await using(writing, (stele) => stele.import({ path: file }));
    assert.equal(edges.inserted, 0);
    assert.match(conflicts[0]!.reason, /a ratifier imports it/);
  });

  check("a writer maintains, and embeds decisions too", async () => {
    await decide("locks", "Locks are advisory.");
    const done = await using(writing, (stele) => stele.maintain({}));
    assert.equal(typeof done.linked, "number");
    await using(writing, (stele) => stele.backfill({}));
    const { waiting } = await using(writing, (stele) => stele.inspect({}));
    assert.equal(waiting, 0);
  });

  check("hooks of a reader record nothing; what waits stays, and is taken in once the reader is a writer", async () => {
    const spool = createSpool(() => spoolFolder(reading.home, join(reading.project, ".git")));
    const become = async (role: "reader" | "writer") => {
      const login = project.loginOf(reading);
      await asAdmin(`revoke ${schema}_reader, ${schema}_writer from ${login}; grant ${schema}_${role} to ${login}`);
    };
    let prompts = 0;
    const report = (event = "UserPromptSubmit") =>
      hook(reading, {
        session_id: "s",
        prompt_id: `p${(prompts += 1)}`,
        hook_event_name: event,
        ...(event === "SessionStart" ? { source: "startup" } : { prompt: `Prompt ${prompts}` }),
      });
    const waiting = async () => (await spool.state()).files;

    await become("writer");
    assert.equal((await team(reading, "join", "--name", NAME, "--yes")).code, 0);
    await report();
    assert.equal(await waiting(), 1);

    await become("reader");
    const { said } = await team(reading, "status");
    assert.match(said, /You are .*, a reader\.[^]*hooks record nothing in this project\.\nFrom before, 1 report waits/);
    await report();
    assert.equal(await waiting(), 1, "nothing was recorded");
    const inspected = await using(reading, (stele) => stele.inspect({}));
    assert.equal(inspected.capture.spool.isReader, true);
    assert.match(
      inspect.render(inspected, READER),
      /off, because you are a reader .*1 report waiting for the role of a writer/,
    );
    const told = /wait, because .* only be read/;
    assert.match((await using(reading, (stele) => stele.extract({}))).error ?? "", told);
    assert.match((await using(reading, (stele) => stele.dryRun("extract", {}))).answer.error ?? "", told);
    const findings = await (await openDoctor({ home: reading.home, project: reading.project })).examine();
    assert.ok(findings.some(({ message }) => /a reader of .*hooks record nothing here, and 1 report/.test(message)));
    await using(deciding, (stele) => stele.remember({ content: "Never push on Fridays.", type: "convention" }));
    assert.match((await report("SessionStart")).output, /Never push on Fridays/, "memory is still handed over");
    assert.equal(await waiting(), 1);

    await become("writer");
    await using(reading, (stele) => stele.recall({ query: "Fridays" }));
    assert.equal((await spool.state()).isReader, false);
    const [pause] = await spool.pauses();
    assert.ok(pause!.to! >= pause!.from, "what was said meanwhile is not read from a transcript");
    await report();
    assert.equal(await waiting(), 2);
    await using(reading, (stele) => stele.extract({}));
    assert.equal(await waiting(), 0);
    const events = await asAdmin(`select payload from ${schema}.event where session = 's'`);
    assert.deepEqual(events.map((one) => /Prompt \d/.exec(String(one["payload"]))?.[0]).toSorted(), [
      "Prompt 1",
      `Prompt ${prompts}`,
    ]);
  });

  check("a reader's own machine works as everybody's, whether the server was asked before or not", async () => {
    const index = project.person("index");
    const login = project.loginOf(index);
    await asAdmin(`create role ${login} login; grant ${schema}_reader to ${login}`);
    await team(index, "join", "--name", NAME, "--yes");
    writeFileSync(join(index.project, "README.md"), "# Lamp\n\nThe lamp is blue.\n");
    await using(deciding, (stele) => stele.remember({ content: "The lamp is green at noon." }));
    await using(index, async (stele) => {
      assert.equal((await stele.index({})).documents.added, 1);
      const { degraded } = await stele.recall({ query: "lamp" });
      assert.match(degraded ?? "", /you may only read what the team shares/);
      assert.equal((await stele.index({})).documents.unchanged, 1);
      await stele.remember({ content: "A thought about lamps.", scope: "working" });
      const { embedded, waiting, refusal } = await stele.backfill({});
      assert.ok(embedded > 0);
      assert.equal(waiting === 0, refusal === null);
      await stele.pause({});
      assert.match(resume.render(await stele.resume({})), /hooks still record nothing/);
    });
  });

  check("whoever loses a role while they work is told so in words, and goes on when they have it again", async () => {
    const login = project.loginOf(writing);
    await using(writing, async (stele) => {
      await stele.recall({ query: "anything" });
      await using(deciding, (other) => other.remember({ content: "The beacon is green at noon." }));
      await asAdmin(`revoke ${schema}_writer from ${login}; grant ${schema}_reader to ${login}`);
      const { hits, degraded } = await stele.recall({ query: "when is the beacon green?" });
      assert.equal(hits[0]?.content, "The beacon is green at noon.");
      assert.match(
        degraded ?? "",
        /^[1-9]\d* passages? (?:is|are) not embedded yet/,
        "nothing is embedded that cannot be stored",
      );
      await assert.rejects(stele.remember({ content: "Demoted." }), {
        code: "refused",
        message: /does not allow that/,
      });
      await asAdmin(`revoke ${schema}_reader from ${login}`);
      assert.match((await stele.recall({ query: "beacon" })).degraded ?? "", /server cannot be reached/);
      await assert.rejects(stele.remember({ content: "Nobody." }), {
        code: "unavailable",
        message: /tables .* gone, or you may no longer read them/,
        hint: /--scope working/,
      });
      await asAdmin(`grant ${schema}_writer to ${login}`);
      await until(async () => (await stele.recall({ query: "beacon" })).degraded === null);
      await stele.remember({ content: "The beacon is red at night." });
    });
  });

  check("a role that is granted and not inherited gives no rights: status says so, and searches agree", async () => {
    const [lent, between] = [project.person("lent"), project.person("between")];
    const [login, group] = [project.loginOf(lent), project.loginOf(between)];
    const spool = createSpool(() => spoolFolder(lent.home, join(lent.project, ".git")));
    await asAdmin(`create role ${group} noinherit; grant ${schema}_writer to ${group}; create role ${login} login`);
    await asAdmin(`grant ${group}, ${schema}_reader to ${login}`);
    assert.equal((await team(lent, "join", "--name", NAME, "--yes")).code, 0);
    for (let round = 0; round < 2; round += 1) {
      const { said } = await team(lent, "status");
      assert.match(said, /You are .*, a reader\.[^]*granted the role of a writer, but do not inherit its rights/);
      assert.match(said, new RegExp(`grant ${schema}_writer to ${login} with inherit true`));
      await using(lent, (stele) => stele.recall({ query: "anything" }));
      const pauses = await spool.pauses();
      assert.deepEqual([(await spool.state()).isReader, pauses.length], [true, 1]);
    }
    await asAdmin(`revoke ${schema}_reader from ${login}; grant usage on schema ${schema} to ${login}`);
    await asAdmin(`grant select on all tables in schema ${schema} to ${login}`);
    await team(lent, "leave", "--yes");
    const refused = await team(lent, "join", "--name", NAME, "--yes");
    assert.equal(refused.code, 4, refused.said);
    assert.match(refused.said, /no role in .* whose rights it inherits/);
    await asAdmin(`drop owned by ${login}`);
  });

  check("tables that are not as this version needs them are told in words", async () => {
    const [was] = await asAdmin(`select version from ${schema}.schema_version`);
    await asAdmin(`update ${schema}.schema_version set version = 99`);
    try {
      const { code, said } = await team(deciding, "status");
      assert.deepEqual([code, /schema 99; .*Update Stele/s.test(said)], [5, true], said);
      const wanted = { code: "unavailable", hint: /Update Stele/ };
      await assert.rejects(
        using(deciding, (stele) => stele.remember({ content: "Too new." })),
        wanted,
      );
      assert.match(
        (await using(deciding, (stele) => stele.recall({ query: "beacon" }))).degraded ?? "",
        /server cannot be reached \(`stele team status` says why\)/,
      );
    } finally {
      await asAdmin(`update ${schema}.schema_version set version = ${String(was!["version"])}`);
    }
  });

  check("only who may make roles makes a space, and the others are told how", async () => {
    const { code, said } = await team(writing, "init", "--name", `${NAME}x`, "--yes");
    assert.deepEqual([code, /may not make schemas and roles .*--user postgres/s.test(said)], [4, true], said);
  });

  check("two people push at once, and nothing is lost or twice", async () => {
    const pushing = ["one", "two"].map((name) => project.person(name));
    for (const person of pushing) {
      await asAdmin(
        `create role ${project.loginOf(person)} login; grant ${schema}_writer to ${project.loginOf(person)}`,
      );
      await using(person, async (stele) => {
        for (let number = 1; number <= 5; number += 1)
          await stele.remember({ content: `Thing ${number} of ${person.name}.` });
        await stele.remember({ content: "Both know this." });
      });
    }
    const pushed = await Promise.all(pushing.map((person) => team(person, "push", "--name", NAME, "--yes", "--json")));
    assert.deepEqual(
      pushed.map(({ code }) => code),
      [0, 0],
    );
    const answers = pushed.map(({ said }) => JSON.parse(said) as { inserted: number; conflictCount: number });
    assert.deepEqual(
      answers.map(({ inserted, conflictCount }) => inserted + conflictCount),
      [6, 6],
    );
    const rows = await asAdmin(
      `select content from ${schema}.memory_item where content ~ '^(Thing \\d of|Both know)' order by content`,
    );
    assert.equal(new Set(rows.map(({ content }) => content)).size, 11);
    assert.equal(rows.length, 11);
    const { verification } = await using(deciding, (stele) => stele.audit({ limit: 1, verify: true }));
    assert.equal(verification?.ok, true);
  });

  check("whoever joins as a reader is told so, and leaving lets hooks record again", async () => {
    const guest = project.person("guest");
    await asAdmin(`create role ${project.loginOf(guest)} login; grant ${schema}_reader to ${project.loginOf(guest)}`);
    const joined = await team(guest, "join", "--name", NAME, "--yes");
    assert.match(joined.said, /A reader's sessions are not captured/);
    const spool = spoolFolder(guest.home, join(guest.project, ".git"));
    assert.deepEqual(readdirSync(spool), ["reader"]);
    assert.equal((await team(guest, "leave", "--yes")).code, 0);
    assert.deepEqual(readdirSync(spool), ["reader-pauses"]);
  });
}
