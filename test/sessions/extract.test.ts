import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import type { Item } from "../../src/memory/item.ts";
import type { Llm } from "../../src/ports.ts";
import { extract, extractHistory } from "../../src/sessions/extract.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { CAUSE, OPEN, sayingModel } from "./saying-model.ts";
import { appendLines, claudeLines, FIXED_LOGIN, type Saying, writeTranscript } from "./transcript.ts";

const STATUSES = ["active", "archived", "superseded", "pending"] as const;

const listed = async (world: TestWorld, shelf: "memory" | "evidence" | "proposal" = "memory"): Promise<Item[]> =>
  (await world.project.list(shelf, { statuses: STATUSES, now: 0 }, { limit: 100, offset: 0 })).items;

/** A session that is still running when the clock of the world starts. */
async function withTranscript(sayings: readonly Saying[] = FIXED_LOGIN, llm?: Llm) {
  const world = await testWorld(llm ? { llm } : {});
  const path = join(world.folder, "s1.jsonl");
  const lines = claudeLines(sayings);
  writeTranscript(path, lines);
  return { world, path, lines };
}

const textsOf = (items: readonly Item[]): string[] => items.map(({ content }) => content).toSorted();

describe("a transcript", () => {
  test("gives evidence, once", async () => {
    const { world, path } = await withTranscript();
    const first = await extract({ path, isEnded: false }, world);
    assert.deepEqual([first.error, first.evidence, first.isOpen], [null, 1, true]);
    const last = await extract({ path, isEnded: true }, world);
    assert.deepEqual([last.memories, last.proposals, last.evidence, last.isOpen], [[], [], 1, false]);
    const again = await extract({ path, isEnded: true }, world);
    assert.deepEqual([again.memories, again.proposals, again.evidence], [[], [], 0]);
    const items = await listed(world, "evidence");
    assert.equal(items.length, 2);
    for (const { source, session, host, scope, context } of items) {
      const known = [source, session, host, scope, context.branch];
      assert.deepEqual(known, ["extraction", "s1", "claude-code", "project", "main"]);
    }
    assert.deepEqual(await listed(world), []);
  });

  test("gives what a configured model says of it at the end of the work, resting on the evidence", async () => {
    const model = sayingModel(CAUSE, OPEN);
    const { world, path } = await withTranscript(FIXED_LOGIN, model);
    assert.deepEqual((await extract({ path, isEnded: false }, world)).memories, []);
    const { memories } = await extract({ path, isEnded: true }, world);
    assert.deepEqual((await extract({ path, isEnded: true }, world)).memories, []);
    assert.equal(model.asked.length, 1, "the whole stretch at once");
    const items = await world.project.items("memory", memories);
    assert.deepEqual(textsOf(items), [CAUSE.content, OPEN.content].toSorted());
    const evidence = await world.project.evidenceOf("s1");
    for (const { source, session, host, scope, details, context } of items) {
      const known = [source, session, host, scope, context.branch];
      assert.deepEqual(known, ["extraction", "s1", "claude-code", "project", "main"]);
      assert.deepEqual(details["evidence"], evidence);
    }
  });

  test("names the newest commit if its work has just ended, and none if it ended long ago", async () => {
    for (const [minutes, expected] of [
      [10, ["c".repeat(40)]],
      [600, []],
    ] as const) {
      const { world, path } = await withTranscript(FIXED_LOGIN, sayingModel(CAUSE));
      world.clock.time = Date.UTC(2026, 0, 15, 9, minutes);
      const place = { ...world.place, commit: () => "c".repeat(40) };
      const { memories } = await extract({ path, isEnded: true }, { ...world, place });
      const items = await world.project.items("memory", memories);
      assert.ok(items.length > 0 && items.every(({ context }) => context.commits.join() === expected.join()));
    }
  });

  test("that grows is read from where it was left", async () => {
    const { world, path, lines } = await withTranscript();
    const whole = await testWorld();
    await extract({ path, isEnded: true }, whole);
    writeTranscript(path, lines.slice(0, 3));
    const before = await extract({ path, isEnded: false }, world);
    assert.deepEqual([before.memories, before.isOpen, before.checkpoint?.lines], [[], true, 3]);
    for (const line of lines.slice(3)) {
      appendLines(path, [line]);
      await extract({ path, isEnded: false }, world);
    }
    await extract({ path, isEnded: true }, world);
    for (const shelf of ["memory", "evidence", "proposal"] as const)
      assert.deepEqual(textsOf(await listed(world, shelf)), textsOf(await listed(whole, shelf)), shelf);
  });

  test("is read with its last line once it is over, though that has no line end", async () => {
    const { world, path, lines } = await withTranscript(FIXED_LOGIN.slice(0, -1));
    const whole = await testWorld();
    await extract({ path, isEnded: true }, whole);
    writeFileSync(path, lines.join("\n"));
    const growing = await extract({ path, isEnded: false }, world);
    assert.equal(growing.checkpoint?.lines, lines.length - 1, "it may still be growing");
    const over = await extract({ path, isEnded: true }, world);
    assert.deepEqual([over.checkpoint?.lines, over.skippedLines], [lines.length, 0]);
    for (const shelf of ["memory", "evidence"] as const)
      assert.deepEqual(textsOf(await listed(world, shelf)), textsOf(await listed(whole, shelf)), shelf);
    const more = claudeLines([{ prompt: "One more thing", minute: 5 }, { reply: "Done at last." }]);
    writeFileSync(path, [...lines, ...more].join("\n"));
    const resumed = await extract({ path, isEnded: true }, world);
    assert.deepEqual([resumed.checkpoint?.lines, resumed.evidence], [lines.length + 2, 1]);
  });

  test("read by several at once is taken in once", async () => {
    const { world, path } = await withTranscript();
    const all = await Promise.all(Array.from({ length: 4 }, () => extract({ path, isEnded: true }, world)));
    assert.deepEqual(
      all.map(({ error }) => error),
      all.map(() => null),
    );
    assert.equal(all.reduce((sum, { evidence }) => sum + evidence, 0), 2); // prettier-ignore
    assert.equal((await listed(world, "evidence")).length, 2);
  });

  test("ends by itself half an hour after its last words, however new the file is", async () => {
    const { world, path, lines } = await withTranscript(FIXED_LOGIN.slice(0, -1), sayingModel(CAUSE));
    const { timestamp } = JSON.parse(lines.at(-1)!) as { timestamp: string };
    world.clock.time = Date.parse(timestamp) + 29 * 60_000;
    assert.equal((await extract({ path }, world)).isOpen, true);
    world.clock.time += 2 * 60_000;
    assert.equal((await extract({ path, isEnded: false }, world)).isOpen, true, "its host knows better");
    const { memories, isOpen } = await extract({ path }, world);
    assert.ok(memories.length > 0);
    assert.equal(isOpen, false);
  });

  test("that does not say when anything was said ends when nothing was written for half an hour", async () => {
    const { world, path, lines } = await withTranscript(FIXED_LOGIN.slice(0, -1));
    writeTranscript(
      path,
      lines.map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: undefined })),
    );
    world.clock.time = Date.now();
    assert.equal((await extract({ path }, world)).isOpen, true);
    world.clock.time += 31 * 60_000;
    assert.equal((await extract({ path }, world)).isOpen, false);
  });

  test("that is missing, unreadable or something else is an error in the answer", async () => {
    const { world, path } = await withTranscript();
    const missing = await extract({ path: join(world.folder, "none.jsonl") }, world);
    assert.match(missing.error!, /There is no transcript/);
    assert.match((await extract({ path: world.folder }, world)).error!, /is not a regular file/);
    writeTranscript(path, ["# Notes", "not a transcript"]);
    assert.match((await extract({ path }, world)).error!, /is not a transcript of Claude Code or Codex/);
    assert.deepEqual(await listed(world, "evidence"), []);
  });

  test("with lines that cannot be read is read around them, and they are counted", async () => {
    const { world, path, lines } = await withTranscript();
    writeTranscript(
      path,
      [lines[0]!, "{broken", ...lines.slice(1), "[]", '{"type":"user"'].flatMap((line) => [line]),
    );
    const { skippedLines, evidence, error } = await extract({ path, isEnded: true }, world);
    assert.deepEqual([error, evidence], [null, 2]);
    assert.ok(skippedLines >= 2, `${skippedLines}`);
  });

  test("is captured around texts that no store takes", async () => {
    const odd = ["half an emoji \ud83d", "a\0b", "\ufffd\ufffd\ufffd\u0001\u0002", "\u200b", `${"x".repeat(31_999)}😀`];
    const sayings = odd.flatMap((text) => [
      ...[{ prompt: text }, { reply: text }],
      { command: "cat a", result: text, isError: true },
    ]);
    const { world, path } = await withTranscript([...sayings, ...FIXED_LOGIN]);
    assert.equal((await extract({ path, isEnded: true }, world)).error, null);
    const kept = await listed(world, "evidence");
    assert.deepEqual(
      FIXED_LOGIN.filter(({ prompt }) => prompt && !kept.some(({ content }) => content.includes(prompt))),
      [],
    );
    assert.deepEqual(
      kept.filter(({ content }) => !content.isWellFormed() || content.includes("\0")),
      [],
    );
  });

  test("leaves no secret anywhere", async () => {
    const secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const { world, path } = await withTranscript([
      { prompt: `The root cause is the token ${secret} in .env; never commit it again.` },
      { command: `curl -H "Authorization: Bearer ${secret}"`, result: `401 for ${secret}`, isError: true },
      { reply: `The problem is that ${secret} has expired, because tokens last 90 days.` },
    ]);
    await extract({ path, isEnded: false }, world);
    const state = JSON.stringify(await world.project.checkpoint(path));
    assert.ok(!state.includes(secret), "not in what is carried over");
    await extract({ path, isEnded: true }, world);
    const kept = [...(await listed(world)), ...(await listed(world, "evidence"))];
    assert.ok(kept.length > 0);
    assert.ok(!JSON.stringify(kept).includes(secret));
  });

  test("is kept as evidence only up to the size that the settings allow", async () => {
    const { world, path } = await withTranscript(FIXED_LOGIN, sayingModel(CAUSE));
    const isEvidenceBelow = async (bytes: number) => bytes > 256_000_000;
    const full = { ...world, project: { ...world.project, isEvidenceBelow } };
    const nothing = await extract({ path, isEnded: true }, full);
    assert.equal(nothing.evidence, 0);
    assert.ok(nothing.memories.length > 0, "what the model says is kept all the same");
    const other = await withTranscript();
    assert.equal((await extract({ path: other.path, isEnded: true }, other.world)).evidence, 2);
  });

  test("that grows while it is read is read once", async () => {
    const { world, path, lines } = await withTranscript();
    const find = async (name: string) => {
      const found = await world.transcripts.find(name);
      appendLines(path, claudeLines([{ prompt: "one more thing" }, { reply: "done at last" }]));
      return found;
    };
    const { error, evidence } = await extract({ path, isEnded: true }, { ...world, transcripts: { ...world.transcripts, find } }); // prettier-ignore
    assert.deepEqual([error, evidence], [null, 3]);
    assert.equal((await world.project.checkpoint(path))!.lines, lines.length + 2);
  });

  test("that was rewritten is read again from its beginning", async () => {
    const { world, path, lines } = await withTranscript();
    await extract({ path, isEnded: true }, world);
    writeTranscript(path, [...claudeLines([{ prompt: "before all that" }, { reply: "something else" }]), ...lines]);
    const { error, evidence } = await extract({ path, isEnded: true }, world);
    assert.deepEqual([error, evidence], [null, 1], "only the new turn is new");
    assert.equal((await world.project.checkpoint(path))!.lines, lines.length + 2);
    writeTranscript(path, lines.slice(0, 2));
    assert.equal((await extract({ path, isEnded: true }, world)).error, null);
    assert.equal((await world.project.checkpoint(path))!.lines, 2);
  });

  test("is not read where capture was paused, also not later", async () => {
    const { world, path } = await withTranscript([
      { prompt: "before", minute: 0 },
      { prompt: "SAID WHILE PAUSED", minute: 20 },
      { reply: "I never use that, because it was PAUSED", minute: 21 },
      { prompt: "after", minute: 40 },
    ]);
    const start = Date.UTC(2026, 0, 15, 9);
    await world.spool.pause(start + 10 * 60_000);
    world.clock.time = start + 90 * 60_000;
    await extract({ path, isEnded: false }, world);
    await world.spool.resume(start + 30 * 60_000);
    await extract({ path, isEnded: true }, world);
    const kept = JSON.stringify([await listed(world), await listed(world, "evidence")]);
    assert.ok(kept.includes("before") && !kept.includes("PAUSED"), kept);
    const other = await testWorld({ folder: world.folder });
    other.clock.time = world.clock.time;
    await other.project.apply([{ kind: "drop_checkpoints", transcripts: [path] }], other.origin);
    await extract({ path, isEnded: true }, other);
    const again = JSON.stringify([await listed(other), await listed(other, "evidence")]);
    assert.ok(again.includes("after") && !again.includes("PAUSED"), again);
  });

  test("leaves no secret in names, and no half of one where a text is cut", async () => {
    const secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const long = `${"x ".repeat(1_980)}\n${"y".repeat(10)} ${secret} error: bad credentials\n${"z ".repeat(985)}`;
    const { world, path } = await withTranscript([
      { prompt: "The push fails, find the cause.", branch: `fix/${secret}` },
      { command: "git push", result: long, isError: true, branch: `fix/${secret}` },
      { reply: "The root cause is that the credentials of the runner have expired.", branch: `fix/${secret}` },
    ]);
    const lines = claudeLines([{ prompt: "more" }], `session-${secret}`);
    appendLines(path, lines);
    await extract({ path, isEnded: false }, world);
    const state = JSON.stringify(await world.project.checkpoint(path));
    await extract({ path, isEnded: true }, world);
    const all = state + JSON.stringify([await listed(world), await listed(world, "evidence")]);
    for (const half of [secret, secret.slice(0, 20), secret.slice(-20)]) assert.ok(!all.includes(half), half);
  });

  test("does not repeat what a model said of an earlier one", async () => {
    const { world, path } = await withTranscript(FIXED_LOGIN, sayingModel(CAUSE));
    assert.equal((await extract({ path, isEnded: true }, world)).memories.length, 1);
    const second = join(world.folder, "s2.jsonl");
    writeTranscript(second, claudeLines([{ prompt: "And now?", minute: 90 }, { reply: "The same." }], "s2"));
    assert.deepEqual((await extract({ path: second, isEnded: true }, world)).memories, []);
    assert.equal((await listed(world)).length, 1);
  });

  test("is only looked at by a dry run", async () => {
    const { world, path } = await withTranscript();
    const { evidence } = await extract({ path, isEnded: true }, dryRunWorld(world).world);
    assert.equal(evidence, 2);
    assert.deepEqual([await listed(world, "evidence"), await world.project.sessionCards({ limit: 9 })], [[], []]);
  });
});

describe("the history of a project", () => {
  test("is read newest first, within its bound, and resumed", async () => {
    const world = await testWorld();
    const at = (name: string) => join(world.folder, "claude", "projects", "-project", `${name}.jsonl`);
    for (const name of ["a", "b", "c"])
      writeTranscript(at(name), claudeLines([{ prompt: `work on ${name}` }, { reply: `done with ${name}` }], name));
    world.clock.time = Date.now() + 3_600_000;
    const first = await extractHistory({ limit: 2 }, world);
    assert.deepEqual([first.sessions, first.left, first.evidence, first.error], [2, 1, 2, null]);
    const rest = await extractHistory({ limit: 2 }, world);
    assert.deepEqual([rest.sessions, rest.left, rest.evidence], [1, 0, 1], "what was read needs no second look");
    writeFileSync(at("d"), claudeLines([{ prompt: "work on d" }], "d").join(""));
    const last = await extractHistory({ limit: 2 }, world);
    assert.deepEqual([last.sessions, last.evidence], [1, 1], "a single line without a line end");
    assert.equal((await extractHistory({ limit: 2 }, world)).sessions, 0);
    appendLines(at("a"), claudeLines([{ prompt: "and more" }, { reply: "done again" }], "a"));
    const again = await extractHistory({ limit: 2 }, world);
    assert.deepEqual([again.sessions, again.left, again.evidence], [1, 0, 1]);
  });
});
