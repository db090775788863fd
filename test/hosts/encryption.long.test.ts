/** `stele encrypt`, `decrypt`, `rekey` and `unlock`: real homes, read and written through the library and the commands. */
import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createHostFiles } from "../../src/agents/agent-files.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { runEncryption } from "../../src/cli/encryption.ts";
import { createHashEmbedder } from "../../src/embed/embedders.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { repositoryKey } from "../../src/files/git/git.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { DEFAULT_DATA, placesIn } from "../agents/fixtures.ts";
import { runChild } from "../child.ts";
import {
  BOTH,
  contents,
  encrypted,
  encryptedHome,
  filesWith,
  folder,
  made,
  model,
  newHome,
  openIn,
  type Place,
  project,
  run,
} from "./fixtures/encrypted-home.ts";
import { streams } from "./fixtures/streams.ts";

const BIN = new URL("../../bin/stele.js", import.meta.url);

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
  assert.equal((await again.restore({ id: made.backup })).status, "restored");
  await again.close();
  assert.deepEqual(await contents(home), BOTH);
});

test("processes that have the stores open go on with the new ones, and write nothing to the old", async () => {
  const place = newHome();
  const stele = await openIn(place.home);
  await stele.recall({ query: "herons" });
  await encrypted(place);
  const { id } = await stele.remember({ content: "a cormorant dries its wings" });
  assert.deepEqual(filesWith(place.home), []);
  await run("rekey", place.home, ["--key-file", place.nextKeyFile]);
  assert.equal((await stele.get({ id })).id, id);
  await run("decrypt", place.home);
  await stele.update({ id, content: "a cormorant dries both wings" });
  await stele.close();
  assert.deepEqual(await contents(place.home), ["a cormorant dries both wings", ...BOTH]);
});

const hookIn = (home: string, prompt: string) => {
  const payload = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: project, prompt };
  const env = { ...process.env, STELE_CONTEXT_INJECTION: "off" };
  return runChild(BIN, ["hook", "--host", "claude-code", "--home", home], { input: JSON.stringify(payload), env });
};

test("a hook writes nothing in plain text if the record is damaged or gone", async () => {
  const { home } = await encryptedHome();
  const record = join(home, "encryption.json");
  for (const spoil of [() => writeFileSync(record, "{"), () => rmSync(record)]) {
    spoil();
    assert.equal((await hookIn(home, "what does a cormorant eat?")).code, 0);
    assert.deepEqual(filesWith(home), []);
  }
});

test("a report of a hook is sealed while it waits, and digested", async () => {
  const place = await encryptedHome();
  const { home, nextKeyFile } = place;
  const spool = spoolFolder(home, repositoryKey(project));
  const { code } = await hookIn(home, "what does a cormorant eat?");
  assert.equal(code, 0);
  const [name] = readdirSync(spool);
  assert.ok(name !== undefined && readFileSync(join(spool, name)).toString("latin1").startsWith("stele sealed 1"));
  assert.deepEqual(filesWith(home), []);
  await run("rekey", home, ["--key-file", nextKeyFile]);
  const stele = await openIn(home);
  assert.equal((await stele.inspect({})).capture.spool.files, 1);
  await stele.extract({});
  const { capture } = await stele.inspect({});
  assert.deepEqual([capture.spool.files, capture.events], [0, 1]);
  await stele.close();
});

test("a report that a late hook left in plain text is found, and sealed by repeating the command", async () => {
  const { home } = await encryptedHome();
  const path = join(spoolFolder(home, repositoryKey(project)), `${"b".repeat(32)}.json`);
  writeFileSync(path, '{"text":"a cormorant"}', { mode: 0o600 });
  const found = async () =>
    (await findingsOf(home)).filter(({ check, state }) => check === "key" && state === "problem");
  assert.match(
    (await found())[0]!.message,
    /^Reports of hooks that wait in plain text although the memory is encrypted: 1\./,
  );
  assert.equal((await run("encrypt", home)).answer.status, "unchanged");
  assert.deepEqual([await found(), filesWith(home)], [[], []]);
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

const BROKEN: [what: string, damage: (place: Pick<Place, "home" | "keyFile">) => void, message: RegExp][] = [
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
    "a link in place of the key file",
    ({ keyFile }) => {
      renameSync(keyFile, `${keyFile}.real`);
      symlinkSync(`${keyFile}.real`, keyFile);
    },
    /is a link, and links are not followed/,
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
    const { home, keyFile } = await (broken ??= encryptedHome());
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
    rmSync(keyFile, { force: true });
    writeFileSync(keyFile, key!, { mode: 0o600 });
    chmodSync(keyFile, 0o600);
    writeFileSync(record, text!);
    if (!existsSync(stores)) renameSync(GONE, stores);
    assert.equal((await findingsOf(home)).find(({ check }) => check === "key")!.state, "ok");
  });

test("a copied home on another machine says which key it wants, and opens with it", async () => {
  const { home, keyFile } = await encryptedHome();
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
  const place = await encryptedHome();
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

test("of two commands at once one encrypts, and the other leaves no key behind", async () => {
  const { home, keyFile, nextKeyFile } = newHome();
  const late = openEncryption({ home, lateHooksMs: 0 });
  await run("encrypt", home, ["--key-file", keyFile]);
  await assert.rejects(late.change(null, { kind: "file", path: nextKeyFile }), { code: "conflict" });
  assert.deepEqual([existsSync(keyFile), existsSync(nextKeyFile)], [true, false]);
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
