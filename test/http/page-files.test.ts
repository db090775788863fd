import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readPage } from "../../src/http/page-files.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-page-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("files of known kinds are read, links and others left out", () => {
  const page = join(folder, "page");
  mkdirSync(join(page, "views"), { recursive: true });
  writeFileSync(join(folder, "secret.json"), "{}");
  writeFileSync(join(page, "index.html"), "<!doctype html>");
  writeFileSync(join(page, "views", "inbox.js"), "export {}");
  writeFileSync(join(page, "notes.txt"), "not for the browser");
  symlinkSync(join(folder, "secret.json"), join(page, "secret.json"));
  symlinkSync(folder, join(page, "outside"));
  const files = readPage(page);
  assert.deepEqual([...files.keys()].sort(), ["/", "/index.html", "/views/inbox.js"]);
  assert.equal(files.get("/")?.type, "text/html; charset=utf-8");
  assert.notEqual(files.get("/")?.tag, files.get("/views/inbox.js")?.tag);
});

test("without a page there are no files", () => {
  assert.equal(readPage(join(folder, "missing")).size, 0);
  writeFileSync(join(folder, "file"), "");
  assert.equal(readPage(join(folder, "file")).size, 0);
});
