/** The library: its failures, and what is left after closing. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type OpenWorld, closeInTurn, openWorld } from "../src/app/compose.ts";
import { Failure, type FailureCode, open, type Stele } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-library-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const openHere = (home: string): Promise<Stele> =>
  open({ home: join(folder, home), project: folder, settings: { embedder: { provider: "hash" } } });

function failsWith(code: FailureCode, message: RegExp): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof Failure && thrown.code === code && message.test(thrown.message);
}

test("after closing every call is refused as such, and closing twice is closing once", async () => {
  const stele = await openHere("closed");
  await stele.remember({ content: "Tests run with pnpm" });
  await Promise.all([stele.close(), stele.close()]);
  const closed = failsWith("unavailable", /closed/);
  await assert.rejects(stele.recall({ query: "tests" }), closed);
  await assert.rejects(stele.dryRun("remember", { content: "a" }), closed);
  await assert.rejects(stele.get({ id: "x" }), closed);
});

test("a call that is closed under fails as closed or answers, never with what the database threw", async () => {
  const stele = await openHere("under");
  const calls = Array.from({ length: 20 }, (_, index) => stele.remember({ content: `Fact number ${index}` }));
  const closing = stele.close();
  for (const { status, ...rest } of await Promise.allSettled(calls)) {
    if (status === "rejected") assert.ok(failsWith("unavailable", /closed/)((rest as { reason: unknown }).reason));
  }
  await closing;
});

test("a data folder that lies in the project, and in the notes, is no part of them", async () => {
  const project = join(folder, "around");
  const home = join(project, ".data", "stele");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(project, "a.md"), "# Walrus\n");
  writeFileSync(join(home, "b.md"), "# Seal\n");
  const settings = { embedder: { provider: "hash" }, notes: { folder: ".data" } };
  const stele = await open({ home, project, settings });
  const { documents, notes, skipped } = await stele.index({});
  await stele.close();
  assert.deepEqual([documents.added, notes?.added, skipped], [1, 0, []]);
});

test("a notes folder of the project that a link leads out of it is not read, even when the link comes later", async () => {
  const top = join(folder, "linked");
  const project = join(top, "clone");
  mkdirSync(join(project, "docs/own"), { recursive: true });
  mkdirSync(join(top, "private"));
  writeFileSync(join(top, "private/secret.md"), "# Walrus\n\nThe walrus is private.\n");
  writeFileSync(join(project, "docs/own/seal.md"), "# Seal\n\nThe seal is public.\n");
  const openNotes = (home: string, notes: string) =>
    open({ home: join(top, home), project, settings: { embedder: { provider: "hash" }, notes: { folder: notes } } });
  const titles = async (stele: Stele) => (await stele.list({})).items.map(({ title }) => title);

  const stele = await openNotes("early", "notes");
  symlinkSync(join(top, "private"), join(project, "notes"));
  const early = await stele.index({});
  assert.deepEqual(await titles(stele), []);
  assert.match(early.skipped.find(({ path }) => path.endsWith("/notes"))?.reason ?? "", /leads out of the project/);
  await stele.close();

  const later = await openNotes("late", "notes");
  assert.deepEqual((await later.recall({ query: "walrus" })).hits, []);
  await later.close();

  rmSync(join(project, "notes"));
  symlinkSync("docs/own", join(project, "notes"));
  const inside = await openNotes("inside", "notes");
  await inside.index({});
  assert.deepEqual(await titles(inside), ["Seal"]);
  await inside.close();

  // Naming a folder elsewhere is up to the person whose settings these are.
  const absolute = await openNotes("absolute", join(top, "private"));
  await absolute.index({});
  assert.deepEqual(await titles(absolute), ["Walrus"]);
  await absolute.close();
});

test("projects that one process has open share one model, until the last is closed", async () => {
  const home = join(folder, "model");
  const settings = { embedder: { provider: "minilm" } };
  const worlds = ["one", "two"].map((name) => {
    const project = join(folder, name);
    mkdirSync(project);
    return openWorld({ host: "test", home, project, settings });
  });
  const [one, two] = (await Promise.all(worlds)) as [OpenWorld, OpenWorld];
  const loading = one.world.embedder.load().catch(() => undefined);
  assert.notEqual(two.world.embedder.state(), "cold");
  await one.close();
  await loading;
  assert.equal(one.world.embedder.state(), "absent");
  assert.match(two.world.embedder.state(), /loading|ready/);
  await two.close();
  assert.equal(two.world.embedder.state(), "absent");
});

test("what cannot be opened is a failure too", async () => {
  writeFileSync(join(folder, "file"), "no folder");
  await assert.rejects(openHere("file/below"), (thrown) => thrown instanceof Failure);
  await assert.rejects(open({ project: join(folder, "nowhere") }), failsWith("invalid_input", /no folder/));
});

test("what a part of the world throws is a failure too", async () => {
  let broken = false;
  const now = () => {
    if (broken) throw new RangeError("no time");
    return Date.UTC(2026, 0, 15);
  };
  const settings = { embedder: { provider: "hash" } };
  const stele = await open({ home: join(folder, "clock"), project: folder, clock: { now }, settings });
  broken = true;
  await assert.rejects(stele.remember({ content: "a" }), failsWith("internal", /no time/));
  broken = false;
  await stele.close();
});

test("everything is closed, whatever failed before it, and the first failure is told", async () => {
  const closed: string[] = [];
  const closer = (name: string, message?: string) => async () => {
    closed.push(name);
    if (message) throw new Error(message);
  };
  await assert.rejects(
    closeInTurn([closer("afterwards"), closer("embedder", "stuck"), closer("project", "locked"), closer("global")]),
    /stuck/,
  );
  assert.deepEqual(closed, ["afterwards", "embedder", "project", "global"]);
  await closeInTurn([closer("once more")]);
});
