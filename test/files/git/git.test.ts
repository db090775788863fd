/** Git's files, written by hand: git itself is not needed, neither here nor there. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { headCommit, readBranch, readHead, readRepository } from "../../../src/files/git/git.ts";
import { makePipe } from "../../child.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A temporary folder with these files; a name that ends in a slash is a folder. */
function tree(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-git-")));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, content);
  }
  return folder;
}

const ZERO = "0".repeat(40);
const FIRST = "a".repeat(40);
const SECOND = "b".repeat(40);
const LOG = [
  `${ZERO} ${FIRST} Ada <ada@example.com> 1700000000 +0000\tcommit (initial): start`,
  `${FIRST} ${SECOND} Ada <ada@example.com> 1700000001 +0000\tcommit: more`,
].join("\n");
const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/app.git\n\tfetch = +refs/*\n';

const PLAIN = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": CONFIG,
  ".git/logs/HEAD": LOG,
  ".git/objects/": "",
  ".git/refs/": "",
  "src/deep/": "",
};

/** The same files below another folder. */
const below = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

test("a repository: key, root, remote, first commit, from the top and from a folder inside", () => {
  const root = tree(PLAIN);
  const expected = {
    key: join(root, ".git"),
    root,
    remote: "https://example.com/app.git",
    firstCommit: FIRST,
    gitFolder: join(root, ".git"),
    checkout: root,
  };
  assert.deepEqual(readRepository(root), expected);
  assert.deepEqual(readRepository(join(root, "src/deep")), expected);
});

test("a repository reached through a link is the same", () => {
  const root = tree(PLAIN);
  const elsewhere = tree({});
  symlinkSync(root, join(elsewhere, "link"));
  assert.deepEqual(readRepository(join(elsewhere, "link", "src")), readRepository(root));
});

test("a worktree shares key, root, remote and first commit with its repository, but neither HEAD nor files", () => {
  const root = tree({
    ...below("main", PLAIN),
    "main/.git/worktrees/fix/HEAD": "ref: refs/heads/fix/login\n",
    "main/.git/worktrees/fix/commondir": "../..\n",
    "fix/src/": "",
  });
  writeFileSync(join(root, "fix/.git"), `gitdir: ${join(root, "main/.git/worktrees/fix")}\n`);
  writeFileSync(join(root, "main/.git/worktrees/fix/gitdir"), `${join(root, "fix/.git")}\n`);
  const main = readRepository(join(root, "main"));
  const worktree = readRepository(join(root, "fix/src"));
  assert.deepEqual({ ...worktree, gitFolder: main.gitFolder, checkout: main.checkout }, main);
  assert.deepEqual([worktree.root, worktree.checkout], [join(root, "main"), join(root, "fix")]);
  assert.equal(readBranch(worktree.gitFolder), "fix/login");
  assert.equal(readBranch(main.gitFolder), "main");
});

test("a submodule points to its directory by a relative path and is a project of its own", () => {
  const root = tree({
    ...PLAIN,
    "lib/.git": "gitdir: ../.git/modules/lib\n",
    ".git/modules/lib/HEAD": "ref: refs/heads/dev\n",
    ".git/modules/lib/config":
      '[core]\n\tworktree = ../../../lib\n[remote "origin"]\n\turl = https://example.com/lib.git\n',
  });
  assert.deepEqual(readRepository(join(root, "lib")), {
    key: join(root, ".git/modules/lib"),
    root: join(root, "lib"),
    remote: "https://example.com/lib.git",
    firstCommit: null,
    gitFolder: join(root, ".git/modules/lib"),
    checkout: join(root, "lib"),
  });
});

test("worktrees of a bare repository share its key", () => {
  const root = tree({
    "app.git/HEAD": "ref: refs/heads/main\n",
    "app.git/objects/": "",
    "app.git/refs/": "",
    "app.git/worktrees/one/commondir": "../..\n",
    "app.git/worktrees/one/gitdir": "../../../one/.git\n",
    "one/.git": "gitdir: ../app.git/worktrees/one\n",
    "app.git/worktrees/two/commondir": "../..\n",
    "app.git/worktrees/two/gitdir": "../../../two/.git\n",
    "two/.git": "gitdir: ../app.git/worktrees/two\n",
  });
  assert.equal(readRepository(join(root, "one")).key, join(root, "app.git"));
  assert.equal(readRepository(join(root, "two")).key, join(root, "app.git"));
  assert.equal(readRepository(join(root, "two")).root, join(root, "two"));
});

test("outside git a folder is itself", () => {
  const root = tree({ "notes/": "" });
  const notes = join(root, "notes");
  assert.deepEqual(readRepository(notes), {
    key: notes,
    root: notes,
    remote: null,
    firstCommit: null,
    gitFolder: null,
    checkout: notes,
  });
});

/** As large as a config is read; each would take minutes if every line were tried with all that follow. */
const longConfigs: [string, string][] = [
  ["empty lines", "\n".repeat(1_000_000)],
  ["blanks", " ".repeat(1_000_000)],
  ["lines of blanks", " \t\n".repeat(330_000)],
  ["unfinished entries", "worktree\n".repeat(110_000)],
  ["sections", '[remote "origin"]\n'.repeat(55_000)],
  ["unfinished addresses", `[remote "origin"]\n${"url\n".repeat(240_000)}`],
];
for (const [what, config] of longConfigs)
  test(`a config of ${what} is read at once`, () => {
    const pointed = tree({ ".git": "gitdir: ./meta\n", "meta/config": config });
    assert.equal(readRepository(pointed).gitFolder, null);
    const plain = tree({ ...PLAIN, ".git/config": config });
    assert.equal(readRepository(plain).remote, null);
  });

const brokenPointers: [string, string][] = [
  ["an empty file", ""],
  ["rubbish", "\u0001\u0002 nothing of the kind"],
  ["a place that is not there", "gitdir: /nowhere/at/all\n"],
  ["no place", "gitdir: \n"],
  ["a place too long", `gitdir: ${"x".repeat(5_000)}\n`],
  ["a NUL", "gitdir: a\0b\n"],
];
for (const [name, content] of brokenPointers)
  test(`a pointer with ${name} is no repository`, () => {
    const root = tree({ ".git": content });
    assert.deepEqual(readRepository(root), {
      key: root,
      root,
      remote: null,
      firstCommit: null,
      gitFolder: null,
      checkout: root,
      isUnconfirmed: true,
    });
  });

test("a pointer to a file finds nothing to read", () => {
  const root = tree({ ".git": "gitdir: target\n", target: "a file" });
  const { remote, firstCommit, gitFolder } = readRepository(root);
  assert.deepEqual([remote, firstCommit, readBranch(gitFolder)], [null, null, null]);
});

test("an empty git directory has no remote, no commit and no branch", () => {
  const root = tree({ ".git/": "" });
  assert.deepEqual(readRepository(root), {
    key: join(root, ".git"),
    root,
    remote: null,
    firstCommit: null,
    gitFolder: join(root, ".git"),
    checkout: root,
  });
  assert.equal(readBranch(join(root, ".git")), null);
});

const remotes: [string, string | null, string][] = [
  ["url = https://example.com/app.git", "https://example.com/app.git", "as it is"],
  ["url=https://example.com/app.git", "https://example.com/app.git", "without spaces"],
  ["url = git@example.com:team/app.git", "git@example.com:team/app.git", "a short address has no password"],
  ["url = https://ada:s3cret@example.com/app.git", "https://example.com/app.git", "a password goes"],
  ["url = https://ghp_token@example.com/app.git", "https://example.com/app.git", "a token goes"],
  ["url = https://ada:p@ss@example.com/app.git", "https://example.com/app.git", "even with an at sign in it"],
  ["url = https://example.com/@scope/app.git", "https://example.com/@scope/app.git", "an at sign in the path stays"],
  ["pushurl = https://push.example.com/app.git", null, "where to push does not count"],
  ["pushurl = https://push.example.com\n\turl = https://example.com", "https://example.com", "nor in front"],
  ["fetch = +refs/heads/*", null, "no address"],
];
for (const [line, expected, why] of remotes)
  test(`remote ${JSON.stringify(line)}: ${why}`, () => {
    const config = `[remote "upstream"]\n\turl = https://up.example.com\n[remote "origin"]\n\t${line}\n[branch "main"]\n\tmerge = x\n`;
    assert.equal(readRepository(tree({ ".git/config": config })).remote, expected);
  });

test("the address of another remote is not the origin's", () => {
  const config = '[remote "origin"]\n\tfetch = x\n[remote "upstream"]\n\turl = https://up.example.com\n';
  assert.equal(readRepository(tree({ ".git/config": config })).remote, null);
});

const heads: [string, string | null, string][] = [
  ["ref: refs/heads/main\n", "main", "a branch"],
  ["ref: refs/heads/feature/deep/name\n", "feature/deep/name", "with slashes"],
  ["ref: refs/heads/main\r\n", "main", "with a carriage return"],
  [`${FIRST}\n`, null, "detached"],
  ["ref: refs/remotes/origin/main\n", null, "no branch of ours"],
  ["ref: refs/heads/.invalid\n", null, "what stands there where branches are not kept in files"],
  ["", null, "empty"],
  [`ref: refs/heads/${"x".repeat(300)}\n`, null, "a name too long"],
];
for (const [head, expected, why] of heads)
  test(`HEAD ${JSON.stringify(head.slice(0, 40))}: ${why}`, () => {
    assert.equal(readBranch(join(tree({ ".git/HEAD": head }), ".git")), expected);
  });

test("outside git there is no branch", () => assert.equal(readBranch(null), null));

const logs: [string, string | null, string][] = [
  [LOG, FIRST, "the first line's new commit"],
  [`${"0".repeat(64)} ${"c".repeat(64)} Ada`, "c".repeat(64), "long hashes"],
  ["rubbish", null, "rubbish"],
  ["", null, "nothing"],
];
for (const [content, expected, why] of logs)
  test(`first commit: ${why}`, () => {
    assert.equal(readRepository(tree({ ".git/logs/HEAD": content })).firstCommit, expected);
  });

test("pipes in place of git's files are not waited for", () => {
  const root = tree({ ".git/logs/": "" });
  for (const name of ["HEAD", "config", "commondir", "logs/HEAD"]) makePipe(join(root, ".git", name));
  const { remote, firstCommit, gitFolder } = readRepository(root);
  assert.deepEqual([remote, firstCommit, readBranch(gitFolder)], [null, null, null]);
  const pointer = tree({});
  makePipe(join(pointer, ".git"));
  assert.equal(readRepository(pointer).gitFolder, null);
});

test("of a huge log only the beginning is read", () => {
  const root = tree({ ".git/logs/HEAD": LOG });
  // Sparse: the file is as long as it says and takes no room.
  truncateSync(join(root, ".git/logs/HEAD"), 20_000_000_000);
  assert.equal(readRepository(root).firstCommit, FIRST);
});

test("a pointer, a common directory or a link that nobody confirms borrows no other project's memory", () => {
  const root = tree({
    ...PLAIN,
    "pointer/.git": "gitdir: ../.git\n",
    "folder/.git/commondir": "../../.git\n",
    "link/": "",
  });
  symlinkSync(join(root, ".git"), join(root, "link/.git"));
  for (const name of ["pointer", "link"]) {
    const { key, isUnconfirmed } = readRepository(join(root, name));
    assert.deepEqual([key, isUnconfirmed], [join(root, name), true]);
  }
  assert.equal(readRepository(join(root, "folder")).key, join(root, "folder/.git"));
});

/** What an archive may hold to be taken for a checkout of `victim`, which lies beside it, and whose memory it would get. */
const borrowers: [string, Record<string, string>][] = [
  [
    "a worktree's folder of its own",
    { ".git": "gitdir: ./meta\n", "meta/gitdir": "../.git\n", "meta/commondir": "../../victim/.git\n" },
  ],
  [
    "one in a folder named worktrees",
    {
      ".git": "gitdir: ./worktrees/meta\n",
      "worktrees/meta/gitdir": "../../.git\n",
      "worktrees/meta/commondir": "../../../victim/.git\n",
    },
  ],
  [
    "a whole repository around it",
    {
      ...below("x", PLAIN),
      ".git": "gitdir: ./x/.git/worktrees/meta\n",
      "x/.git/worktrees/meta/gitdir": "../../../../.git\n",
      "x/.git/worktrees/meta/commondir": "../../../../../victim/.git\n",
    },
  ],
  ["the folder of a worktree that victim has", { ".git": "gitdir: ../victim/.git/worktrees/fix\n" }],
  ["the folder of a submodule that victim has", { ".git": "gitdir: ../victim/.git/modules/lib\n" }],
  [
    "a submodule's folder with a common one",
    { ".git": "gitdir: ./meta\n", "meta/config": "[core]\n\tworktree = ..\n", "meta/commondir": "../../victim/.git\n" },
  ],
];
for (const [name, files] of borrowers)
  test(`an archive with ${name} gets no memory but its own`, () => {
    const root = tree({
      ...below("victim", PLAIN),
      "fix/.git": "gitdir: ../victim/.git/worktrees/fix\n",
      "victim/.git/worktrees/fix/gitdir": "../../../../fix/.git\n",
      "victim/.git/worktrees/fix/commondir": "../..\n",
      "victim/.git/modules/lib/config": "[core]\n\tworktree = ../../../lib\n",
      "victim/lib/.git": "gitdir: ../.git/modules/lib\n",
      ...below("evil", files),
    });
    const { key, root: memoryOf, gitFolder } = readRepository(join(root, "evil"));
    for (const path of [key, memoryOf, gitFolder ?? ""]) assert.ok(!path.startsWith(join(root, "victim")), path);
    assert.equal(readRepository(join(root, "fix")).key, join(root, "victim/.git"));
    assert.equal(readRepository(join(root, "victim/lib")).key, join(root, "victim/.git/modules/lib"));
  });

test("a folder that lies in another one's worktrees does not get that one's memory unless it is a repository", () => {
  const root = tree({
    "notes/": "",
    "worktrees/evil/.git": "gitdir: .\n",
    "worktrees/evil/gitdir": ".git\n",
    "worktrees/evil/commondir": "../..\n",
  });
  const evil = join(root, "worktrees/evil");
  assert.equal(readRepository(evil).key, evil);
});

for (const [missing, without] of [
  ["its repository's HEAD", "HEAD"],
  ["its repository's objects", "objects"],
  ["its repository's refs", "refs"],
  ["the name of its repository", "worktrees/fix/commondir"],
  ["the name of its checkout", "worktrees/fix/gitdir"],
] as const)
  test(`a worktree without ${missing} counts as no repository`, () => {
    const root = tree({
      ...below("main", PLAIN),
      "main/.git/worktrees/fix/gitdir": "../../../../fix/.git\n",
      "main/.git/worktrees/fix/commondir": "../..\n",
      "fix/.git": "gitdir: ../main/.git/worktrees/fix\n",
    });
    assert.equal(readRepository(join(root, "fix")).key, join(root, "main/.git"));
    rmSync(join(root, "main/.git", without), { recursive: true });
    assert.equal(readRepository(join(root, "fix")).key, join(root, "fix"));
  });

/** What HEAD leads to, and the files of its repository. */
const leads: [string, string | null, Record<string, string>][] = [
  ["itself, detached", FIRST, { ".git/HEAD": `${FIRST}\n` }],
  ["a branch", FIRST, { ".git/refs/heads/main": `${FIRST}\n` }],
  [
    "a branch that is packed",
    SECOND,
    { ".git/packed-refs": `# pack-refs\n${FIRST} refs/heads/mai\n${SECOND} refs/heads/main\n` },
  ],
  [
    "a branch that is packed, and newer in a file",
    FIRST,
    { ".git/refs/heads/main": FIRST, ".git/packed-refs": `${SECOND} refs/heads/main\n` },
  ],
  ["another name for a branch", FIRST, { ".git/refs/heads/main": "ref: refs/heads/x\n", ".git/refs/heads/x": FIRST }],
  ["a branch without a commit", null, {}],
  ["a ring", null, { ".git/refs/heads/main": "ref: refs/heads/main\n" }],
  ["a file outside", null, { ".git/HEAD": "ref: refs/../../outside\n", outside: FIRST }],
  ["a name from the root", null, { ".git/HEAD": "ref: /outside\n", outside: FIRST }],
  ["rubbish", null, { ".git/refs/heads/main": "\u0000 no commit" }],
  ["a hash that is too short", null, { ".git/HEAD": `${FIRST.slice(1)}\n` }],
];
for (const [what, expected, files] of leads)
  test(`HEAD leads to ${what}`, () => {
    const root = tree({ ...PLAIN, ...files });
    assert.equal(headCommit({ gitFolder: join(root, ".git"), common: join(root, ".git") }), expected);
  });

test("a worktree has its own HEAD and the branches of its repository", () => {
  const root = tree({
    ...below("main", PLAIN),
    "main/.git/refs/heads/main": FIRST,
    "main/.git/refs/heads/fix": SECOND,
    "main/.git/worktrees/fix/HEAD": "ref: refs/heads/fix\n",
    "main/.git/worktrees/fix/commondir": "../..\n",
    "main/.git/worktrees/fix/gitdir": "../../../../fix/.git\n",
    "fix/.git": "gitdir: ../main/.git/worktrees/fix\n",
  });
  assert.deepEqual(readHead(join(root, "main/src")), { branch: "main", commit: FIRST });
  assert.deepEqual(readHead(join(root, "fix")), { branch: "fix", commit: SECOND });
  assert.deepEqual(readHead(root), { branch: null, commit: null });
});
