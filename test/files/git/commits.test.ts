/** Commits of repositories that git has made, compared with what git says of them; and packs that nobody should have made. */
import assert from "node:assert/strict";
import fs, { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { type HistoryOrder, readHistory } from "../../../src/files/git/commits.ts";
import { headCommit, headFault } from "../../../src/files/git/git.ts";
import { readCommits } from "../../../src/files/git/read-commits.ts";
import type { CommitQuery } from "../../../src/world.ts";
import { makePipe } from "../../child.ts";
import { runs } from "../../lane.ts";
import { gitFolder, realGit, START } from "./real-git.ts";

const git = realGit();
const ALL: CommitQuery = { after: null, since: -Infinity, limit: 1_000, most: 10_000 };

const historyOf = (folder: string, set: Partial<HistoryOrder> = {}) =>
  readHistory({
    ...ALL,
    common: join(folder, ".git"),
    hashBytes: 20,
    isPartial: false,
    ...set,
    head: set.head ?? git(folder, "rev-parse", "HEAD"),
  });

interface Made {
  /** Of earlier commits, by number. */
  parents: number[];
  seconds: number;
}

/** Commits without files, in one pack. */
function importHistory(made: readonly Made[]): { folder: string; ids: string[] } {
  const folder = gitFolder();
  git(folder, "init", "-q", "-b", "main");
  const stream = made.flatMap(({ parents, seconds }, index) => {
    const marks = parents.map((parent, order) => `${order === 0 ? "from" : "merge"} :${parent + 1}`);
    const who = `Ada <ada@example.com> ${START + seconds} +0000`;
    return [`commit refs/heads/c${index}`, `mark :${index + 1}`, `committer ${who}`, "data 1", "x", ...marks, ""];
  });
  writeFileSync(join(folder, "stream"), `${stream.join("\n")}\n`);
  writeFileSync(join(folder, "run"), `git -C "$1" -c fastimport.unpackLimit=1 fast-import --quiet < "$1/stream"\n`);
  git(folder, "-c", `alias.run=!sh "${folder}/run" "${folder}"`, "run");
  return { folder, ids: made.map((_, index) => git(folder, "rev-parse", `refs/heads/c${index}`)) };
}

/** Merges of up to three, and clocks that are wrong now and then. */
const anyHistory = fc
  .array(fc.record({ parents: fc.array(fc.nat(), { maxLength: 3 }), skew: fc.integer({ min: -400, max: 400 }) }), {
    minLength: 2,
    maxLength: 24,
  })
  .map((all) =>
    all.map(({ parents, skew }, index): Made => {
      const known = index === 0 ? [] : [...new Set(parents.map((parent) => parent % index))];
      return { parents: known, seconds: index * 100 + skew };
    }),
  );

test("any range of any history is what git lists, in its order", () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(), (made, chosen) => {
      const { folder, ids } = importHistory(made);
      const [head, after] = [ids.at(-1)!, ids[chosen % ids.length]!];
      const listed = git(folder, "log", "--format=%H", `${after}..${head}`).split("\n").filter(Boolean);
      assert.deepEqual(historyOf(folder, { head, after }).commits.map(({ id }) => id), listed); // prettier-ignore
      const since = START + 500;
      const late = git(folder, "log", "--format=%H", `--since=${since}`, head).split("\n").filter(Boolean);
      assert.deepEqual(historyOf(folder, { head, since: since * 1_000 }).commits.map(({ id }) => id), late); // prettier-ignore
    }),
    { numRuns: runs(6) },
  );
});

test("a commit after a time is listed though an older one leads to it", () => {
  const { folder, ids } = importHistory([
    { parents: [], seconds: 500 },
    { parents: [0], seconds: 400 },
    { parents: [1, 0], seconds: 500 },
  ]);
  const listed = git(folder, "log", "--format=%H", `--since=${START + 500}`, ids[2]!).split("\n");
  assert.deepEqual(listed, [ids[2], ids[0]]);
  const { commits } = historyOf(folder, { head: ids[2]!, since: (START + 500) * 1_000 });
  assert.deepEqual(commits.map(({ id }) => id), listed); // prettier-ignore
});

/** Files that come, change, go, become folders, links or programs; a merge; a submodule; texts of several kinds. */
function rich(...init: string[]): string {
  const folder = gitFolder();
  git(folder, "init", "-q", "-b", "main", ...init);
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const commit = (...args: string[]) => (git(folder, "add", "-A"), git(folder, "commit", "-q", ...args));
  const lines = Array.from({ length: 300 }, (_, line) => `line ${line} of many\n`);
  for (let index = 0; index < 30; index += 1) write(`src/d${index % 5}/f${index}.txt`, lines.join(""));
  commit("-m", "begin");
  for (let index = 0; index < 12; index += 1) {
    write(`src/d${index % 5}/f${index}.txt`, lines.with(index, `changed ${index}\n`).join(""));
    write("src/ä ö.txt", `${index}`);
    commit("-m", `change ${index}\nin two lines\n\nBecause ${index}.\n\nAnd more.`);
  }
  git(folder, "checkout", "-qb", "side", "HEAD~3");
  write("side.txt", "side");
  commit("-m", "side");
  git(folder, "checkout", "-q", "main");
  git(folder, "merge", "-q", "--no-ff", "-m", "join", "side");
  rmSync(join(folder, "src/d1"), { recursive: true });
  write("src/d1", "a file now");
  chmodSync(join(folder, "side.txt"), 0o755);
  commit("-m", "swap");
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${git(folder, "rev-parse", "HEAD")},module`);
  git(folder, "commit", "-q", "-m", "module");
  writeFileSync(join(folder, ".git/message"), Buffer.from("h\u00f6her\n\nf\u00fcr", "latin1"));
  git(folder, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", ".git/message");
  git(folder, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "");
  return folder;
}

const packings: [string, string[], (folder: string) => void][] = [
  ["loose", [], () => undefined],
  ["packed", [], (folder) => void git(folder, "gc", "-q")],
  ["packed in deltas of deltas", [], (folder) => void git(folder, "repack", "-adfq", "--depth=250", "--window=250")],
  [
    "packed with named bases",
    [],
    (folder) => void git(folder, "-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"),
  ],
  ["in several packs with one index", [], (folder) => {
    git(folder, "repack", "-dq");
    git(folder, "commit", "-q", "--allow-empty", "-m", "later");
    git(folder, "repack", "-dq");
    git(folder, "multi-pack-index", "write");
  }],
  ["with long hashes", ["--object-format=sha256"], (folder) => void git(folder, "gc", "-q")],
]; // prettier-ignore
for (const [what, init, pack] of packings)
  test(`texts and files of commits, ${what}, are what git tells`, async () => {
    const folder = rich(...init);
    pack(folder);
    const { commits, degraded } = await readCommits(
      { gitFolder: join(folder, ".git"), common: join(folder, ".git") },
      { ...ALL, filesOf: 1_000 },
    );
    assert.equal(degraded, null);
    const format = "--format=%x01%H%x02%ct%x02%s%x02%b%x02%an%x02";
    const listed = git(folder, "-c", "core.quotePath=off", "log", "--name-only", "--no-renames", format).split(
      "\u0001",
    );
    const expected = listed.slice(1).map((text) => {
      const [id, seconds, subject, body, author, files] = text.split("\u0002") as [string, ...string[]];
      return { id, at: Number(seconds) * 1_000, subject, body: body!.trim(), author, files: files!.trim().split("\n").filter(Boolean).sort() }; // prettier-ignore
    });
    assert.deepEqual(commits.map((one) => ({ ...one, files: one.files!.toSorted() })), expected); // prettier-ignore
  });

test("only so many commits are told, only so many are read, and files only of those asked for", () => {
  const { folder, ids } = importHistory(Array.from({ length: 9 }, (_, index) => ({ parents: index ? [index - 1] : [], seconds: index * 100 }))); // prettier-ignore
  const head = ids[8]!;
  const few = historyOf(folder, { head, limit: 3, filesOf: 1 });
  assert.deepEqual(few.commits.map(({ id, files }) => [id, files]), [[ids[8], []], [ids[7], null], [ids[6], null]]); // prettier-ignore
  assert.deepEqual([few.total, few.isCut, few.degraded], [9, false, null]);
  const cut = historyOf(folder, { head, most: 4 });
  assert.deepEqual([cut.commits.map(({ id }) => id), cut.isCut], [ids.slice(4, 8 + 1).toReversed().slice(0, cut.total), true]); // prettier-ignore
  assert.ok(cut.total >= 3 && cut.total <= 4);
});

type Forged = { id: string; bytes: Buffer };

/** The beginning of an object in a pack: its type and how large it says that it is. */
function head(type: number, size: number): Buffer {
  const bytes = [(type << 4) | size % 16];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

/** A repository with one pack of these objects, under whatever names. */
function forge(objects: readonly Forged[], offsetOf = (offset: number) => offset): string {
  const folder = gitFolder();
  mkdirSync(join(folder, ".git/objects/pack"), { recursive: true });
  const sorted = objects.toSorted((one, two) => (one.id < two.id ? -1 : 1));
  let end = 12;
  const offsets = sorted.map(({ bytes }) => (end += bytes.length) - bytes.length);
  const number = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const upTo = (byte: number) => sorted.filter(({ id }) => Number.parseInt(id.slice(0, 2), 16) <= byte).length;
  const index = [
    ...[Buffer.from([255, 116, 79, 99]), number(2), ...Array.from({ length: 256 }, (_, byte) => number(upTo(byte)))],
    ...sorted.map(({ id }) => Buffer.from(id, "hex")),
    ...sorted.map(() => number(0)),
    ...offsets.map((offset) => number(offsetOf(offset))),
    Buffer.alloc(40),
  ];
  const path = join(folder, ".git/objects/pack/pack-x");
  writeFileSync(`${path}.idx`, Buffer.concat(index));
  writeFileSync(`${path}.pack`, Buffer.concat([Buffer.from("PACK"), number(2), number(sorted.length), ...sorted.map(({ bytes }) => bytes), Buffer.alloc(20)])); // prettier-ignore
  return folder;
}

const [A, B, C] = ["aa", "bb", "cc"].map((byte) => byte.repeat(20)) as [string, string, string];
const named = (base: string, delta: Buffer) => Buffer.concat([head(7, delta.length), Buffer.from(base, "hex"), deflateSync(delta)]); // prettier-ignore
const plain = (type: number, content: Buffer | string) => Buffer.concat([head(type, content.length), deflateSync(content)]); // prettier-ignore
const commitText = (tree: string, ...parents: string[]) =>
  `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nforged\n`;
const nothing = Buffer.from([1, 1, 1, 0]);

const forgeries: Record<string, [reason: RegExp, make: () => string]> = {
  "deltas in a ring": [/too many deltas/, () => forge([{ id: A, bytes: named(B, nothing) }, { id: B, bytes: named(A, nothing) }])],
  "a delta of itself": [/damaged/, () => forge([{ id: A, bytes: Buffer.concat([head(6, 4), Buffer.from([0]), deflateSync(nothing)]) }])],
  "a delta from before the file": [/damaged/, () => forge([{ id: A, bytes: Buffer.concat([head(6, 4), Buffer.from([255, 255, 127]), deflateSync(nothing)]) }])],
  "a base that is nowhere": [/lacks the base/, () => forge([{ id: A, bytes: named(B, nothing) }])],
  "a delta that copies too much": [/damaged/, () => forge([{ id: A, bytes: named(B, Buffer.from([3, 100, 0x90, 100])) }, { id: B, bytes: plain(1, "abc") }])],
  "a delta that says too much": [/damaged/, () => forge([{ id: A, bytes: named(B, Buffer.from([3, 255, 255, 255, 255, 127])) }, { id: B, bytes: plain(1, "abc") }])],
  "a size without end": [/too large/, () => forge([{ id: A, bytes: head(1, 2 ** 45) }])],
  "more content than it says": [/damaged/, () => forge([{ id: A, bytes: Buffer.concat([head(1, 4), deflateSync(Buffer.alloc(90_000_000))]) }])],
  "less content than it says": [/damaged/, () => forge([{ id: A, bytes: Buffer.concat([head(1, 9_000), deflateSync("short")]) }])],
  "another type": [/another type/, () => forge([{ id: A, bytes: plain(3, commitText(B)) }])],
  "an offset beyond the file": [/damaged/, () => forge([{ id: A, bytes: plain(1, commitText(B)) }], () => 0x7fffffff)],
  "a large offset that is nowhere": [/damaged/, () => forge([{ id: A, bytes: plain(1, commitText(B)) }], () => 0xfffffff0)],
  "no tree": [/a commit is damaged/, () => forge([{ id: A, bytes: plain(1, "no commit") }])],
  "a list of shallow commits that is a link": [/cannot be opened/, () => {
    const folder = forge([{ id: A, bytes: plain(1, commitText(B)) }]);
    writeFileSync(join(folder, "elsewhere"), `${A}\n`);
    symlinkSync(join(folder, "elsewhere"), join(folder, ".git/shallow"));
    return folder;
  }],
  "a loose object that swells": [/damaged/, () => {
    const folder = forge([]);
    mkdirSync(join(folder, ".git/objects/aa"));
    writeFileSync(join(folder, ".git/objects/aa", A.slice(2)), deflateSync(Buffer.concat([Buffer.from("commit 90000000\0"), Buffer.alloc(90_000_000)])));
    return folder;
  }],
}; // prettier-ignore
for (const [what, [reason, make]] of Object.entries(forgeries))
  test(`a forged object (${what}) is a reason, not a crash`, () => {
    const { commits, degraded } = historyOf(make(), { head: A });
    assert.deepEqual(commits, []);
    assert.match(degraded ?? "", reason);
  });

test("history in a ring ends, and folders in each other too", () => {
  const tree = (...entries: [string, string][]) =>
    plain(2, Buffer.concat(entries.map(([name, id]) => Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(id, "hex")])))); // prettier-ignore
  const inner = (id: string): Forged => ({ id, bytes: tree(["x", C], ["y", C]) });
  const ring = forge([{ id: A, bytes: plain(1, commitText(C, B)) }, { id: B, bytes: plain(1, commitText(C, A)) }, inner(C)]); // prettier-ignore
  assert.deepEqual(historyOf(ring, { head: A }).commits.map(({ id }) => id), [A, B]); // prettier-ignore
  const nested = forge([{ id: A, bytes: plain(1, commitText(C)) }, inner(C)]);
  const { commits, degraded } = historyOf(nested, { head: A, filesOf: 1 });
  assert.deepEqual([commits.map(({ files }) => files), degraded], [[null], "a commit has too many folders"]);
});

test("a commit may name a parent as often as it likes", () => {
  const parent = `parent ${C}\n`;
  const again = commitText(C, C).replace(parent, parent.repeat(200_000));
  const made = (seconds: number, ...parents: string[]) =>
    commitText(C, ...parents).replaceAll("<a> 1 ", `<a> ${seconds} `);
  const after = "dd".repeat(20);
  const texts = Object.entries({ [A]: made(9, B, C), [after]: made(5, B), [B]: again, [C]: made(1) });
  const folder = forge(texts.map(([id, text]) => ({ id, bytes: plain(1, text) })));
  const { commits, degraded } = historyOf(folder, { head: A, after });
  assert.deepEqual([commits.map(({ id }) => id), degraded], [[A], null]); // prettier-ignore
});

test("texts of any length are cut", () => {
  const text = `${commitText(B).replace("forged\n", "")}${"s".repeat(9_000)}\n\n${"b".repeat(90_000)}`;
  const [commit] = historyOf(forge([{ id: A, bytes: plain(1, text) }]), { head: A }).commits;
  assert.deepEqual([commit!.subject.length, commit!.body.length, commit!.author], [1_000, 16_000, "A"]);
});

test("that nothing is read where no folder of git names the checkout is said", async () => {
  const query = { after: null, since: 0, limit: 5, most: 5 };
  assert.equal((await readCommits(null, query)).degraded, null, "outside git nothing is missing");
  assert.match(
    (await readCommits(null, query, { isUnconfirmed: true })).degraded ?? "",
    /leads to no folder that names/,
  );
});

test("a damaged HEAD, branch or list of branches is said, and a branch without a commit is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stele-head-"));
  const query = { after: null, since: 0, limit: 5, most: 5 };
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const said = async () => (await readCommits({ gitFolder: folder, common: folder }, query)).degraded;
  put("HEAD", "ref: refs/heads/main\n");
  assert.equal(await said(), null);
  put("packed-refs", `# pack-refs with: peeled\n${"a".repeat(40)} refs/heads/other\n^${"b".repeat(40)}\n`);
  assert.equal(await said(), null);
  put("packed-refs", "# pack-refs with: peeled\n\0\0\0\0");
  assert.match((await said()) ?? "", /its packed-refs is damaged/);
  put("refs/heads/main", "");
  assert.match((await said()) ?? "", /its branch is damaged/);
  rmSync(join(folder, "refs/heads/main"));
  put("packed-refs", `${"a".repeat(40)} refs/heads/other\n`);
  mkdirSync(join(folder, "refs/heads/main"));
  assert.match((await said()) ?? "", /its branch is damaged/);
  rmSync(join(folder, "refs/heads/main"), { recursive: true });
  makePipe(join(folder, "refs/heads/main"));
  assert.match((await said()) ?? "", /its branch is damaged/);
  rmSync(join(folder, "refs/heads/main"));
  assert.equal(await said(), null);
  rmSync(join(folder, "packed-refs"));
  mkdirSync(join(folder, "packed-refs"));
  assert.match((await said()) ?? "", /its packed-refs is damaged/);
  put("HEAD", "rubbish");
  assert.match((await said()) ?? "", /its HEAD is damaged/);
  rmSync(folder, { recursive: true, force: true });
});

test("who wants the commit alone reads the list of branches once, and checks none of it", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-head-"));
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(folder, "packed-refs"), `${"a".repeat(40)} refs/heads/other\n`);
  const opened = context.mock.method(fs, "openSync");
  syncBuiltinESMExports();
  const folders = { gitFolder: folder, common: folder };
  assert.equal(headCommit(folders), null);
  const lists = () => opened.mock.calls.filter(({ arguments: [path] }) => String(path).endsWith("packed-refs")).length;
  assert.equal(lists(), 1);
  assert.equal(headFault(folders), null);
  assert.equal(lists(), 3);
  context.mock.restoreAll();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});
