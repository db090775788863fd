/** `stele doctor`: real homes, really damaged, looked at and mended through the command line. */
import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { createHostFiles } from "../../src/agents/agent-files.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { type Doctor, runDoctor } from "../../src/cli/doctor.ts";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { GRAPH_KEY } from "../../src/embed/minilm/identity.ts";
import { Failure } from "../../src/errors.ts";
import { readRepository } from "../../src/files/git/git.ts";
import { open, type Stele } from "../../src/index.ts";
import type { Finding } from "../../src/maintenance/finding.ts";
import { handleOf } from "../../src/memory/handles.ts";
import type { Embedder } from "../../src/ports.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { DEFAULT_DATA, placesIn } from "../agents/fixtures.ts";
import { makePipe } from "../child.ts";
import { streams } from "./fixtures/streams.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-doctor-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
const model = join(folder, "model");
const ids = { backup: "", early: "", late: "" };
let homes = 0;
/** A machine without hosts. */
const hosts = {
  files: createHostFiles({ searched: "", extensions: "" }),
  program: { node: "/node", entry: "/stele/bin/stele.js", data: DEFAULT_DATA },
  places: placesIn(join(folder, "nobody")),
};

let embedder: () => Embedder = createHashEmbedder;

const openIn = (home: string): Promise<Stele> => open({ home, project, settings: { embedder: { provider: "hash" } } });

/** One home, made once: a memory, a backup, and two memories since. Tests damage copies of it. */
/** When the project was registered; tests may run much later. */
let registered = 0;

before(async () => {
  mkdirSync(project);
  const stele = await openIn(model);
  registered = Date.now() / 1_000;
  ids.early = (await stele.remember({ content: "herons fish at dawn" })).id;
  ids.backup = (await stele.backup({})).id;
  ids.late = (await stele.remember({ content: "herons nest in trees" })).id;
  await stele.remember({ content: "I like herons", scope: "global" });
  await stele.close();
});

interface Clinic {
  home: string;
  /** The only project's file. */
  file: string;
}

function newClinic({ withBackup = true } = {}): Clinic {
  const home = join(folder, `home-${(homes += 1)}`);
  cpSync(model, home, { recursive: true });
  // Folders are copied without their modes.
  for (const name of ["", "spaces", "backups", join("backups", ids.backup)]) chmodSync(join(home, name), 0o700);
  if (!withBackup) rmSync(join(home, "backups"), { recursive: true });
  const [name] = readdirSync(join(home, "spaces"));
  return { home, file: join(home, "spaces", name!) };
}

const totalIn = async (home: string): Promise<number> => {
  const stele = await openIn(home);
  const { total } = await stele.list({});
  await stele.close();
  return total;
};

interface Visit {
  code: number;
  out: string;
  err: string;
  answer: { ok: boolean; findings: Finding[]; done: string[] };
}

async function visit(
  home: string,
  argv: string[],
  options: Parameters<typeof streams>[0] = {},
  place = project,
): Promise<Visit> {
  const { io, out, err } = streams(options);
  const code = await runDoctor(argv, {
    io,
    attended: true,
    open: async () => openDoctor({ home, project: place, hosts, embedder }),
  });
  return { code, out: out(), err: err(), answer: argv.includes("--json") ? JSON.parse(out()) : null };
}

const problems = ({ answer }: Visit) => answer.findings.filter(({ state }) => state === "problem");

test("a home that is well is said to be, and so is one that is not there yet", async () => {
  const absent = await visit(join(folder, "nowhere"), ["--json"]);
  assert.deepEqual([absent.code, absent.answer.ok], [0, true]);
  assert.match(absent.answer.findings.at(-1)!.message, /does not exist yet/);
  const { code, out } = await visit(model, []);
  assert.equal(code, 0);
  assert.match(out, /^ok +program +Node v\S+, SQLite 3/m);
  assert.match(out, /^ok +model +The model embeds: one sentence, with loading it, took \d+ ms\.$/m);
  assert.match(out, /^note +index +The files of this project have not been indexed\.$/m);
  assert.match(
    out,
    /^note +hooks +No hook has reported anything from this project\.\n +`stele init` sets hooks up\.$/m,
  );
  assert.match(out, /^ok +disk +\d+\.\d MB in all: .*spaces \d/m);
  assert.match(out, /^ok +store +global\.db is intact: 1 item,/m);
  assert.match(out, new RegExp(`^ok +store +spaces/\\S+ \\(${project}\\) is intact: 2 items`, "m"));
  assert.match(out, new RegExp(`^ok +backups +Backups: 1; the latest valid one is ${ids.backup}`, "m"));
  const { home } = newClinic({ withBackup: false });
  assert.match((await visit(home, [])).out, /^note +backups +There is no backup yet\.\n +`stele backup` makes one\.$/m);
});

test("a report that waits is told of with the transcript that is missing, and stays where it is", async () => {
  const { home } = newClinic();
  const transcript = join(folder, "missing.jsonl");
  const name = `${"0".repeat(31)}1`;
  const spool = spoolFolder(home, readRepository(project).key);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const nothing = { turn: null, tool: null, command: null, path: null };
  const report = { ...nothing, id: name, event: "prompt", host: "claude-code", session: "s1", at: 1, text: "why" };
  const named = JSON.stringify({ ...report, cwd: project, transcript });
  writeFileSync(join(spool, `${name}.json`), named, { mode: 0o600 });
  const { out } = await visit(home, []);
  assert.match(out, /^note +hooks +1 report of hooks waits for a transcript that is missing: .*missing\.jsonl\.$/m);
  assert.doesNotMatch(out, /No hook has reported/);
  assert.deepEqual(readdirSync(spool), [`${name}.json`]);
});

test("index, hooks and model are told of: at work, out of date, at fault, not wanted", async () => {
  const { home } = newClinic();
  const stele = await openIn(home);
  await stele.index({});
  await stele.observe({ event: "command_executed", content: "npm test" });
  await stele.surface({});
  await stele.close();
  writeFileSync(join(home, "hook.log"), "2026-01-02T12:00:00.000Z A hook failed: EACCES in open.\n", { mode: 0o600 });
  const { code, out } = await visit(home, []);
  assert.equal(code, 0);
  assert.match(out, /^ok +index +\d+ files? in the index, last checked just now\.$/m);
  assert.match(
    out,
    /^ok +hooks +Hooks or agents last reported just now; the surface was last asked for just now: \d+ tokens/m,
  );
  assert.match(out, /^note +hooks +The last fault of a hook: 2026-01-0\d \d\d:\d\d A hook failed: EACCES in open\.$/m);
  embedder = createNoEmbedder;
  assert.match((await visit(home, [])).out, /^ok +model +The settings want no local model/m);
  const gone = new Failure("unavailable", "The runtime is not installed.", "Run `npm ci`.");
  embedder = () => ({ ...createHashEmbedder(), embed: () => Promise.reject(gone) });
  const broken = await visit(home, []);
  assert.equal(broken.code, 1);
  assert.match(broken.out, /^problem +model +Nothing can be embedded.*not installed\.\n +Run `npm ci`\.$/m);
  embedder = createHashEmbedder;
});

test("a damaged store is found, and restored from the newest sound backup with a person's word", async () => {
  const { home, file } = newClinic();
  writeFileSync(join(home, "config.json"), '{"time": {"zone": "Pacific/Kiritimati"}}', { mode: 0o600 });
  const damaged = readFileSync(file).fill(0, 0, 4_096);
  writeFileSync(file, damaged);
  await assert.rejects(openIn(home), (thrown) => thrown instanceof Failure && /`stele doctor`/.test(thrown.hint));
  const found = await visit(home, ["--json"]);
  assert.equal(found.code, 1);
  assert.match(problems(found)[0]!.message, /damaged/);
  const made = Date.parse(ids.backup.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, "$1-$2-$3T$4:$5Z"));
  const day = new Date(made + 14 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
  assert.equal(
    problems(found)[0]!.next,
    `\`stele doctor --recover\` restores it from the backup of ${day} (${ids.backup}). What was written since would be lost.`,
  );
  for (const options of [{}, { tty: true, stdin: "n\n" }]) {
    assert.equal((await visit(home, ["--recover"], options)).code, 4);
  }
  assert.ok(readFileSync(file).equals(damaged), "neither looking nor a no changes anything");
  const mended = await visit(home, ["--recover"], { tty: true, stdin: "y\n" });
  assert.equal(mended.code, 0, mended.out + mended.err);
  const asked = `${mended.out}${mended.err}`.replaceAll(/\s/g, "");
  assert.ok(asked.includes(`${file}, from the backup of ${day} (${ids.backup})`.replaceAll(/\s/g, "")), asked);
  const [, kept] = /^Restored .+: 1 item\. What was written since is lost\. The file .+ is kept in (.+)\.$/m.exec(
    mended.out,
  )!;
  const [name] = readdirSync(kept!).filter((one) => one.endsWith(".db"));
  assert.ok(readFileSync(join(kept!, name!)).equals(damaged));
  assert.equal(statSync(join(kept!, name!)).mode & 0o777, 0o600);
  const stele = await openIn(home);
  assert.deepEqual((await stele.get({ id: ids.early })).content, "herons fish at dawn");
  await assert.rejects(stele.get({ id: ids.late }), { code: "not_found" });
  await stele.close();
});

/** Rows of a keyword index are lost, but every table can be read. */
function damageIndex(file: string): void {
  const db = new Sqlite(file);
  db.unsafeMode(true);
  db.exec("delete from memory_fts_docsize");
  db.close();
}

test("the journal tells how much a restore would lose; the newest backup that is sound is named", async () => {
  const { home, file } = newClinic();
  const stele = await openIn(home);
  const newer = (await stele.backup({})).id;
  await stele.remember({ content: "herons sleep at noon" });
  await stele.remember({ content: "herons wake at four" });
  await stele.close();
  damageIndex(file);
  const nextOf = (found: Visit) => problems(found).find(({ check }) => check === "store")!.next!;
  const [first, second] = [nextOf(await visit(home, ["--json"])), newer];
  assert.ok(first.includes(second) && first.endsWith("would be lost (2 changes by its journal)."), first);
  writeFileSync(join(home, "backups", newer, "project.db"), "rubbish");
  const older = nextOf(await visit(home, ["--json"]));
  assert.ok(older.includes(ids.backup) && /lost \([34] changes by its journal\)\.$/.test(older), older);
  const mended = await visit(home, ["--recover", "--yes"]);
  assert.match(mended.out, new RegExp(`^Restored .+\\(${ids.backup}\\): 1 item\\.`));
  assert.equal(await totalIn(home), 2, "one from the backup, and the person's own");
});

test("without a sound backup a damaged store is said to have none, and nothing is changed", async () => {
  for (const withBackup of [false, true]) {
    const { home, file } = newClinic({ withBackup });
    if (withBackup) writeFileSync(join(home, "backups", ids.backup, "project.db"), "rubbish");
    const damaged = readFileSync(file).fill(0, 0, 4_096);
    writeFileSync(file, damaged);
    for (const flags of [["--json"], ["--recover", "--yes", "--json"]]) {
      const found = await visit(home, flags);
      assert.deepEqual([found.code, found.answer.done], [1, []]);
      assert.match(
        problems(found)[0]!.next!,
        /^There is no sound backup .+ the file stays as it is\. Move it elsewhere/,
      );
      assert.ok(readFileSync(file).equals(damaged));
    }
    assert.deepEqual(
      withBackup ? readdirSync(join(home, "backups")) : existsSync(join(home, "backups")),
      withBackup && [ids.backup],
    );
    renameSync(file, `${file}.damaged`);
    if (withBackup)
      assert.equal((await visit(home, ["--recover", "--yes"])).code, 1, "the altered backup remains a problem");
    assert.equal(await totalIn(home), 1, "moved away, it begins empty");
  }
});

test("memories that replace each other are found, and the call named brings one back", async () => {
  const { home, file } = newClinic();
  let stele = await openIn(home);
  await stele.link({ source: ids.late, target: ids.early, relation: "supersedes" });
  await stele.close();
  const db = new Sqlite(file);
  db.prepare("update memory_item set status = 'superseded', superseded_by = ?, updated_at = 1 where id = ?").run(
    ...[ids.early, ids.late],
  );
  db.close();
  assert.equal(await totalIn(home), 1);
  const found = await visit(home, ["--json"]);
  assert.equal(found.code, 1);
  const [circle] = problems(found);
  for (const id of [ids.early, ids.late]) assert.ok(circle!.message.includes(handleOf(id)), circle!.message);
  const call = /`stele rollback (\w+)`/.exec(circle!.next!)?.[1];
  stele = await openIn(home);
  await stele.rollback({ call: call! });
  await stele.close();
  assert.deepEqual([(await visit(home, ["--json"])).code, await totalIn(home)], [0, 2]);
});

test("without global.db nobody begins anew; it comes back from a backup, with the names of the projects", async () => {
  for (const lose of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, "")]) {
    const { home } = newClinic();
    lose(join(home, "global.db"));
    await assert.rejects(
      openIn(home),
      (thrown) => thrown instanceof Failure && /missing or empty/.test(thrown.message),
    );
    assert.equal((await visit(home, [])).code, 1);
    assert.equal((await visit(home, ["--recover", "--yes"])).code, 0);
    assert.equal(await totalIn(home), 2);
  }
});

test("without a backup either, a single project is given back its memory", async () => {
  const { home } = newClinic({ withBackup: false });
  rmSync(join(home, "global.db"));
  const unattended = await visit(home, ["--recover", "--yes"]);
  assert.doesNotMatch(unattended.out, /is now the store of/, "nobody can know beforehand whose it is");
  assert.match(
    unattended.out,
    /Stores of no known project: \S+ \(2 items\)\.\n +If \S+ is the memory of .* in a terminal/,
  );
  assert.doesNotMatch((await visit(home, ["--recover"], { tty: true, stdin: "n\n" })).out, /is now the store of/);
  const mended = await visit(home, ["--recover", "--yes"], { tty: true, stdin: "y\n" });
  assert.equal(mended.code, 0, mended.err);
  assert.match(mended.out, new RegExp(`is now the store of ${project}\\.`));
  assert.equal(await totalIn(home), 2);
});

/** A repository with a remote and a first commit, as anybody can make one. */
function repositoryAt(root: string): string {
  const log = `${"0".repeat(40)} ${"a".repeat(40)} A <a@example.com> 1700000000 +0000\tcommit (initial): first\n`;
  mkdirSync(join(root, ".git", "logs"), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git", "config"), '[remote "origin"]\n\turl = https://example.com/app.git\n');
  writeFileSync(join(root, ".git", "logs", "HEAD"), log);
  return root;
}

test("an unpacked archive does not get the memory of a project that is gone, unless a person says it is the same", async () => {
  const [home, first] = [join(folder, "handed-over"), repositoryAt(join(folder, "first"))];
  const settings = { embedder: { provider: "hash" }, log: { level: "silent" } } as const;
  const openAt = (root: string) => open({ home, project: root, settings });
  const before = await openAt(first);
  await before.remember({ content: "The staging password rotates on Mondays" });
  await before.close();
  rmSync(first, { recursive: true });
  const forged = repositoryAt(join(folder, "forged"));
  writeFileSync(join(forged, ".stele.json"), '{"embedder": {"provider": "none"}}');
  const stranger = await openAt(forged);
  assert.deepEqual((await stranger.recall({ query: "staging password" })).hits, []);
  const { degraded } = await stranger.orient({});
  assert.match(degraded!, /had the same remote and first commit .*`stele doctor --recover`/);
  assert.match(degraded!, /\.stele\.json cannot be used and was left out/);
  assert.doesNotMatch(degraded!, /embedder/, "a repository's own words are not repeated");
  await stranger.close();
  const told = await visit(home, ["--recover"], {}, forged);
  assert.match(told.out, /is gone; .* has the same remote and first commit, but not its memory\./);
  assert.doesNotMatch(told.out, /has the memory of/);
  const taken = await visit(home, ["--recover"], { tty: true, stdin: "y\n" }, forged);
  assert.match(taken.out, new RegExp(`${forged} has the memory of ${first} now`));
  const owner = await openAt(forged);
  assert.equal((await owner.recall({ query: "staging password" })).hits.length, 1);
  await owner.close();
});

test("a project's store that was backed up is not begun anew when it is gone; without a backup it is", async () => {
  for (const lose of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, "")]) {
    const { home, file } = newClinic();
    lose(file);
    await assert.rejects(
      openIn(home),
      (thrown) =>
        thrown instanceof Failure && thrown.code === "unavailable" && /stele doctor --recover/.test(thrown.hint),
    );
    const found = await visit(home, ["--json"]);
    assert.match(problems(found)[0]!.message, /is (missing|empty), but backups of it exist/);
    const mended = await visit(home, ["--recover", "--yes"]);
    assert.equal(mended.code, 0, mended.out);
    assert.match(
      mended.out,
      /^Restored .+ from the backup of \d{4}-\d\d-\d\d \d\d:\d\d \(\S+\): 1 item\. What was written since is lost\./,
    );
    assert.equal(await totalIn(home), 2, "one from the backup, and the person's own");
  }
  const { home, file } = newClinic({ withBackup: false });
  rmSync(file);
  assert.equal((await visit(home, [])).code, 0);
  assert.equal(await totalIn(home), 1);
});

test("a project's store that was emptied later is not begun anew, even without a backup", async () => {
  const { home, file } = newClinic({ withBackup: false });
  writeFileSync(file, "");
  utimesSync(file, registered, registered);
  assert.equal(await totalIn(home), 1, "just after its registration a process may have died");
  writeFileSync(file, "");
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const later = registered + 3_600;
  utimesSync(file, later, later);
  await assert.rejects(openIn(home), (thrown) => thrown instanceof Failure && /is empty, but it/.test(thrown.message));
  assert.match(problems(await visit(home, ["--json"]))[0]!.message, /is empty, but it was not when it was created/);
  assert.equal((await visit(home, ["--recover", "--yes"])).code, 0);
  assert.equal(await totalIn(home), 1);
});

test("what stands in the place of a file or folder of ours is named, not opened, not closed to others", async () => {
  const pipe = (path: string) => {
    rmSync(path, { recursive: true, force: true });
    makePipe(path);
  };
  const folderAt = (path: string) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    chmodSync(path, 0o755);
  };
  const cases: [string, (clinic: Clinic) => string][] = [
    ["a pipe", ({ home }) => join(home, "global.db")],
    ["a folder", ({ file }) => file],
    ["a folder", ({ file }) => `${file}-shm`],
    ["a file", ({ home }) => join(home, "spaces")],
    ["a file", ({ home }) => join(home, "backups")],
  ];
  for (const [what, where] of cases) {
    const clinic = newClinic();
    const path = where(clinic);
    if (what === "a pipe") pipe(path);
    else if (what === "a folder") folderAt(path);
    else {
      rmSync(path, { recursive: true });
      writeFileSync(path, "x", { mode: 0o644 });
    }
    const found = await visit(clinic.home, ["--json", "--recover", "--yes"]);
    assert.deepEqual([found.code, found.answer.done], [1, []], path);
    const [first, ...others] = problems(found);
    assert.deepEqual(
      [first!.message.startsWith(`${path} is not a`), first!.next, others],
      [true, "Move it elsewhere.", []],
    );
  }
});

test("an empty file of a project is no lost memory, and is offered to nobody", async () => {
  const home = join(folder, `home-${(homes += 1)}`);
  mkdirSync(join(home, "spaces"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "spaces", "abc.db"), "", { mode: 0o600 });
  chmodSync(home, 0o700);
  const stele = await openIn(home);
  await stele.remember({ content: "Walruses dive" });
  await stele.close();
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  const { code, answer } = await visit(home, ["--recover", "--json"], {}, elsewhere);
  assert.deepEqual([code, answer.done], [0, []]);
  assert.match(JSON.stringify(answer.findings), /Stores of no known project: spaces\/abc\.db/);
});

test("no other command loads what only the doctor or a recovery needs", () => {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, name] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm))
      load(join(path, "..", name!));
  };
  const source = join(import.meta.dirname, "../../src");
  load(join(source, "app/compose.ts"));
  const names = [...loaded].map((path) => relative(source, path));
  assert.ok(names.includes("store/sqlite/store.ts"));
  const heavy = /doctor|recover(?!y-codes)|examine|backup-(work|restore|lock)/;
  assert.deepEqual(
    names.filter((name) => heavy.test(name)),
    [],
  );
});

test("a store that somebody has open is not recovered", async () => {
  const { home, file } = newClinic();
  const stele = await openIn(home);
  await stele.remember({ content: "herons fish at dusk" });
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, 100_000));
  const refused = await visit(home, ["--recover", "--yes", "--json"]);
  assert.deepEqual([refused.code, readdirSync(join(home, "backups"))], [4, [ids.backup]]);
  assert.match(refused.out, /Another process has/);
  writeFileSync(file, whole);
  await stele.close();
});

test("what others may read is closed, what was left behind goes, what is strange is told", async () => {
  const { home, file } = newClinic();
  chmodSync(home, 0o755);
  chmodSync(file, 0o644);
  const names = ["20260101T000000000Z-000000.tmp", "20260101T000000000Z-000001.tmp", "damaged-x"];
  const paths = names.map((name) => join(home, "backups", name));
  for (const path of paths) mkdirSync(path, { mode: 0o700 });
  utimesSync(paths[0]!, 1, 1);
  const found = await visit(home, ["--json"]);
  assert.equal(found.code, 1);
  assert.match(problems(found)[0]!.message, /2 files and folders of it can be read by others/);
  const notes = found.answer.findings.filter(({ state }) => state === "note").map(({ message }) => message);
  assert.match(notes.join("\n"), /not backups: damaged-x[^]*left behind.*-000000\.tmp\.$/i);
  const mended = await visit(home, ["--recover", "--json"]);
  assert.deepEqual([mended.code, mended.answer.done.length], [0, 2]);
  assert.deepEqual([statSync(home).mode & 0o777, statSync(file).mode & 0o777], [0o700, 0o600]);
  assert.deepEqual(
    paths.map((path) => existsSync(path)),
    [false, true, true],
  );
});

test("a folder that is a link to another is told, and its stores are examined all the same", async () => {
  const { home } = newClinic();
  const [spaces, elsewhere] = [join(home, "spaces"), `${home}-elsewhere`];
  renameSync(spaces, elsewhere);
  symlinkSync(elsewhere, spaces);
  const found = await visit(home, ["--json"]);
  const notes = found.answer.findings.filter(({ state }) => state === "note").map(({ message }) => message);
  assert.deepEqual(
    [found.code, notes.filter((one) => one.includes(" is a link. "))],
    [0, [`${spaces} is a link. Stele uses the folder it leads to, but does not check it.`]],
  );
  assert.ok(found.answer.findings.some(({ check, message }) => check === "store" && message.includes("spaces")));
});

test("bad settings, altered backups, newer schemas, emptied stores, moved projects and a rubbish model are told", async () => {
  const { home, file } = newClinic();
  writeFileSync(join(home, "config.json"), '{"recal": {}}');
  writeFileSync(join(home, "backups", ids.backup, "project.db"), "rubbish");
  writeFileSync(file, "");
  const global = new Sqlite(join(home, "global.db"));
  global.pragma("user_version = 99");
  global.exec("update space set root = '/gone'");
  global.close();
  mkdirSync(join(home, "models"), { mode: 0o700 });
  writeFileSync(join(home, "models", `${GRAPH_KEY}.graph`), "rubbish ".repeat(9), { mode: 0o600 });
  const found = await visit(home, ["--json"]);
  assert.equal(found.code, 1);
  const told = problems(found).map(({ message }) => message);
  assert.equal(told.length, 4, told.join("\n"));
  const expected = [/setting "recal"/, /schema 99/, /empty, but backups/, new RegExp(ids.backup)];
  for (const [index, said] of expected.entries()) assert.match(told[index]!, said);
  assert.match(JSON.stringify(found.answer.findings), /Folder not found: \S+ \(\/gone\).*built model is damaged/);
});

test("a setting that no longer counts is a note, and the rest of the settings holds", async () => {
  const { home } = newClinic();
  writeFileSync(join(home, "config.json"), '{"team": {"vectorsInMemory": 5}}', { mode: 0o600 });
  const { code, out } = await visit(home, []);
  assert.equal(code, 0);
  assert.match(
    out,
    /^ok +settings +The settings are valid\.\nnote +settings +team\.vectorsInMemory .* no longer counts/m,
  );
  assert.match(out, /^ok +model +The model embeds/m);
});

test("a lease from the future is named, and blocks nobody", async () => {
  const { home, file } = newClinic();
  writeFileSync(join(home, "config.json"), '{"time": {"zone": "Pacific/Kiritimati"}}', { mode: 0o600 });
  const store = new Sqlite(file);
  store.prepare("insert into lease (name, owner, until) values ('maintain', 'somebody', ?)").run(Date.UTC(2999, 0, 1));
  store.close();
  const { code, answer } = await visit(home, ["--json"]);
  assert.equal(code, 0);
  assert.match(JSON.stringify(answer.findings), /A lease for \\"maintain\\" lasts until 2999-01-01 14:00,/);
  const stele = await openIn(home);
  await stele.maintain({});
  await stele.close();
  assert.doesNotMatch(JSON.stringify((await visit(home, ["--json"])).answer.findings), /A lease for/);
});

test("a store from before the first release is told, with the way over, and left alone by a recovery", async () => {
  const { home, file } = newClinic();
  const db = new Sqlite(file);
  db.pragma("application_id = 0");
  db.close();
  const before = readFileSync(file);
  for (const flags of [["--json"], ["--recover", "--json"]]) {
    const found = await visit(home, flags);
    assert.equal(found.code, 1);
    const [told, ...more] = problems(found);
    assert.match(told!.message, /development version/);
    assert.match(told!.next!, /stele export.*stele import/);
    assert.deepEqual(more, []);
    assert.ok(readFileSync(file).equals(before));
  }
});

test("a program that cannot be loaded is a finding; a home that cannot be seen is a failure", async () => {
  const broken = streams();
  const fails = async (): Promise<Doctor> => {
    throw new Error("Module did not self-register\nRequire stack");
  };
  assert.equal(await runDoctor([], { io: broken.io, attended: false, open: fails }), 1);
  assert.match(broken.out(), /^problem +program +The program cannot be loaded: Module did not self-register\n/);
  writeFileSync(join(folder, "plain"), "a file");
  assert.equal((await visit(join(folder, "plain"), [])).code, 5);
  const misspelt = await visit(model, ["--recovr"]);
  assert.deepEqual([misspelt.code, /Did you mean --recover\?/.test(misspelt.err)], [2, true]);
});
