/** Exports of encrypted memories: encrypted by default, opened by the right key or passphrase, refused otherwise. */
import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { dispatch } from "../../src/hosts/dispatch.ts";
import type { Stele } from "../../src/index.ts";
import operation from "../../src/operations/transfer/export.ts";
import {
  BOTH,
  PASSPHRASE,
  WORDS,
  encryptedHome,
  folder,
  newHome,
  openIn,
  type Place,
  project,
  run,
} from "./fixtures/encrypted-home.ts";

const holds = (path: string, words = WORDS) => words.some((word) => readFileSync(path).includes(word));
let files = 0;
const newPath = () => join(folder, `export-${(files += 1)}.stele`);

/** What a home without any memories gets from a file. */
async function importedBy(
  path: string,
  named: Omit<Parameters<Stele["import"]>[0], "path"> = {},
  typed: string[] = [],
) {
  const home = join(folder, `empty-${(files += 1)}`);
  const asked: string[] = [];
  const askPassphrase = async (prompt = "") => {
    asked.push(prompt);
    return typed[asked.length - 1] ?? null;
  };
  const stele = await openIn(home, { askPassphrase });
  try {
    await stele.import({ path, ...named });
    return { contents: await recalled(stele), asked };
  } catch (thrown) {
    // Whatever is wrong with it, nothing of it is there.
    assert.deepEqual(await recalled(stele), []);
    throw thrown;
  } finally {
    await stele.close();
  }
}

const recalled = async (stele: Stele) =>
  (await stele.recall({ query: "herons storks", limit: 10 })).hits.map(({ content }) => content).sort();

/** One encrypted home, its recovery sheet, and its export. */
let shared: Promise<Place & { path: string; sheet: string; keyId: string }> | undefined;
const exported = () =>
  (shared ??= (async () => {
    const place = newHome();
    const { answer } = await run("encrypt", place.home, ["--key-file", place.keyFile, "--sheet"]);
    const stele = await openIn(place.home);
    const path = newPath();
    await stele.export({ path });
    await stele.close();
    return { ...place, path, sheet: (answer.sheet as string[]).slice(1, 5).join(" "), keyId: answer.keyId as string };
  })());

test("an export of an encrypted memory is encrypted to its key, and that memory imports it as it is", async () => {
  const { home } = await encryptedHome();
  const stele = await openIn(home);
  const path = newPath();
  const answer = await stele.export({ path });
  assert.deepEqual([answer.sealedBy, answer.isPlainCopy, answer.items], ["key", false, 2]);
  assert.equal(statSync(path).size, answer.files[0]!.bytes);
  assert.match(operation.render(answer), /It is encrypted: it opens where the key of this memory/);
  assert.ok(!holds(path) && readFileSync(path).includes('{"stele":"sealed export","format":1,'));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(await stele.import({ path }).then(({ unchanged, inserted }) => [unchanged, inserted]), [2, 0]);
  const { hits } = await stele.recall({ query: "herons" });
  await stele.forget({ target: hits[0]!.id, purge: true });
  assert.equal((await stele.import({ path })).inserted, 1);
  // Only an earlier export is overwritten, and an encrypted one is one.
  await assert.rejects(stele.export({ path }), { code: "conflict", hint: /overwrite/ });
  await stele.export({ path, overwrite: true });
  await stele.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("another memory opens it with the key file or the recovery sheet, and nothing else", async () => {
  const { path, keyFile, sheet, keyId } = await exported();
  assert.deepEqual((await importedBy(path, { keyFile })).contents, BOTH);
  const { contents, asked } = await importedBy(path, {}, [sheet]);
  assert.deepEqual([contents, asked], [BOTH, [`Recovery sheet of the key ${keyId}, in one line: `]]);
  await assert.rejects(importedBy(path), {
    code: "locked",
    message: new RegExp(`encrypted with the key ${keyId}, which is not`),
  });
  await assert.rejects(importedBy(path, {}, [sheet.replace(/\S/, "z")]), { message: /Group 1 is mistyped/ });
  const wrong = `${keyFile}.wrong`;
  writeFileSync(wrong, `${"ab".repeat(32)}\n`, { mode: 0o600 });
  await assert.rejects(importedBy(path, { keyFile: wrong }), { code: "locked", message: /but this is the key / });
  chmodSync(wrong, 0o644);
  await assert.rejects(importedBy(path, { keyFile: wrong }), { code: "locked", message: /only you can read/ });
  await assert.rejects(importedBy(path, { keyFile: `${wrong}.gone` }), { code: "locked", message: /is missing/ });
});

test("the memory itself opens it after its key was changed, as long as the former one is named or on a sheet", async () => {
  const { home, nextKeyFile, keyFile } = await encryptedHome();
  const stele = await openIn(home);
  const path = newPath();
  await stele.export({ path });
  await run("rekey", home, ["--key-file", nextKeyFile]);
  await assert.rejects(stele.import({ path }), { code: "locked" });
  assert.equal((await stele.import({ path, keyFile })).unchanged, 2);
  await stele.close();
});

const SPOILT: [what: string, spoil: (path: string, size: number) => void][] = [
  ["cut off", (path, size) => truncateSync(path, size - 1)],
  ["cut in its header", (path) => truncateSync(path, 100)],
  ["altered", (path, size) => writeFileSync(path, readFileSync(path).fill(0, size - 40, size - 39))],
  ["appended to", (path) => writeFileSync(path, "x", { flag: "a" })],
  [
    "altered in its header",
    (path) => writeFileSync(path, readFileSync(path, "latin1").replace(/"sealed":"../, '"sealed":"zz'), "latin1"),
  ],
];

for (const [what, spoil] of SPOILT)
  test(`an encrypted export that was ${what} is refused, and nothing of it is imported`, async () => {
    const { path, keyFile } = await exported();
    const copy = newPath();
    copyFileSync(path, copy);
    spoil(copy, statSync(copy).size);
    await assert.rejects(importedBy(copy, { keyFile }), {
      code: "invalid_input",
      message: /export-\d+\.stele (?:was cut off or altered|has a damaged header)\.$/,
    });
  });

test("a passphrase carries it elsewhere: typed or from a private file; a wrong one is locked", async () => {
  const { home } = await exported();
  const [path, file] = [newPath(), join(folder, "passphrase")];
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  const asked: string[] = [];
  const typed = [PASSPHRASE, "something else entirely"];
  const stele = await openIn(home, { askPassphrase: async (prompt = "") => typed[asked.push(prompt) - 1]! });
  await assert.rejects(stele.export({ path, passphrase: true }), { message: "The two differ." });
  assert.deepEqual(asked, ["Passphrase for the export: ", "Again: "]);
  assert.equal((await stele.export({ path, passphraseFile: file })).sealedBy, "passphrase");
  await stele.close();
  assert.ok(!holds(path, [...WORDS, PASSPHRASE]));
  // Asked once, however often the file is read.
  const opened = await importedBy(path, {}, [PASSPHRASE]);
  assert.deepEqual([opened.contents, opened.asked], [BOTH, ["Passphrase of the export: "]]);
  await assert.rejects(importedBy(path), { code: "locked", message: /is encrypted with a passphrase\./ });
  writeFileSync(file, "not the right one\n");
  await assert.rejects(importedBy(path, { passphraseFile: file }), {
    code: "locked",
    message: "The passphrase is wrong.",
  });
});

test("a passphrase that is short, missing or readable by others encrypts nothing", async () => {
  const { home } = await exported();
  const [path, file] = [newPath(), join(folder, "weak")];
  const stele = await openIn(home);
  await assert.rejects(stele.export({ path, passphrase: true }), { code: "invalid_input", message: /No passphrase/ });
  await assert.rejects(stele.export({ path, passphraseFile: file }), { message: /weak does not exist/ });
  writeFileSync(file, "short\n", { mode: 0o600 });
  await assert.rejects(stele.export({ path, passphraseFile: file }), { message: /at least 12 characters/ });
  chmodSync(file, 0o666);
  await assert.rejects(stele.export({ path, passphraseFile: file }), { message: /only you can read/ });
  await assert.rejects(stele.export({ path, passphraseFile: file, plain: true }), { message: /either plain or/ });
  await assert.rejects(stele.export({ path: `${path}.d`, split: true }), { message: /never encrypted/ });
  await stele.close();
  rmSync(file);
  assert.deepEqual(
    readdirSync(folder).filter((name) => path.endsWith(name) || name.endsWith(".tmp")),
    [],
  );
});

test("a plain file in the place of an encrypted one is refused if what opens it is named", async () => {
  const { home, keyFile } = await exported();
  const [path, file] = [newPath(), join(folder, "expected")];
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  const stele = await openIn(home);
  await stele.export({ path, plain: true });
  await stele.close();
  for (const named of [{ keyFile }, { passphraseFile: file }])
    await assert.rejects(importedBy(path, named), { code: "invalid_input", message: /is not encrypted, although/ });
  assert.deepEqual((await importedBy(path)).contents, BOTH);
});

test("a plain export says loudly that it is plain", async () => {
  const { home } = await exported();
  const stele = await openIn(home);
  const path = newPath();
  const answer = await stele.export({ path, plain: true });
  assert.deepEqual([answer.sealedBy, answer.isPlainCopy], [null, true]);
  assert.match(operation.render(answer), /^WARNING: the memory is encrypted, but this export is NOT\./);
  assert.ok(holds(path));
  await stele.close();
});

test("a surface file is a plain copy too: it says so, and an agent asks first", async () => {
  const { home } = await exported();
  const { default: surface } = await import("../../src/operations/context/surface.ts");
  const stele = await openIn(home);
  const answer = await stele.surface({ write: true });
  assert.ok(answer.isPlainCopy && !(await stele.surface({})).isPlainCopy);
  assert.match(surface.render(answer), /WARNING: the memory is encrypted, but this file is NOT/);
  await stele.close();
  const settings = { embedder: { provider: "hash" as const } };
  const { world, close } = await openWorld({ host: "mcp", home, project, settings });
  await assert.rejects(dispatch(surface, { write: true }, world), { code: "refused" });
  assert.equal((await dispatch(surface, {}, world)).answer.path, null);
  await close();
});

test("an agent exports to the memory's key as it may write, and asks a person before anything else leaves", async () => {
  const { home } = await exported();
  const settings = { embedder: { provider: "hash" as const } };
  const { world, close } = await openWorld({ host: "mcp", home, project, settings });
  const path = join(project, "mine.stele");
  const refused = (input: object) =>
    assert.rejects(dispatch(operation, { path, ...input }, world), { code: "refused" });
  await refused({ plain: true });
  await refused({ passphraseFile: "anything" });
  await refused({ path: join(folder, "outside.stele") });
  assert.equal((await dispatch(operation, { path }, world)).answer.sealedBy, "key");
  assert.ok(!holds(path));
  const asked: string[] = [];
  await dispatch(operation, { path: join(project, "plain.jsonl"), plain: true }, world, {
    ask: async ({ message }) => (asked.push(message), { action: "accept", values: { write: true } }),
  });
  assert.match(asked.join(), /NOT encrypted although the memory is/);
  await close();
});
