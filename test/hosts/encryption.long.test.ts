/** `stele encrypt`, `decrypt`, `rekey` and `unlock`: real homes, read and written through the library and the commands. */
import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { runEncryption, runUnlock } from "../../src/hosts/cli/encryption.ts";
import { open, type Stele } from "../../src/index.ts";
import type { Intent } from "../../src/model/care/encrypting.ts";
import { createHashEmbedder } from "../../src/providers/embed/hash-embedder.ts";
import { recordIn } from "../../src/providers/encryption/record-file.ts";
import { spoolFolder } from "../../src/providers/capture/spool-folder.ts";
import { repositoryKey } from "../../src/providers/git.ts";
import { createHostFiles } from "../../src/providers/files/host-files.ts";
import { DEFAULT_DATA, placesIn } from "../logic/connect/fixtures.ts";
import { runChild } from "../child.ts";
import { streams } from "./fixtures/streams.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-encryption-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
const model = join(folder, "model");
const PASSPHRASE = "four plain words suffice";
const BIN = new URL("../../bin/stele.js", import.meta.url);
const WORDS = ["herons", "storks", "cormorant"];
let [homes, backup] = [0, ""];

const openIn = (home: string): Promise<Stele> => open({ home, project, settings: { embedder: { provider: "hash" } } });

/** One home, made once: memories in both stores, a backup, a report of a hook. */
before(async () => {
  mkdirSync(project);
  const stele = await openIn(model);
  await stele.remember({ content: "herons fish at dawn" });
  await stele.remember({ content: "storks nest on roofs", scope: "global" });
  backup = (await stele.backup({})).id;
  await stele.close();
  const spool = spoolFolder(model, repositoryKey(project));
  mkdirSync(spool, { recursive: true });
});

interface Place {
  home: string;
  keyFile: string;
}

function newHome(): Place {
  const home = join(folder, `home-${(homes += 1)}`);
  cpSync(model, home, { recursive: true });
  // Folders are copied without their modes.
  for (const path of [home, join(home, "spool"), spoolFolder(home, repositoryKey(project))]) chmodSync(path, 0o700);
  return { home, keyFile: join(folder, `keys-${homes}`, "stele.key") };
}

async function run(intent: Intent, home: string, argv: readonly string[] = [], stdin = "") {
  const { io, out, err } = streams({ stdin });
  const open = () => openEncryption({ home, lateHooksMs: 0 });
  const code = await runEncryption(intent, [...argv, "--yes", "--json"], { io, attended: false, open });
  return { code, err: err(), answer: JSON.parse(out()) };
}

const encrypted = async ({ home, keyFile }: Place): Promise<Place> => {
  assert.equal((await run("encrypt", home, ["--key-file", keyFile])).code, 0);
  return { home, keyFile };
};

/** Files of a home in which any of these words can be read. */
const filesWith = (home: string, words = WORDS): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => words.some((word) => readFileSync(path).includes(word)));

async function contents(home: string): Promise<string[]> {
  const stele = await openIn(home);
  const { hits } = await stele.recall({ query: "herons storks cormorant", limit: 10 });
  await stele.close();
  return hits.map(({ content }) => content).sort();
}

const BOTH = ["herons fish at dawn", "storks nest on roofs"];

test("a memory is encrypted, used, given another key and decrypted, and nothing is lost on the way", async () => {
  const { home, keyFile } = newHome();
  assert.ok(filesWith(home).length > 0);
  const done = await run("encrypt", home, ["--key-file", keyFile]);
  assert.deepEqual([done.code, done.answer.status, done.answer.stores, done.answer.backups], [0, "encrypted", 2, 1]);
  assert.deepEqual(filesWith(home), []);
  assert.ok(!existsSync(join(home, "global.db")) && !existsSync(join(home, "spaces")));
  assert.deepEqual(await contents(home), BOTH);

  const stele = await openIn(home);
  const { id } = await stele.remember({ content: "a cormorant dries its wings" });
  assert.equal((await stele.audit({ verify: true })).verification?.ok, true);
  await stele.backup({});
  await stele.close();
  assert.deepEqual(filesWith(home), []);

  const other = join(folder, "another", "stele.key");
  const rekeyed = await run("rekey", home, ["--key-file", other]);
  assert.deepEqual([rekeyed.answer.backups, rekeyed.answer.formerKeyFile], [2, keyFile]);
  assert.notEqual(rekeyed.answer.keyId, done.answer.keyId);
  assert.deepEqual(filesWith(home), []);
  assert.equal((await contents(home)).length, 3);

  const plain = await run("decrypt", home);
  assert.deepEqual([plain.answer.status, plain.answer.keyId], ["decrypted", null]);
  assert.ok(filesWith(home).length > 0);
  const again = await openIn(home);
  assert.equal((await again.get({ id })).id, id);
  // A backup from before all of it.
  assert.equal((await again.restore({ id: backup })).status, "restored");
  await again.close();
  assert.deepEqual(await contents(home), BOTH);
});

test("an export of an encrypted memory says loudly that it is plain, and no agent writes one unasked", async () => {
  const { home } = await encrypted(newHome());
  const stele = await openIn(home);
  const path = join(folder, "export.jsonl");
  const { default: operation } = await import("../../src/operations/transfer/export.ts");
  const answer = await stele.export({ path });
  assert.equal(answer.isPlainCopy, true);
  assert.match(operation.render(answer), /^WARNING: the memory is encrypted, but this export is NOT\./);
  assert.ok(readFileSync(path, "utf8").includes("herons"));
  await stele.close();
  const { world, close } = await openWorld({
    host: "mcp",
    home,
    project,
    settings: { embedder: { provider: "hash" } },
  });
  const question = await operation.question!({ path: join(project, "x.jsonl") } as never, world);
  assert.match(question!.message, /NOT encrypted although the memory is/);
  await close();
});

test("processes that have the stores open go on with the new ones, and write nothing to the old", async () => {
  const place = newHome();
  const stele = await openIn(place.home);
  await stele.recall({ query: "herons" });
  await encrypted(place);
  const { id } = await stele.remember({ content: "a cormorant dries its wings" });
  assert.deepEqual(filesWith(place.home), []);
  await run("rekey", place.home, ["--key-file", `${place.keyFile}.new`]);
  assert.equal((await stele.get({ id })).id, id);
  await run("decrypt", place.home);
  await stele.update({ id, content: "a cormorant dries both wings" });
  await stele.close();
  assert.deepEqual(await contents(place.home), ["a cormorant dries both wings", ...BOTH]);
});

test("a report of a hook is sealed while it waits, and digested", async () => {
  const place = await encrypted(newHome());
  const { home, keyFile } = place;
  const spool = spoolFolder(home, repositoryKey(project));
  const payload = {
    hook_event_name: "UserPromptSubmit",
    session_id: "s",
    cwd: project,
    prompt: "what does a cormorant eat?",
  };
  const env = { ...process.env, STELE_CONTEXT_INJECTION: "off" };
  const { code } = await runChild(BIN, ["hook", "--host", "claude-code", "--home", home], {
    ...{ input: JSON.stringify(payload), env },
  });
  assert.equal(code, 0);
  const [name] = readdirSync(spool);
  assert.ok(name !== undefined && readFileSync(join(spool, name)).toString("latin1").startsWith("stele sealed 1"));
  assert.deepEqual(filesWith(home), []);
  await run("rekey", home, ["--key-file", `${keyFile}.new`]);
  const stele = await openIn(home);
  assert.equal((await stele.inspect({})).capture.spool.files, 1);
  await stele.extract({});
  const { capture } = await stele.inspect({});
  assert.deepEqual([capture.spool.files, capture.events], [0, 1]);
  await stele.close();
});

test("a report that waits when the memory is encrypted is sealed, and plain again when it is decrypted", async () => {
  const place = newHome();
  const path = join(spoolFolder(place.home, repositoryKey(project)), `${"a".repeat(32)}.json`);
  writeFileSync(path, '{"text":"a cormorant"}', { mode: 0o600 });
  await encrypted(place);
  assert.deepEqual(filesWith(place.home), []);
  await run("decrypt", place.home);
  assert.equal(readFileSync(path, "utf8"), '{"text":"a cormorant"}');
});

const BROKEN: [what: string, damage: (place: Place) => void, message: RegExp][] = [
  ["no key file", ({ keyFile }) => rmSync(keyFile), /The key file .* is missing/],
  [
    "half a key file",
    ({ keyFile }) => writeFileSync(keyFile, readFileSync(keyFile, "utf8").slice(0, -30)),
    /is incomplete: 35 of 64/,
  ],
  ["an empty key file", ({ keyFile }) => writeFileSync(keyFile, ""), /is incomplete: 0 of 64/],
  [
    "a key file that others can read",
    ({ keyFile }) => chmodSync(keyFile, 0o644),
    /is not a file that only you can read/,
  ],
  [
    "the key of another memory",
    ({ keyFile }) => writeFileSync(keyFile, `${"ab".repeat(32)}\n`),
    /the key of another memory/,
  ],
  [
    "a record that is cut off",
    ({ home }) => writeFileSync(join(home, "encryption.json"), '{"format":1'),
    /is damaged, or of a newer version/,
  ],
  ["a record that was altered", ({ home }) => alter(home), /was altered by somebody who does not have the key/],
  ["no record", ({ home }) => rmSync(join(home, "encryption.json")), /encryption\.json is missing, but the stores/],
  [
    "no folder of stores",
    ({ home }) => renameSync(join(home, recordIn(home)!.folder), GONE),
    /is missing: the memory was there/,
  ],
];

const GONE = join(folder, "gone");

/** Whoever replaced the public key could read what hooks report. */
function alter(home: string): void {
  const path = join(home, "encryption.json");
  const record = JSON.parse(readFileSync(path, "utf8")) as { key: { reports: string } };
  writeFileSync(path, JSON.stringify({ ...record, key: { ...record.key, reports: "ab".repeat(32) } }));
}

/** One encrypted home for all of them, put right again after each. */
let broken: Promise<Place> | undefined;

for (const [what, damage, message] of BROKEN)
  test(`${what} is said clearly, and nothing is made anew`, async () => {
    const { home, keyFile } = await (broken ??= encrypted(newHome()));
    const record = join(home, "encryption.json");
    const stores = join(home, recordIn(home)!.folder);
    const [key, text] = [keyFile, record].map((path) => readFileSync(path));
    damage({ home, keyFile });
    const before = readdirSync(home).sort();
    await assert.rejects(openIn(home), (thrown: Error & { code: string }) => {
      assert.match(thrown.message, message);
      return ["locked", "unavailable"].includes(thrown.code);
    });
    const findings = await findingsOf(home);
    assert.match(findings.find(({ check, state }) => check === "key" && state === "problem")!.message, message);
    assert.ok(findings.every(({ remedy }) => remedy?.kind !== "recover" && remedy?.kind !== "clear stores"));
    assert.deepEqual(readdirSync(home).sort(), before);
    writeFileSync(keyFile, key!, { mode: 0o600 });
    chmodSync(keyFile, 0o600);
    writeFileSync(record, text!);
    if (!existsSync(stores)) renameSync(GONE, stores);
    assert.equal((await findingsOf(home)).find(({ check }) => check === "key")!.state, "ok");
  });

test("a copied home on another machine says which key it wants, and opens with it", async () => {
  const { home, keyFile } = await encrypted(newHome());
  const copy = join(folder, "copied");
  cpSync(home, copy, { recursive: true });
  renameSync(keyFile, `${keyFile}.usb`);
  await assert.rejects(openIn(copy), { code: "locked", message: new RegExp(`${keyFile} is missing`) });
  renameSync(`${keyFile}.usb`, keyFile);
  assert.deepEqual(await contents(copy), BOTH);
});

async function findingsOf(home: string) {
  const hosts = {
    files: createHostFiles({ searched: "", extensions: "" }),
    program: { node: "/node", entry: "/stele/bin/stele.js", data: DEFAULT_DATA },
    places: placesIn(join(folder, "nobody")),
  };
  return (await openDoctor({ home, project, hosts, embedder: createHashEmbedder })).examine();
}

test("a passphrase opens nothing until somebody unlocks it; then one process holds the key for the others", async () => {
  const { home } = newHome();
  assert.equal((await run("encrypt", home, ["--passphrase", "--passphrase-stdin"], "too short")).code, 2);
  const done = await run("encrypt", home, ["--passphrase", "--passphrase-stdin"], `${PASSPHRASE}\n`);
  assert.deepEqual([done.code, done.answer.keyFile], [0, null]);
  assert.deepEqual(filesWith(home, [...WORDS, PASSPHRASE]), []);
  await assert.rejects(openIn(home), { code: "locked", message: /no running process holds its key/ });

  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { io, out } = streams({ stdin: `${PASSPHRASE}\n` });
  const open = () => openEncryption({ home });
  const unlocked = runUnlock(["--passphrase-stdin"], { io, attended: false, open, stopped: () => stopped });
  for (let waited = 0; out() === "" && waited < 200; waited += 1) await new Promise((next) => setTimeout(next, 50));
  assert.match(out(), /Unlocked\. This process holds the key/);
  assert.deepEqual(await contents(home), BOTH);
  stop();
  assert.equal(await unlocked, 0);
  await assert.rejects(openIn(home), { code: "locked" });

  const wrong = await run("decrypt", home, ["--passphrase-stdin"], "not the right one\n");
  assert.deepEqual([wrong.code, wrong.answer.error.code], [5, "locked"]);
  const right = await run("decrypt", home, ["--passphrase-stdin"], `${PASSPHRASE}\n`);
  assert.equal(right.answer.status, "decrypted");
  assert.deepEqual(await contents(home), BOTH);
});

test("the recovery sheet brings a memory back whose key is lost; a mistyped one names its group", async () => {
  const { home, keyFile } = newHome();
  const { answer } = await run("encrypt", home, ["--key-file", keyFile, "--sheet"]);
  const groups = (answer.sheet as string[]).slice(1, 5).join(" ").trim().split(/\s+/);
  assert.deepEqual(filesWith(home, groups), []);
  rmSync(keyFile);
  const typo = groups.map((group, index) =>
    index === 4 ? group.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) : group,
  );
  const mistyped = await run("rekey", home, ["--from-sheet", "--key-file", keyFile], typo.join(" "));
  assert.match(mistyped.answer.error.message, /Group 5 is mistyped/);
  const saved = await run("rekey", home, ["--from-sheet", "--key-file", keyFile], groups.join(" "));
  assert.equal(saved.code, 0, saved.err);
  assert.deepEqual(await contents(home), BOTH);
});

test("what an interrupted command left is found, said, and removed; the memory never is", async () => {
  const place = await encrypted(newHome());
  const { home } = place;
  const [left, unfinished] = [join(home, "stores-aaaaaaaaaaaa"), join(home, "stores-bbbbbbbbbbbb.tmp")];
  cpSync(join(model, "global.db"), join(home, "global.db"));
  for (const folder of [left, unfinished]) cpSync(join(model, "spaces"), folder, { recursive: true });
  const findings = await findingsOf(home);
  const { remedy } = findings.find(({ check, state }) => check === "key" && state === "problem")!;
  assert.deepEqual(remedy, { kind: "clear stores", paths: [join(home, "global.db"), unfinished, left] });
  assert.deepEqual(await contents(home), BOTH);
  assert.equal((await run("encrypt", home)).answer.status, "unchanged");
  assert.deepEqual(filesWith(home), []);
  assert.deepEqual(await contents(home), BOTH);
});

test("a key beside the data is refused, and so is a command without consent", async () => {
  const { home, keyFile } = newHome();
  const beside = await run("encrypt", home, ["--key-file", join(home, "key")]);
  assert.match(beside.answer.error.message, /beside what it protects/);
  const { io, err } = streams();
  const open = () => openEncryption({ home });
  assert.equal(await runEncryption("encrypt", ["--key-file", keyFile], { io, attended: true, open }), 4);
  assert.match(err(), /needs confirmation/);
  assert.ok(!existsSync(keyFile) && recordIn(home) === null);
});

test("before it starts, it says what will be removed and what stays plain", async () => {
  const { home, keyFile } = newHome();
  mkdirSync(join(home, "daily"));
  mkdirSync(join(home, "backups", "damaged-1"));
  const { io, out } = streams();
  const open = () => openEncryption({ home });
  const code = await runEncryption("encrypt", ["--dry-run", "--key-file", keyFile], { io, attended: true, open });
  assert.equal(code, 0);
  assert.match(out(), /Removed, because it cannot be converted[^\n]*\n +.+damaged-1\n/);
  assert.match(out(), /Stays plain text, because others read it:\n +.+daily\n/);
  assert.match(out(), /exports that you made, transcripts of your hosts/);
  assert.equal(recordIn(home), null);
});
