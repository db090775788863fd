/** Decision records from real files: what becomes a proposal, what follows what, and what is left out. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import evidence from "../../src/decisions/verbs/evidence.ts";
import importAdr from "../../src/decisions/verbs/import-adr.ts";
import proposals from "../../src/decisions/verbs/proposals.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { zoneNamed } from "../../src/time/calendar.ts";
import { temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { held, settle } from "./decision-steps.ts";

const record = (title: string, status: string, decision: string, date = "2025-03-01") =>
  `# ${title}\n\nDate: ${date}\n\n## Status\n\n${status}\n\n## Context\n\nWe must choose.\n\n## Decision\n\n${decision}\n`;

const FILES: Record<string, string> = {
  "0001-use-postgres.md": record("1. Use Postgres", "Superseded by [ADR-3](0003-use-sqlite.md)", "We use Postgres."),
  "0002-no-orm.md": record("2. No ORM", "Rejected", "We write SQL by hand."),
  // Many files lack the last line's end.
  "0003-use-sqlite.md": record("3. Use SQLite", "Accepted", "We use SQLite.", "2025-06-01").trimEnd(),
  "README.md": "# Decisions\n\nA list.\n",
  "notes.txt": "not looked at",
};

async function worldWith(files: Record<string, string | Buffer>): Promise<{ world: TestWorld; folder: string }> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "adr"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "adr", name), text);
  return { world: await testWorld({ folder }), folder: join(folder, "adr") };
}

const take = async (world: TestWorld, path = "adr") => (await dispatch(importAdr, { path }, world)).answer;
const listed = async (world: TestWorld, status: string[]) =>
  (await dispatch(proposals, { status }, world)).answer.items;

test("records become proposals with their file as evidence; a rejected one stays rejected; the rest is left out", async () => {
  const { world, folder } = await worldWith(FILES);
  const { items, skipped, call } = await take(world);
  assert.deepEqual(
    items.map(({ path, subject, recorded, status }) => [
      path.slice(folder.length + 1, folder.length + 5),
      subject,
      recorded,
      status,
    ]),
    [
      ["0001", "Use Postgres", "superseded", "proposed"],
      ["0002", "No ORM", "rejected", "rejected"],
      ["0003", "Use SQLite", "accepted", "proposed"],
    ],
  );
  assert.deepEqual(
    skipped.map(({ path }) => path),
    [join(folder, "README.md")],
  );
  const [older, turnedDown, newer] = items;
  const pending = await listed(world, ["pending"]);
  const proposal = pending.find(({ id }) => id === newer!.id)!;
  assert.deepEqual(
    [proposal.decision, proposal.supersedes, proposal.validFrom],
    ["We use SQLite.", [older!.id], "2025-06-01T00:00:00.000Z"],
  );
  const { answer: said } = await dispatch(evidence, { id: proposal.evidence[0]! }, world);
  assert.deepEqual([said.text, said.title], [FILES["0003-use-sqlite.md"], "0003-use-sqlite.md"]);
  const [rejected] = await listed(world, ["rejected"]);
  assert.deepEqual([rejected?.id, rejected?.reason], [turnedDown!.id, "the record's status is rejected"]);
  await dispatch(rollback, { call: call! }, world);
  assert.deepEqual(await listed(world, ["pending", "rejected"]), []);
  await assert.rejects(dispatch(evidence, { id: said.id }, world), { code: "not_found" });
});

test("the date of a record is that day by the person's clock", async () => {
  const { world } = await worldWith({ "1-a.md": record("1. Use tea", "Accepted", "We drink tea.", "2025-06-01") });
  await take({ ...world, zone: zoneNamed("America/Los_Angeles")! });
  const [proposal] = await listed(world, ["pending"]);
  assert.equal(proposal?.validFrom, "2025-06-01T07:00:00.000Z");
});

test("ratified in their order, imported records hold when they say they did", async () => {
  const { world } = await worldWith(FILES);
  const [older, , newer] = (await take(world)).items;
  await assert.rejects(settle(world, newer!.id), { code: "conflict", message: /is still pending/ });
  await settle(world, older!.id);
  assert.deepEqual((await settle(world, newer!.id)).superseded, [older!.id]);
  const at = async (time: string) => (await held(world, undefined, { at: time })).map(({ id }) => id);
  assert.deepEqual([await at("2025-04-01"), await at("2025-07-01")], [[older!.id], [newer!.id]]);
});

test("what was imported is known, whatever became of it; what changed since is another proposal", async () => {
  const { world, folder } = await worldWith(FILES);
  const { items } = await take(world);
  await settle(world, items[0]!.id);
  const again = await take(world);
  assert.deepEqual(
    again.items.map(({ id, status }) => [id, status]),
    items.map(({ id }) => [id, "known"]),
  );
  assert.equal(again.call, null);
  writeFileSync(join(folder, "0001-use-postgres.md"), record("1. Use Postgres", "Accepted", "We use Postgres 16."));
  const [changed] = (await take(world)).items;
  assert.ok(changed?.status === "proposed" && changed.id !== items[0]?.id);
});

test("one file, a twin, a file that is no text, a link, and no file at all", async () => {
  const { world, folder } = await worldWith({
    "0001-a.md": record("1. Cache", "Accepted", "We cache in Redis."),
    "0002-b.md": record("2. Store", "Accepted", "We cache in Redis."),
    "0003-c.md": Buffer.from([0xff, 0xfe, 0x00, 0x01]),
    "0004-d.md": "x".repeat(1_048_577),
  });
  symlinkSync(join(folder, "0001-a.md"), join(folder, "0005-e.md"));
  const { items, skipped } = await take(world);
  assert.equal(items.length, 1);
  const reasons: [name: string, reason: RegExp][] = [
    ["0002-b.md", /^decides the same as 0001-a\.md$/],
    ["0003-c.md", /is not valid UTF-8/],
    ["0004-d.md", /is too large/],
    ["0005-e.md", /0005-e\.md/],
  ];
  assert.equal(skipped.length, reasons.length);
  for (const [index, [name, reason]] of reasons.entries()) {
    assert.equal(skipped[index]?.path, join(folder, name));
    assert.match(skipped[index].reason, reason);
  }
  assert.equal((await take(world, "adr/0001-a.md")).items[0]?.status, "known");
  await assert.rejects(take(world, "adr/nowhere.md"), { code: "not_found" });
});

test("what records relate to is tied when both hold, in whichever order a person ratifies them", async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { world } = await worldWith({
      "0001-use-postgres.md": record("1. Use Postgres", "Accepted", "We use Postgres."),
      "0002-pool.md": record(
        "2. Connection pool",
        "Accepted\n\nAmends [1. Use Postgres](0001-use-postgres.md)",
        "A pool of ten.",
      ),
    });
    const { items } = await take(world);
    const [first, second] = [items[0]!, items[1]!];
    const waiting = await listed(world, ["pending"]);
    assert.deepEqual(waiting.find(({ id }) => id === second.id)?.relates, [first.id]);
    for (const index of order) await settle(world, items[index]!.id);
    const edges = await world.project.walkEdges("decision", { after: null, limit: 9 });
    assert.deepEqual(
      edges.map(({ source, target, relation }) => [relation, [source, target].toSorted()]),
      [["relates_to", [first.id, second.id].toSorted()]],
    );
    assert.deepEqual(
      (await held(world, "Connection pool")).map(({ id }) => id),
      [second.id, first.id],
    );
  }
});

test("what was superseded elsewhere, or is no longer meant, does not wait; the question tells what the record says", async () => {
  const { world } = await worldWith({
    "0001-a.md": record("1. Use Postgres", "Superseded by ADR-9", "We use Postgres."),
    "0002-b.md": record("2. Use Redis", "Deprecated", "We use Redis."),
    "0003-c.md": record("3. Use SQLite", "Proposed", "We use SQLite."),
  });
  const { items } = await take(world);
  assert.deepEqual(
    items.map(({ status }) => status),
    ["rejected", "rejected", "proposed"],
  );
  const { asked } = await settle(world, items[2]!.id);
  assert.match(asked[0]!, /\nStatus in the record: proposed\.\n/);
});

test("secrets in a record's text or name are not kept, and what was taken out is told", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const { world } = await worldWith({
    [`0001-${secret}.md`]: record("1. Use a token", "Accepted", "We use a token.") + `\n## Notes\n\n${secret}\n`,
  });
  const { redactions } = await take(world);
  assert.ok(redactions.length > 0);
  for (const shelf of ["proposal", "evidence"] as const) {
    const kept = await world.project.walk(shelf, { after: null, limit: 10 });
    assert.ok(kept.length > 0 && !JSON.stringify(kept).includes(secret), shelf);
  }
});
