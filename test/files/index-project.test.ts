/** Indexing real files: what is taken in, what is left alone, and what a broken file harms. */
import assert from "node:assert/strict";
import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createProjectFiles } from "../../src/files/disk/project-files.ts";
import { freshen } from "../../src/files/freshen.ts";
import { indexProject } from "../../src/files/index-project.ts";
import { createParser } from "../../src/files/parse/pool.ts";
import { searchCode } from "../../src/files/search-code.ts";
import { CHANGED } from "../../src/files/skip-rules.ts";
import type { World } from "../../src/world.ts";
import { type CorpusWorld, corpusWorld } from "./corpus-steps.ts";

const counts = (added: number, updated: number, removed: number, unchanged: number) => ({
  added,
  updated,
  removed,
  unchanged,
});

const WALRUS = "/** Dives deep. */\nexport function walrusDive(depth: number): number {\n  return depth * 2;\n}\n";

test("documents and code are taken in once; what changes is taken in again, what goes goes", async () => {
  const world = await corpusWorld({
    "README.md": "# Walrus\n\nSee [the guide](docs/guide.md).\n",
    "docs/guide.md": "# Guide\n\nHow to dive.\n",
    "src/walrus.ts": WALRUS,
    "notes.xyz": "unknown kinds are text\n",
  });
  const first = await world.index();
  assert.deepEqual([first.documents, first.code, first.skipped], [counts(2, 0, 0, 0), counts(2, 0, 0, 0), []]);
  assert.deepEqual(await world.paths("document"), ["README.md", "docs/guide.md"]);
  const again = await world.index();
  assert.deepEqual([again.documents, again.code], [counts(0, 0, 0, 2), counts(0, 0, 0, 2)]);
  const before = (await world.project.fileAt("code", "src/walrus.ts"))!;
  world.write("src/walrus.ts", WALRUS.replace("depth * 2", "depth * 3"));
  world.remove("notes.xyz");
  const third = await world.index();
  assert.deepEqual([third.documents, third.code], [counts(0, 0, 0, 2), counts(0, 1, 1, 0)]);
  const after = (await world.project.fileAt("code", "src/walrus.ts"))!;
  assert.deepEqual([after.id, after.createdAt, after.version], [before.id, before.createdAt, 2]);
  assert.match(after.content, /depth \* 3/);
  assert.deepEqual(await world.paths("code"), ["src/walrus.ts"]);
});

test("a rename keeps the item; a file that was only written again is left alone", async () => {
  const world = await corpusWorld({ "src/walrus.ts": WALRUS, "src/other.ts": "export const other = 1;\n" });
  await world.index();
  const before = (await world.project.fileAt("code", "src/walrus.ts"))!;
  world.rename("src/walrus.ts", "src/seal.ts");
  world.write("src/other.ts", "export const other = 1;\n");
  const { code } = await world.index();
  assert.deepEqual(code, counts(0, 1, 0, 1));
  const after = (await world.project.fileAt("code", "src/seal.ts"))!;
  assert.deepEqual([after.id, after.title], [before.id, "src/seal.ts"]);
  assert.deepEqual(
    (await world.project.fileStates()).map(({ path }) => path),
    ["src/other.ts", "src/seal.ts"],
  );
});

test("labels and types follow the rules, and a changed rule cuts nothing anew", async () => {
  const rules = [{ glob: "docs/how/**", label: "howto", docType: "procedural" as const }];
  const files = { "docs/how/a.md": "# A\n\nwalrus\n", "docs/adr/b.md": "# B\n\nseal\n", "README.md": "# R\n" };
  const world = await corpusWorld(files);
  const kinds = async () =>
    Promise.all(
      Object.keys(files).map(async (path) => {
        const { label, type, version } = (await world.project.fileAt("document", path))!;
        return [label, type, version];
      }),
    );
  await world.index();
  assert.deepEqual(await kinds(), [
    ["doc", "semantic", 1],
    ["adr", "semantic", 1],
    ["readme", "semantic", 1],
  ]);
  const passages = async () =>
    (await world.project.walk("document", { after: null, limit: 9 })).map((one) => one.passages);
  const cut = await passages();
  const ruled = { ...world, settings: { ...world.settings, labels: { rules } } };
  world.clock.time += 10_000;
  assert.deepEqual((await indexProject({}, ruled))?.documents, counts(0, 0, 0, 3));
  assert.deepEqual((await kinds())[0], ["howto", "procedural", 2]);
  assert.deepEqual(await passages(), cut);
});

test("what cannot be read is named with the reason, and harms nothing else", async () => {
  const world = await corpusWorld({
    "good.ts": WALRUS,
    "latin.ts": Buffer.from([0x2f, 0x2f, 0x20, 0xe9, 0xe8, 0x0a]),
    "image.png": Buffer.from([0x89, 0x50, 0, 0]),
    "large.ts": "x".repeat(1_048_577),
    "package-lock.json": "{}",
    "odd.md": "# A\n\n[[[[[[ ``` <pre> - - - > > >\n".repeat(50),
    "broken.ts": "export function ( { } class ;;; ` ${ \n".repeat(50),
    ".gitignore": "ignored/\n",
    "ignored/a.ts": WALRUS,
  });
  symlinkSync(".", join(world.files.resolve("project"), "loop"));
  const { skipped } = await world.index();
  const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]));
  assert.deepEqual(Object.keys(reasons), ["image.png", "large.ts", "latin.ts", "loop", "package-lock.json"]);
  assert.match(reasons["large.ts"]!, /larger/);
  assert.deepEqual(await world.paths("document"), ["odd.md"]);
  assert.deepEqual(await world.paths("code"), [".gitignore", "broken.ts", "good.ts"]);
});

test("a file of 1,048,576 bytes is taken in, a larger one is named", async () => {
  const text = `The walrus dives for clams.\n${`${" ".repeat(99)}\n`.repeat(11_000)}`;
  const world = await corpusWorld({ "large.md": text.slice(0, 1_048_576), "larger.md": text.slice(0, 1_048_577) });
  const { skipped } = await world.index();
  assert.deepEqual(skipped, [{ path: "larger.md", reason: "larger than 1,048,576 bytes" }]);
  assert.deepEqual(await world.paths("document"), ["large.md"]);
});

test("secrets in files are not kept, in whatever is made of them", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const world = await corpusWorld({
    "a.ts": `/** ${secret} */\nexport const token = "${secret}";\nexport const ${secret} = 1;\n`,
    "b.md": `---\ntitle: ${secret}\n---\n# ${secret}\n\n[x](${secret}.md) ${secret}\n`,
    [`${secret}.md`]: "# C\n",
  });
  const { skipped, documents } = await world.index();
  assert.deepEqual([documents.added, skipped.map(({ reason }) => reason)], [1, ["its name contains a secret"]]);
  const { project } = world;
  const kept = JSON.stringify([
    skipped,
    await project.fileStates(),
    await project.walk("code", { after: null, limit: 9 }),
    await project.walk("document", { after: null, limit: 9 }),
    await project.references(),
    await project.symbolsOf((await project.walk("code", { after: null, limit: 9 })).map(({ item }) => item.id)),
  ]);
  assert.ok(!kept.includes(secret));
});

test("documents that others refer to stand higher; references find what comes later", async () => {
  const world = await corpusWorld({
    "a.md": "# A\n\nwalrus. See [b](b.md) and [[Late page]].\n",
    "b.md": "# B\n\nwalrus.\n",
    "c.md": "# C\n\nwalrus. Also [b](./b.md#x) and [out](https://example.org/).\n",
  });
  await world.index();
  const linked = async (path: string) => (await world.project.linkedTo(path)).map((one) => one.path).toSorted();
  assert.deepEqual(await linked("b.md"), ["a.md", "c.md"]);
  const rankOf = async (path: string) => {
    const { id } = (await world.project.fileAt("document", path))!;
    return (await world.project.outlines("document", [id]))[0]?.rank ?? null;
  };
  assert.equal(await rankOf("b.md"), 1);
  assert.ok(((await rankOf("a.md")) ?? 1) < 1);
  world.write("late.md", "# Late page\n");
  await world.index();
  assert.deepEqual(await linked("late.md"), ["a.md"]);
});

const MANY = Object.fromEntries(
  Array.from({ length: 70 }, (_, number) => [`f${number}.md`, `# N ${number}\n\nnumber ${number}\n`]),
);

const BRIEF = { isEnding: () => true };

/** The same world, and what is read from its disk. */
function reading(world: CorpusWorld): { world: CorpusWorld; read: string[] } {
  const read: string[] = [];
  const projectFiles: World["projectFiles"] = {
    ...world.projectFiles,
    read(path, limitBytes) {
      read.push(path);
      return world.projectFiles.read(path, limitBytes);
    },
  };
  return { world: { ...world, projectFiles }, read };
}

test("a run that is to end does one batch, and no other reads the same file again", async () => {
  const { world, read } = reading(await corpusWorld(MANY));
  const added: number[] = [];
  for (const _ of [1, 2]) {
    world.clock.time += 10_000;
    const cut = await indexProject(BRIEF, world);
    assert.equal(cut?.isComplete, false);
    added.push(cut!.documents.added);
  }
  assert.deepEqual([added, await world.project.lastLook()], [[32, 32], null]);
  world.clock.time += 10_000;
  const last = await indexProject(BRIEF, world);
  assert.deepEqual([last?.isComplete, last?.documents], [true, counts(6, 0, 0, 64)]);
  assert.deepEqual(read.toSorted(), Object.keys(MANY).toSorted());
});

test("other rules that were cut short are gone on with, and reach every file", async () => {
  const world = await corpusWorld(MANY);
  await indexProject(BRIEF, world);
  const { world: counted, read } = reading(world);
  const labels = { rules: [{ glob: "**", label: "howto" }] };
  const ruled = { ...counted, settings: { ...world.settings, labels } };
  for (const isComplete of [false, false, true]) {
    world.clock.time += 10_000;
    assert.equal((await indexProject(BRIEF, ruled))?.isComplete, isComplete);
  }
  assert.equal(read.length, 70);
  const filter = { statuses: ["active"] as const, now: world.clock.now() };
  const { items } = await world.project.list("document", filter, { limit: 100, offset: 0 });
  assert.deepEqual([items.length, new Set(items.map(({ label }) => label))], [70, new Set(["howto"])]);
});

test("files that go are taken out in batches too", async () => {
  const world = await corpusWorld(MANY);
  await world.index();
  for (const path of Object.keys(MANY)) world.remove(path);
  world.clock.time += 10_000;
  const cut = await indexProject(BRIEF, world);
  assert.deepEqual([cut?.isComplete, cut?.documents.removed], [false, 32]);
  assert.deepEqual((await world.index()).documents, counts(0, 0, 38, 0));
});

test("reading everything again still knows a renamed file", async () => {
  const world = await corpusWorld({ "src/walrus.ts": WALRUS, "src/other.ts": "export const other = 1;\n" });
  await world.index();
  const before = (await world.project.fileAt("code", "src/walrus.ts"))!;
  world.rename("src/walrus.ts", "src/seal.ts");
  assert.deepEqual((await world.index({ all: true })).code, counts(0, 2, 0, 0));
  assert.equal((await world.project.fileAt("code", "src/seal.ts"))?.id, before.id);
});

test("a file that its grammar fails on is named, tried once more, and then left at that", async () => {
  const world = await corpusWorld({ "walrus.ts": WALRUS });
  const impatient = createParser({ threads: 1, patienceMs: 1 });
  after(() => impatient.close());
  const symbols = async () => {
    const { id } = (await world.project.fileAt("code", "walrus.ts"))!;
    return (await world.project.symbolsOf([id])).map(({ name }) => name);
  };
  const look = async (parser: World["parser"]) => {
    world.clock.time += 10_000;
    const indexed = await indexProject({}, { ...world, parser });
    return [indexed?.code, indexed?.skipped.map(({ path, reason }) => `${path}: ${reason}`)];
  };
  const told = ["walrus.ts: indexed as plain text: It took longer than 1 ms to parse."];
  assert.deepEqual([await look(impatient), await symbols()], [[counts(1, 0, 0, 0), told], []]);
  assert.deepEqual(await look(impatient), [counts(0, 1, 0, 0), told]);
  assert.deepEqual([await look(world.parser), await symbols()], [[counts(0, 0, 0, 1), told], []]);
  world.write("walrus.ts", `${WALRUS}\n`);
  await look(impatient);
  assert.deepEqual([await look(world.parser), await symbols()], [[counts(0, 1, 0, 0), []], ["walrusDive"]]);
});

test("a file that is being written is told of, and stays as it was known until it is read", async () => {
  const world = await corpusWorld({ "a.ts": WALRUS });
  await world.index();
  world.write("a.ts", `${WALRUS}export const seal = 1;\n`);
  const read = async (path: string) => ({ path, reason: CHANGED });
  const busy = { ...world, projectFiles: { ...world.projectFiles, read } };
  world.clock.time += 10_000;
  assert.deepEqual((await indexProject({}, busy))?.skipped, [{ path: "a.ts", reason: CHANGED }]);
  assert.equal((await world.project.fileAt("code", "a.ts"))?.content, WALRUS);
  assert.deepEqual((await world.index()).code, counts(0, 1, 0, 0));
});

test("parts of a document that could not be read are told", async () => {
  const world = await corpusWorld({ "deep.md": `# Walrus\n\n${"> ".repeat(500)}dives\n` });
  const [told] = (await world.index()).skipped;
  assert.match(`${told?.path}: ${told?.reason}`, /^deep\.md: indexed as plain text: parts of it/);
  assert.deepEqual(await world.paths("document"), ["deep.md"]);
});

test("what stands behind a secret of many lines keeps its line", async () => {
  const body = Array.from({ length: 26 }, (_, line) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${line}x7Kp2Q`).join("\n");
  const pem = `-----BEGIN PRIVATE${" "}KEY-----\n${body}\n-----END PRIVATE${" "}KEY-----`;
  const world = await corpusWorld({ "key.ts": `const key = \`${pem}\`;\n${WALRUS}` });
  await world.index();
  const { id, content } = (await world.project.fileAt("code", "key.ts"))!;
  assert.ok(!content.includes("MIIE"), content);
  const found = (await world.project.symbolsOf([id])).find(({ name }) => name === "walrusDive");
  assert.deepEqual([found?.startLine, found?.endLine], [30, 32]);
  assert.equal(content.split("\n")[29], "export function walrusDive(depth: number): number {");
});

test("what is written is looked up anew by each ranking: upwards, by title, never itself", async () => {
  const world = await corpusWorld({
    "README.md": "# Home\n",
    "guide.md": "# Old guide\n",
    "docs/README.md": "# Other home\n",
    "docs/guide.md": "# Guide\n\n[home](../README.md), [here](guide.md), ![[Auth page]].\n",
    "docs/auth.md": "# Auth page\n",
  });
  const links = async () => world.project.linksFrom((await world.project.fileAt("document", "docs/guide.md"))!.id);
  await world.index();
  assert.deepEqual(await links(), ["README.md", "docs/auth.md"]);
  world.write("more.md", "# More\n");
  world.rename("docs/auth.md", "docs/login.md");
  await world.index();
  assert.deepEqual(await links(), ["README.md", "docs/login.md"]);
  world.remove("docs/login.md");
  await world.index();
  assert.deepEqual(await links(), ["README.md"]);
  world.write("late.md", "# Auth page\n");
  await world.index();
  assert.deepEqual(await links(), ["README.md", "late.md"]);
});

test("documents that a run which was cut short took in are ranked by the next", async () => {
  const code = Array.from({ length: 31 }, (_, number) => [`z${number}.ts`, `export const n = ${number};\n`]);
  const world = await corpusWorld({ "a.md": "# A\n\n[b](./b.md)\n", "b.md": "# B\n", ...Object.fromEntries(code) });
  const linked = async () => (await world.project.linkedTo("b.md")).map(({ path }) => path);
  const cut = await indexProject(BRIEF, world);
  assert.deepEqual([cut?.isComplete, cut?.documents.added, await linked()], [false, 2, []]);
  const { documents, isComplete } = await world.index();
  assert.deepEqual([isComplete, documents.added, await linked()], [true, 0, ["a.md"]]);
  assert.equal(await world.project.unranked(), null);
});

test("one at a time: whoever comes while another indexes is told, and a lease that ran out is free", async () => {
  const world = await corpusWorld({ "a.ts": WALRUS });
  const at = world.clock.now();
  const lease = { kind: "take_lease", name: "index", owner: "another", at, until: at + 12_000 } as const;
  await world.project.apply([lease], world.origin);
  assert.equal(await indexProject({}, world), null);
  world.clock.time += 60_001;
  assert.equal((await world.index()).code.added, 1);
});

for (const reason of ["may not be read", "cannot be read (EMFILE)"])
  test(`a file that "${reason}" for a moment keeps its item, is named, and is read the next time`, async () => {
    const world = await corpusWorld({ "a.ts": "export const walrus = 1;\n", "b.ts": "export const seal = 1;\n" });
    await world.index();
    const before = await world.project.fileAt("code", "a.ts");
    for (const path of ["a.ts", "c.ts"]) world.write(path, "export const walrus = 2;\n");
    world.clock.time += 10_000;
    const read = async (path: string) => ({ path, reason });
    const failed = await indexProject({}, { ...world, projectFiles: { ...world.projectFiles, read } });
    assert.deepEqual(failed?.code, counts(0, 0, 0, 1));
    assert.deepEqual(
      failed?.skipped,
      ["a.ts", "c.ts"].map((path) => ({ path, reason })),
    );
    assert.equal((await world.project.fileAt("code", "a.ts"))?.content, before?.content);
    const { code, skipped } = await world.index();
    assert.deepEqual([code, skipped], [counts(1, 1, 0, 1), []]);
    assert.match((await world.project.fileAt("code", "a.ts"))?.content ?? "", /walrus = 2/);
  });

test("of two checkouts with one memory, each finds its own files", async () => {
  const main = await corpusWorld({ "src/walrus.ts": WALRUS, "README.md": "# Walrus\n" });
  await main.index();
  const root = join(main.folder, "worktree");
  mkdirSync(join(root, "src"), { recursive: true });
  // Of the same size and time as the other one.
  const other = WALRUS.replace("walrusDive", "walrusSwim");
  writeFileSync(join(root, "src/walrus.ts"), other);
  const { mtime } = statSync(join(main.folder, "project/src/walrus.ts"));
  utimesSync(join(root, "src/walrus.ts"), mtime, mtime);
  const worktree = {
    ...main,
    place: { ...main.place, checkout: root },
    projectFiles: createProjectFiles(root, { polling: false, log: main.log }),
  };
  const namesIn = async (world: World) => {
    const request = { query: "walrus", mode: "symbol", limit: 5, threshold: 0, isPattern: false } as const;
    return (await searchCode(request, world)).hits.map(({ symbol }) => symbol);
  };
  for (let round = 0; round < 2; round += 1) {
    main.clock.time += 10_000;
    assert.deepEqual(await namesIn(worktree), ["walrusSwim"]);
    assert.deepEqual(await main.paths("document"), []);
    assert.deepEqual(await namesIn(main), ["walrusDive"]);
    assert.deepEqual(await main.paths("document"), ["README.md"]);
  }
});

test("a folder that nobody may look into keeps what is known of it, and searches say so", async () => {
  const world = await corpusWorld({ "a/x.md": "# Walrus\n\nat dawn\n", "b.md": "# Seal\n" });
  await world.index();
  assert.equal(await freshen(world), null);
  world.write("a/x.md", "# Walrus\n\nat dusk\n");
  symlinkSync("elsewhere", join(world.folder, "project/a/.gitignore"));
  world.clock.time += 10_000;
  assert.equal(await freshen(world), "1 file could not be read: `stele index` shows why");
  const { documents, skipped } = await world.index();
  assert.deepEqual([documents, skipped.map(({ path }) => path)], [counts(0, 0, 0, 2), ["a"]]);
});
