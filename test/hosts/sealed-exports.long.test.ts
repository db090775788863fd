/** Exports of encrypted memories are plain, and said to be; those that earlier versions encrypted open with the right key or passphrase. */
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { parseArguments } from "../../src/cli/arguments.ts";
import type { Stele } from "../../src/index.ts";
import operation from "../../src/transfer/verbs/export.ts";
import { sealFile } from "../encryption/sealed-export-writer.ts";
import {
  BOTH,
  encryptedHome,
  folder,
  newHome,
  openIn,
  PASSPHRASE,
  type Place,
  project,
  run,
  WORDS,
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

/** One encrypted home, its recovery sheet, its export, and the same as an earlier version encrypted it. */
let shared: Promise<Place & { plain: string; path: string; sheet: string; keyId: string }> | undefined;
const exported = () =>
  (shared ??= (async () => {
    const place = newHome();
    const { answer } = await run("encrypt", place.home, ["--key-file", place.keyFile, "--sheet"]);
    const stele = await openIn(place.home);
    const [plain, path] = [newPath(), newPath()];
    await stele.export({ path: plain, plain: true });
    await stele.close();
    await sealFile(plain, path, place);
    return {
      ...place,
      plain,
      path,
      sheet: (answer.sheet as string[]).slice(1, 5).join(" "),
      keyId: answer.keyId as string,
    };
  })());

test("what an earlier version encrypted imports as it is where its key is", async () => {
  const { home, keyFile } = await encryptedHome();
  const stele = await openIn(home);
  const [plain, path] = [newPath(), newPath()];
  await stele.export({ path: plain, plain: true });
  await sealFile(plain, path, { keyFile });
  assert.ok(!holds(path) && readFileSync(path).includes('{"stele":"sealed export","format":1,'));
  assert.deepEqual(await stele.import({ path }).then(({ unchanged, inserted }) => [unchanged, inserted]), [2, 0]);
  const { hits } = await stele.recall({ query: "herons" });
  await stele.forget({ target: hits[0]!.id, purge: true });
  assert.equal((await stele.import({ path })).inserted, 1);
  // Only an earlier export is overwritten, and an encrypted one is one.
  await assert.rejects(stele.export({ path, plain: true }), { code: "conflict", hint: /overwrite/ });
  await stele.export({ path, plain: true, overwrite: true });
  assert.ok(holds(path));
  await stele.close();
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
  const [plain, path] = [newPath(), newPath()];
  await stele.export({ path: plain, plain: true });
  await sealFile(plain, path, { keyFile });
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

test("one that a passphrase encrypts opens with it, typed or from a private file; a wrong one is locked", async () => {
  const { plain } = await exported();
  const [path, file] = [newPath(), join(folder, "passphrase")];
  await sealFile(plain, path, { passphrase: PASSPHRASE });
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  // Asked once, however often the file is read.
  const opened = await importedBy(path, {}, [PASSPHRASE]);
  assert.deepEqual([opened.contents, opened.asked], [BOTH, ["Passphrase of the export: "]]);
  assert.deepEqual((await importedBy(path, { passphraseFile: file })).contents, BOTH);
  await assert.rejects(importedBy(path), { code: "locked", message: /is encrypted with a passphrase\./ });
  writeFileSync(file, "not the right one\n");
  await assert.rejects(importedBy(path, { passphraseFile: file }), {
    code: "locked",
    message: "The passphrase is wrong.",
  });
  chmodSync(file, 0o666);
  await assert.rejects(importedBy(path, { passphraseFile: file }), { message: /only you can read/ });
  await assert.rejects(importedBy(path, { passphraseFile: `${file}.gone` }), { message: /does not exist/ });
});

test("a file that the last version wrote opens with its passphrase", async () => {
  const path = join(import.meta.dirname, "fixtures", "sealed.stele");
  assert.deepEqual((await importedBy(path, {}, [PASSPHRASE])).contents, BOTH);
});

test("a plain file in the place of an encrypted one is refused if what opens it is named", async () => {
  const { plain, keyFile } = await exported();
  const file = join(folder, "expected");
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  for (const named of [{ keyFile }, { passphraseFile: file }])
    await assert.rejects(importedBy(plain, named), { code: "invalid_input", message: /is not encrypted, although/ });
  assert.deepEqual((await importedBy(plain)).contents, BOTH);
});

test("an export says loudly that it is plain although the memory is not", async () => {
  const { home } = await exported();
  const stele = await openIn(home);
  const path = newPath();
  const answer = await stele.export({ path, plain: true });
  assert.ok(answer.isPlainCopy && holds(path) && (statSync(path).mode & 0o777) === 0o600);
  assert.match(operation.render(answer), /^WARNING: the memory is encrypted, but this export is NOT\./);
  // Unasked, nothing is written.
  const unasked = { code: "refused", hint: /--plain .* `age -p` or `gpg --symmetric`/ };
  await assert.rejects(stele.export({ path: `${path}.2` }), unasked);
  await assert.rejects(stele.export({ path: `${path}.3`, split: true }), unasked);
  await stele.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => /\.stele\.|\.tmp$/.test(name)),
    [],
  );
});

test("encrypting an export is answered with what to use instead, by the library and in a terminal", async () => {
  const { home } = await exported();
  const stele = await openIn(home);
  const path = newPath();
  for (const gone of [{ passphrase: true }, { passphraseFile: "some" }])
    await assert.rejects(stele.export({ path, ...gone } as { path: string }), {
      code: "invalid_input",
      message: /^export has no field `passphrase(?:File)?` any more\.$/,
      hint: /`age -p` or `gpg --symmetric`/,
    });
  await stele.close();
  for (const argv of [
    ["x", "--passphrase"],
    ["x", "--passphrase-file", "some"],
    ["x", "--passphrase=true"],
  ])
    assert.throws(() => parseArguments(operation as unknown as AnyOperation, argv), {
      code: "invalid_input",
      message: /^export has no flag --passphrase(?:-file)? any more\.$/,
      hint: /`age -p` or `gpg --symmetric`/,
    });
});

test("a surface file is a plain copy too: it says so, and an agent asks first", async () => {
  const { home } = await exported();
  const { default: surface } = await import("../../src/briefing/verbs/surface.ts");
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

test("whoever exports an encrypted memory is asked: a person unless they said --plain, an agent always", async () => {
  const { home } = await exported();
  const settings = { embedder: { provider: "hash" as const } };
  const asked: string[] = [];
  const answering = (isYes: boolean) => ({
    ask: async ({ message }: { message: string }) => (
      asked.push(message),
      { action: "accept" as const, values: { write: isYes } }
    ),
  });
  const agent = await openWorld({ host: "mcp", home, project, settings });
  const path = join(project, "plain.jsonl");
  for (const input of [{ plain: true }, {}])
    await assert.rejects(dispatch(operation, { path, ...input }, agent.world), { code: "refused" });
  for (const plain of [true, false])
    await dispatch(operation, { path, plain, overwrite: true }, agent.world, answering(true));
  assert.equal(asked.filter((one) => /An agent .* NOT encrypted although the memory is/.test(one)).length, 2);
  await agent.close();
  asked.length = 0;
  const person = await openWorld({ host: "cli", home, project, settings });
  const own = newPath();
  await assert.rejects(dispatch(operation, { path: own }, person.world, answering(false)), { code: "refused" });
  assert.deepEqual(
    asked.map((one) => one.split("\n")[0]),
    ["This writes an export, NOT encrypted although the memory is, to this path:"],
  );
  await assert.rejects(dispatch(operation, { path: own }, person.world), { code: "refused", hint: /--plain/ });
  assert.ok((await dispatch(operation, { path: own }, person.world, answering(true))).answer.isPlainCopy);
  await dispatch(operation, { path: own, plain: true, overwrite: true }, person.world, answering(false));
  assert.equal(asked.length, 2, "--plain has said it already");
  await person.close();
});
