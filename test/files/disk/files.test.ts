/** Files on a real disk: whole or not there, private, and never through a link. */
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { createFiles } from "../../../src/files/disk/named-files.ts";
import { runs } from "../../lane.ts";

const top = mkdtempSync(join(tmpdir(), "stele-files-"));
after(() => rmSync(top, { recursive: true, force: true }));

let made = 0;
function folder() {
  made += 1;
  const path = join(top, String(made));
  mkdirSync(path);
  return { path, at: (name: string) => join(path, name), names: () => readdirSync(path).sort() };
}

const files = createFiles(top);
const LIMITS = { lineBytes: 1_000_000, fileBytes: 10_000_000 };

async function* each(lines: readonly string[]) {
  yield* lines;
}

async function linesOf(path: string, limits = LIMITS): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of files.lines(path, limits)) lines.push(line);
  return lines;
}

test("relative paths start at the base, absolute ones stay", () => {
  assert.deepEqual([files.resolve("a/../b"), files.resolve("/x")], [join(top, "b"), "/x"]);
});

test("nothing is written into a folder of Stele's own, by whatever name", async () => {
  const { path, at } = folder();
  mkdirSync(at("spaces"));
  symlinkSync(at("spaces"), at("elsewhere"));
  const guarded = createFiles(path, [at("spaces"), at("backups")]);
  for (const name of ["spaces/a.jsonl", "spaces/new/a.jsonl", "elsewhere/a.jsonl", "backups/a.jsonl", "x/../spaces/a"])
    await assert.rejects(guarded.draft(guarded.resolve(name), each(["line"])), {
      code: "invalid_input",
      message: /is in a folder of Stele's own data/,
    });
  const draft = await guarded.draft(guarded.resolve("spaces.jsonl"), each(["line"]));
  await draft.keep();
  assert.deepEqual(readdirSync(path).sort(), ["elsewhere", "spaces", "spaces.jsonl"]);
});

test("what is at a path is told without following links", async () => {
  const { path, at } = folder();
  writeFileSync(at("file"), "");
  mkdirSync(at("folder"));
  symlinkSync(at("file"), at("to-file"));
  symlinkSync(at("folder"), at("to-folder"));
  symlinkSync(at("nowhere"), at("dangling"));
  const server = createServer().listen(at("socket"));
  await once(server, "listening");
  const kinds: [string, string][] = [
    ["file", "file"],
    ["folder", "folder"],
    ["nothing", "absent"],
    ["file/below", "absent"],
    ["to-file", "link"],
    ["to-folder", "link"],
    ["dangling", "link"],
    ["socket", "other"],
  ];
  for (const [name, kind] of kinds) assert.equal(await files.kindOf(at(name)), kind, name);
  for (const name of ["folder", "to-file", "socket", "nothing"]) {
    await assert.rejects(linesOf(at(name)), { name: "Failure" }, name);
  }
  server.close();
  assert.equal(await files.kindOf(path), "folder");
});

test("lines come back as they were written, wherever the reading pauses", async () => {
  const { at } = folder();
  const line = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom("", "\r", "\u2028 \u0085", "é".repeat(200_000), `${"x".repeat(262_142)}€`, "🦦".repeat(70_000)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (texts) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const draft = await files.draft(at("file"), each(lines));
      await draft.keep();
      const bytes = lines.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      assert.deepEqual([draft.lines, draft.bytes, statSync(at("file")).size], [lines.length, bytes, bytes]);
      assert.deepEqual(await linesOf(at("file")), lines);
    }),
    { numRuns: runs(25) },
  );
});

test("a draft is private, stands beside its place, and is moved or gone", async () => {
  const { at, names } = folder();
  writeFileSync(at("file"), "before", { mode: 0o644 });
  const dropped = await files.draft(at("file"), each(["after"]));
  assert.deepEqual([readFileSync(at("file"), "utf8"), names().length], ["before", 2]);
  const other = names().find((name) => name !== "file")!;
  assert.equal(statSync(at(other)).mode & 0o777, 0o600);
  await dropped.drop();
  assert.deepEqual(names(), ["file"]);
  const kept = await files.draft(at("file"), each(["after"]));
  await kept.keep();
  await kept.drop();
  assert.deepEqual([names(), readFileSync(at("file"), "utf8")], [["file"], "after\n"]);
  assert.equal(statSync(at("file")).mode & 0o777, 0o600);
});

test("what a killed writer left goes with the next draft, and nothing else does", async () => {
  const { at, names } = folder();
  const abandoned = [`.stele-${"a".repeat(16)}.tmp`, `.stele-${"b".repeat(16)}.tmp`, ".stele-notes.tmp", "old"];
  for (const name of abandoned) writeFileSync(at(name), "");
  const longAgo = Date.now() / 1_000 - 7_200;
  for (const name of abandoned.slice(1)) utimesSync(at(name), longAgo, longAgo);
  await (await files.draft(at("file"), each([]))).keep();
  assert.deepEqual(names(), [".stele-aaaaaaaaaaaaaaaa.tmp", ".stele-notes.tmp", "file", "old"]);
});

test("a source that fails leaves nothing behind, and its own words", async () => {
  const { at, names } = folder();
  writeFileSync(at("file"), "before");
  const fault = Object.assign(new Error("the source is dry"), { code: "ENOENT" });
  async function* failing() {
    yield "x".repeat(600_000);
    throw fault;
  }
  await assert.rejects(files.draft(at("file"), failing()), fault);
  assert.deepEqual([names(), readFileSync(at("file"), "utf8")], [["file"], "before"]);
});

test("a link or folder that has come to stand there is not replaced", async () => {
  const { at, names } = folder();
  writeFileSync(at("victim"), "untouched");
  const draft = await files.draft(at("file"), each(["planted"]));
  symlinkSync(at("victim"), at("file"));
  await assert.rejects(draft.keep(), { code: "conflict" });
  await draft.drop();
  assert.deepEqual([names(), readFileSync(at("victim"), "utf8")], [["file", "victim"], "untouched"]);
});

test("of several who write one new file at once, one does and the others are told", async () => {
  const { at, names } = folder();
  const drafts = await Promise.all(["one", "two", "three"].map((text) => files.draft(at("file"), each([text]))));
  const kept = await Promise.allSettled(drafts.map((draft) => draft.keep({ isNew: true })));
  for (const draft of drafts) await draft.drop();
  const reasons = kept.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : []));
  assert.deepEqual([reasons, names()], [["conflict", "conflict"], ["file"]]);
  const winner = kept.findIndex(({ status }) => status === "fulfilled");
  assert.deepEqual(await linesOf(at("file")), [["one", "two", "three"][winner]]);
});

test("folders are made where they can be, and where not, it says so", async () => {
  const { at } = folder();
  const draft = await files.draft(at("a/b/c/file"), each(["deep"]));
  await draft.keep();
  assert.deepEqual(await linesOf(at("a/b/c/file")), ["deep"]);
  assert.equal(statSync(at("a/b")).mode & 0o777, 0o700);
  await assert.rejects(files.draft(at("a/b/c/file/below/it"), each([])), { code: "invalid_input" });
  await assert.rejects(files.draft(at("x".repeat(300) + "/file"), each([])), { code: "invalid_input" });
});

test("bytes that are no text, lines without end and too much of anything are refused by line", async () => {
  const { at } = folder();
  const refused = async (bytes: string | Buffer, said: RegExp, limits = LIMITS) => {
    writeFileSync(at("file"), bytes);
    await assert.rejects(linesOf(at("file"), limits), (thrown: { code: string; message: string }) => {
      assert.equal(thrown.code, "invalid_input");
      assert.match(thrown.message, said);
      return true;
    });
  };
  await refused(Buffer.from([0x61, 0x0a, 0xc3, 0x28, 0x0a]), /line 2 is not valid UTF-8/);
  await refused(Buffer.from([0x61, 0x0a, 0xed, 0xa0, 0x80, 0x0a]), /line 2 is not valid UTF-8/);
  await refused("one\ntwo\nthr", /line 3 has no end/);
  await refused("12345\n123456\n", /line 2 is too long/, { lineBytes: 5, fileBytes: 100 });
  await refused("x".repeat(300_000), /line 1 is too long/, { lineBytes: 270_000, fileBytes: 1_000_000 });
  await refused("12345\n", /is too large/, { lineBytes: 100, fileBytes: 5 });
});

test("a file that grows while it is read stays within its limit", async () => {
  const { at } = folder();
  writeFileSync(at("file"), "a\n");
  const reading = files.lines(at("file"), { lineBytes: 10_000_000, fileBytes: 1_000 })[Symbol.asyncIterator]();
  assert.equal((await reading.next()).value, "a");
  truncateSync(at("file"), 5_000);
  await assert.rejects(reading.next(), { code: "invalid_input" });
});

test("how a file begins, and taking it away", async () => {
  const { at } = folder();
  writeFileSync(at("file"), "begin");
  assert.deepEqual(
    [await files.beginsWith(at("file"), "beg"), await files.beginsWith(at("file"), "bug")],
    [true, false],
  );
  assert.equal(await files.beginsWith(at("file"), "beginning"), false);
  await files.remove(at("file"));
  await files.remove(at("file"));
  assert.equal(await files.kindOf(at("file")), "absent");
});

test("a whole text is read with or without an end, by its bytes; names come in order", async () => {
  const { path, at } = folder();
  const text = `é\n${"x".repeat(300_000)}\nno end`;
  writeFileSync(at("b.md"), text);
  writeFileSync(at("a.md"), "");
  writeFileSync(at("c.md"), Buffer.from([0xc3]));
  symlinkSync(at("b.md"), at("d.md"));
  assert.deepEqual(await files.names(path), ["a.md", "b.md", "c.md", "d.md"]);
  assert.equal(await files.text(at("b.md"), { fileBytes: Buffer.byteLength(text) }), text);
  assert.equal(await files.text(at("a.md"), { fileBytes: 1 }), "");
  await assert.rejects(files.text(at("b.md"), { fileBytes: 300_000 }), { code: "invalid_input", message: /too large/ });
  await assert.rejects(files.text(at("c.md"), { fileBytes: 9 }), { code: "invalid_input", message: /UTF-8/ });
  for (const name of ["d.md", "nowhere", "."]) await assert.rejects(files.text(at(name), { fileBytes: 9 }), name);
  await assert.rejects(files.names(at("nowhere")), { code: "not_found" });
});
