/** What `redact` asks and tells: where and by which rule, never what. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextOf } from "../../src/memory/authorship.ts";
import { branchOf } from "../../src/redaction/branch.ts";
import redact from "../../src/redaction/verbs/redact.ts";
import { keep, testWorld } from "../test-world.ts";

const secret = `gh${"p_"}q7Zk2mPx9RtB4wLd8NcV3yHf6JgS1uEa5TbM`;

test("a person is asked only if there is something, and never shown a secret", async () => {
  const world = await testWorld();
  assert.equal(await redact.question?.({}, world), null);
  const { id } = await keep(world, "deploy on Fridays");
  const content = `deploy with ${secret}`;
  await world.project.apply(
    [
      {
        kind: "revise_item",
        shelf: "memory",
        id,
        expectedVersion: 1,
        set: { content, summary: content },
        passages: null,
        embed: false,
      },
    ],
    world.origin,
  );
  const question = (await redact.question?.({}, world))!;
  assert.match(question.message, /^Take 1 secret out of 1 item or record permanently/);
  assert.match(question.message, /memory: github-token, 1/);
  const done = await redact.run({}, world, { values: { redact: true }, about: question.about! });
  assert.deepEqual(
    [done.status, done.items, done.secrets, done.findings],
    ["redacted", 1, 1, [{ shelf: "memory", id, rule: "github-token", count: 1 }]],
  );
  for (const text of [question.message, redact.render(done), redact.renderDryRun!(done) ?? "", JSON.stringify(done)])
    assert.ok(!text.includes(secret.slice(4)), text);
  assert.equal((await world.project.items("memory", [id]))[0]?.content, "deploy with [redacted:github-token]");
  assert.match(redact.render(await redact.run({}, world, null)), /^Nothing stored holds a secret/);
});

test("a person is asked about backups that older rules made, also where the stores hold nothing", async () => {
  const world = await testWorld();
  const older = [{ kind: "note_redaction" as const, rules: "older" }];
  await world.project.apply(older, world.origin);
  await world.global.apply(older, world.origin);
  await world.backups.take("asked");
  const question = (await redact.question?.({}, world))!;
  assert.match(question.message, /^Take whatever today's rules call a secret out of 2 copies in backups permanently\?/);
  const done = await redact.run({}, world, { values: { redact: true }, about: question.about! });
  assert.deepEqual([done.status, done.backups], ["clean", 0]);
  assert.equal(await redact.question?.({}, world), null);
});

test("the name of a branch is stored and shown without secrets", async () => {
  const world = await testWorld({ branch: `fix/${secret}` });
  assert.equal(contextOf(world).context.branch, "fix/[redacted:github-token]");
  assert.equal(await branchOf(world), "fix/[redacted:github-token]");
  for (const branch of ["main", "feature/login-page", "release/2.14.0", "dependabot/npm_and_yarn/zod-4.1.12"])
    assert.equal(await branchOf(await testWorld({ branch })), branch);
});
