/** A project on a real disk: what is met, what is read, and what leads nowhere. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createProjectFiles } from "../../../src/files/disk/project-files.ts";
import { makePipe } from "../../child.ts";
import { LIMITS, project, quiet, top } from "./project-on-disk.ts";

test("a walk gives files by path, with size and time", async () => {
  const { at, files } = project({ "b.ts": "bb", "a/z.ts": "", "a/b/c.md": "c", "a.ts": "a", "empty/": "" });
  utimesSync(at("b.ts"), 1_000, 2_000.5);
  const { found, skipped, unread } = await files.walk(LIMITS);
  assert.deepEqual(
    found.map(({ path, bytes }) => [path, bytes]),
    [
      ["a.ts", 1],
      ["a/b/c.md", 1],
      ["a/z.ts", 0],
      ["b.ts", 2],
    ],
  );
  assert.equal(found[3]?.modifiedAt, 2_000_500);
  assert.deepEqual([skipped, unread], [[], []]);
});

test("the files nearest to the root come first when there are too many", async () => {
  const { met } = project({ "a/a/1.ts": "", "a/2.ts": "", "b/3.ts": "", "z.ts": "" });
  assert.deepEqual(await met({ files: 3 }), {
    found: ["a/2.ts", "b/3.ts", "z.ts"],
    skipped: [{ path: "a/a/1.ts", reason: "more than 3 files: this one and all further ones are skipped" }],
    unread: [],
  });
});

test("names without end have an end", async () => {
  const { met } = project(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index + 10}.png`, ""])));
  const { skipped } = await met({ files: 1 });
  assert.equal(skipped.length, 21);
  assert.match(skipped.at(-1)?.reason ?? "", /^too many names/);
});

/** What git answers to the same, tried. */
const rules: [why: string, contents: Record<string, string>, found: string[]][] = [
  [
    "patterns hold below the folder of their file",
    {
      ".gitignore": "*.log\n",
      "a/.gitignore": "/x\ny\n",
      "l.log": "",
      x: "",
      "a/x": "",
      "a/b/x": "",
      "a/b/y": "",
      y: "",
    },
    ["a/b/x", "x", "y"],
  ],
  [
    "a nearer file overrules one further up",
    { ".gitignore": "*.txt\n", "a/.gitignore": "!*.txt\n", "1.txt": "", "a/2.txt": "", "a/b/3.txt": "" },
    ["a/2.txt", "a/b/3.txt"],
  ],
  [
    "what lies in an ignored folder cannot be taken back",
    { ".gitignore": "a/\n!a/x\n", "a/.gitignore": "!x\n", "a/x": "" },
    [],
  ],
  ["a folder can be taken back as such", { ".gitignore": "/*\n!/a/\n", "a/x": "", y: "" }, ["a/x"]],
  ["a pattern for folders spares files", { ".gitignore": "b/\n", "a/b": "", "b/x": "" }, ["a/b"]],
  ["git's exclude file counts", { ".git/info/exclude": "x\n", ".git/HEAD": "", x: "", y: "" }, ["y"]],
  ["our own file counts", { ".steleignore": "x\n", x: "", y: "" }, ["y"]],
  [
    "our own file takes back what git leaves out, however near git's file is",
    {
      ".steleignore": "!notes/\n!*.md\n",
      ".gitignore": "notes/\n*.tmp\n",
      "notes/1.md": "",
      "notes/2.tmp": "",
      "a/.gitignore": "*.md\n",
      "a/x.md": "",
    },
    ["a/x.md", "notes/1.md"],
  ],
  ["names in odd letters are names", { "[a]/.gitignore": "x\n", "[a]/x": "", "a/x": "" }, ["a/x"]],
  ["a pattern that is none harms nothing", { ".gitignore": "[z-a]\n[\n\\\n((\n*\\\nx\n", x: "", y: "" }, ["y"]],
];
for (const [why, contents, found] of rules)
  test(why, async () => {
    const seen = (await project(contents).met()).found.filter((path) => !/\.(git|stele)ignore$/.test(path));
    assert.deepEqual(seen, found);
  });

test("what the settings exclude comes last", async () => {
  const { met } = project({ ".steleignore": "!x\n", x: "", "a/x": "", y: "" });
  assert.deepEqual((await met({ excludes: ["/x", "*.none"] })).found, [".steleignore", "a/x", "y"]);
});

test("folders of packages and of version control are not entered, though nobody ignores them", async () => {
  const { met } = project({ "node_modules/a.js": "", "a/node_modules/b.js": "", ".git/config": "", "dist/c.js": "" });
  assert.deepEqual(await met(), { found: ["dist/c.js"], skipped: [], unread: [] });
});

test("what cannot be read is named, the rest goes on", async () => {
  const { at, met } = project({ "a.ts": "", "big.ts": "", "logo.png": "", "package-lock.json": "{}", "bad\nname": "" });
  truncateSync(at("big.ts"), 50_000_000);
  makePipe(at("pipe"));
  const { found, skipped } = await met();
  assert.deepEqual(found, ["a.ts"]);
  assert.deepEqual(skipped, [
    { path: "bad\uFFFDname", reason: "its name has control characters" },
    { path: "big.ts", reason: "larger than 1 MB" },
    { path: "logo.png", reason: "binary" },
    { path: "package-lock.json", reason: "generated" },
    { path: "pipe", reason: "not a regular file" },
  ]);
});

test("links are not followed, so a loop is none", async () => {
  const { root, at, met } = project({ "a/x.ts": "" });
  symlinkSync(root, at("a/loop"));
  symlinkSync(tmpdir(), at("out"));
  symlinkSync(at("a/x.ts"), at("x.ts"));
  symlinkSync("nowhere", at("dangling"));
  const { found, skipped } = await met();
  assert.deepEqual(found, ["a/x.ts"]);
  assert.deepEqual(
    skipped.map(({ path, reason }) => `${path}: ${reason}`),
    ["a/loop: a link", "dangling: a link", "out: a link", "x.ts: a link"],
  );
});

test("a folder that may not be read is named as unread", async () => {
  const { at, met, read } = project({ "a.ts": "", "closed/b.ts": "", "shut.ts": "", "z/c.ts": "" });
  await met();
  chmodSync(at("closed"), 0);
  chmodSync(at("shut.ts"), 0);
  const [walk, shut] = [await met(), await read("shut.ts")];
  chmodSync(at("closed"), 0o755);
  assert.deepEqual(walk, {
    found: ["a.ts", "shut.ts", "z/c.ts"],
    skipped: [{ path: "closed", reason: "may not be read" }],
    unread: ["closed"],
  });
  assert.deepEqual(shut, { path: "shut.ts", reason: "may not be read" });
});

test("a project that is away is unread as a whole", async () => {
  const { root, met, read } = project({ "a.ts": "" });
  rmSync(root, { recursive: true });
  assert.deepEqual(await met(), { found: [], skipped: [{ path: ".", reason: "gone" }], unread: [""] });
  assert.deepEqual(await read("a.ts"), { path: "a.ts", reason: "gone" });
});

test("a root that is named by way of a link is the project it leads to", async () => {
  const { root } = project({ "a/b.ts": "b" });
  symlinkSync(root, join(top, "link"));
  const files = createProjectFiles(join(top, "link"), { polling: false, log: quiet });
  assert.equal((await files.walk(LIMITS)).found[0]?.path, "a/b.ts");
  assert.ok("text" in (await files.read("a/b.ts", 10)));
});

test("a file is read with its hash, without its byte order mark", async () => {
  const content = "\uFEFFgrüße\n";
  const { at, read } = project({ "a.ts": content });
  utimesSync(at("a.ts"), 1, 2);
  assert.deepEqual(await read("a.ts"), {
    path: "a.ts",
    text: "grüße\n",
    bytes: Buffer.byteLength(content),
    modifiedAt: 2_000,
    hash: createHash("sha256").update(content).digest("hex"),
  });
});

test("an empty file is text, and a file may be as large as the limit", async () => {
  const { read } = project({ a: "", b: "12345" });
  assert.ok("text" in (await read("a", 0)));
  assert.ok("text" in (await read("b", 5)));
  assert.deepEqual(await read("b", 4), { path: "b", reason: "larger than 4 bytes" });
});

const refusals: [content: string | Buffer, reason: string][] = [
  [Buffer.from([0x61, 0xff, 0x62]), "not valid UTF-8"],
  [Buffer.from("a\0b"), "binary"],
  [Buffer.from("\uFEFFtext", "utf16le"), "binary"],
  [`// @generated\n`, "generated"],
  ["x".repeat(10_000), "minified"],
];
for (const [content, reason] of refusals)
  test(`text that is ${reason} is refused (${content.length} bytes)`, async () => {
    assert.deepEqual(await project({ "a.ts": content }).read("a.ts"), { path: "a.ts", reason });
  });

test("50 MB are not read", async () => {
  const { at, read } = project({ "a.ts": "" });
  truncateSync(at("a.ts"), 50_000_000);
  assert.deepEqual(await read("a.ts"), { path: "a.ts", reason: "larger than 1 MB" });
});

test("no path leads out", async () => {
  const { root, at, read } = project({ "in/a": "a" });
  writeFileSync(join(top, "secret"), "s");
  symlinkSync(top, at("out"));
  symlinkSync(join(top, "secret"), at("link"));
  symlinkSync(at("in"), at("again"));
  const cases: [path: string, reason: string][] = [
    ["../secret", "leads out of the project"],
    ["in/../../secret", "leads out of the project"],
    [join(top, "secret"), "leads out of the project"],
    ["", "leads out of the project"],
    ["in//a", "leads out of the project"],
    ["a\0b", "leads out of the project"],
    ["out/secret", "behind a link"],
    ["again/a", "behind a link"],
    ["link", "a link"],
    ["in", "not a regular file"],
    ["in/a/b", "gone"],
    ["none", "gone"],
    ["x".repeat(300), "its path is too long"],
  ];
  for (const [path, reason] of cases)
    assert.deepEqual([path, await read(path)], [path, { path: path.replace("\0", "\uFFFD"), reason }]);
  assert.ok(root.startsWith(top));
});

test("a file that begins with what it was tells how much that was", async () => {
  const { at, files } = project({});
  const grownFrom = async (before: string, after: string) => {
    writeFileSync(at("a.md"), before);
    const was = await files.read("a.md", 100);
    assert.ok("hash" in was);
    writeFileSync(at("a.md"), after);
    const read = await files.read("a.md", 100, was);
    assert.ok("hash" in read);
    assert.equal(read.hash, createHash("sha256").update(after).digest("hex"));
    return read.grownFrom;
  };
  assert.equal(await grownFrom("walrus\n", "walrus\nseal\n"), 7);
  assert.equal(await grownFrom("", "walrus"), 0);
  assert.equal(await grownFrom("\uFEFFwälrus 🦭", "\uFEFFwälrus 🦭!"), 9);
  assert.equal(await grownFrom("walrus\n", "Walrus\nseal\n"), undefined, "it begins with something else");
  assert.equal(await grownFrom("walrus\n", "walrus\n"), undefined, "it is the same");
  assert.equal(await grownFrom("walrus\n", "wal"), undefined, "it is shorter");
});
