/** `orient` in repositories that git itself has made, compared with what git says of them. Only the test runs git. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import orientVerb from "../../src/briefing/verbs/orient.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import { readHead, readRepository } from "../../src/files/git/git.ts";
import { placeOf } from "../../src/files/git/place.ts";
import { observe } from "../../src/sessions/observe.ts";
import { gitFolder, realGit } from "../files/git/real-git.ts";
import { itemIn, keep, testWorld } from "../test-world.ts";

const DAY = 86_400;
let git = realGit();

function commit(folder: string, name: string): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src", `${name}.txt`), `${name}\n`);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", `add ${name}\n\nwhy ${name}`);
}

/** A repository with three commits, and a clone of it. */
function scene(): { top: string; origin: string; here: string } {
  git = realGit();
  const top = gitFolder();
  const [origin, here] = [join(top, "origin"), join(top, "here")];
  git(top, "init", "-q", "-b", "main", origin);
  for (const name of ["one", "two", "three"]) commit(origin, name);
  git(top, "clone", "-q", origin, here);
  return { top, origin, here };
}

type Scene = ReturnType<typeof scene>;
interface Case {
  /** Before the last session ended in `here`. */
  before?: (scene: Scene) => void;
  /** After it; where the new session begins, `here` if nothing is said. */
  then: (scene: Scene) => string | void;
  /** Nothing of the last session is known. */
  isFirst?: boolean;
  branch?: string;
}

const CASES: Record<string, Case> = {
  clone: { isFirst: true, then: ({ top, origin }) => (git(top, "clone", "-q", origin, "new"), join(top, "new")) },
  pull: {
    then: ({ origin, here }) => {
      for (const name of ["four", "five"]) commit(origin, name);
      git(here, "pull", "-q", "--ff-only");
    },
  },
  "pull --rebase": {
    before: ({ here }) => commit(here, "mine"),
    then: ({ origin, here }) => {
      for (const name of ["four", "five", "six", "seven", "eight", "nine"]) commit(origin, name);
      git(here, "pull", "-q", "--rebase");
    },
  },
  amend: {
    before: ({ here }) => commit(here, "mine"),
    then: ({ here }) => void git(here, "commit", "-q", "--amend", "-m", "better"),
  },
  rebase: {
    before: ({ here }) => (git(here, "checkout", "-qb", "topic", "HEAD~1"), commit(here, "a"), commit(here, "b")),
    then: ({ here }) => void git(here, "rebase", "-q", "main"),
    branch: "topic",
  },
  am: {
    then: ({ top, origin, here }) => {
      for (const name of ["four", "five"]) commit(origin, name);
      git(origin, "format-patch", "-q", "-2", "-o", join(top, "mails"));
      git(here, "am", "-q", ...readdirSync(join(top, "mails")).map((name) => join(top, "mails", name)));
    },
  },
  reset: {
    before: ({ here }) => (commit(here, "wrong"), commit(here, "worse")),
    then: ({ here }) => (git(here, "reset", "-q", "--hard", "HEAD~3"), commit(here, "right")),
  },
  "reset to before": { then: ({ here }) => void git(here, "reset", "-q", "--hard", "HEAD~2") },
  "cherry-pick": {
    before: ({ here }) => {
      git(here, "checkout", "-qb", "other", "HEAD~2");
      commit(here, "fix");
      git(here, "checkout", "-q", "main");
    },
    then: ({ here }) => void git(here, "cherry-pick", "other"),
  },
  merge: {
    before: ({ here }) => {
      git(here, "checkout", "-qb", "other", "HEAD~2");
      for (const name of ["x", "y"]) commit(here, name);
      git(here, "checkout", "-q", "main");
    },
    then: ({ here }) => (commit(here, "mine"), void git(here, "merge", "-q", "--no-ff", "-m", "join", "other")),
  },
  detached: {
    then: ({ here }) => (git(here, "checkout", "-q", "--detach", "HEAD~1"), commit(here, "astray")),
    branch: "main → no branch",
  },
  worktree: {
    then: ({ top, here }) => {
      const tree = join(top, "tree");
      git(here, "worktree", "add", "-q", "-b", "feature/x", tree);
      for (const name of ["p", "q"]) commit(tree, name);
      return tree;
    },
    branch: "main → feature/x",
  },
  shallow: {
    before: ({ origin, here }) => {
      rmSync(here, { recursive: true });
      git(origin, "clone", "-q", "--depth", "2", `file://${origin}`, here);
    },
    then: ({ origin, here }) => {
      for (const name of ["four", "five", "six"]) commit(origin, name);
      git(here, "fetch", "-q", "--depth", "2");
      git(here, "reset", "-q", "--hard", "origin/main");
    },
  },
  "shallow, and nothing known": {
    isFirst: true,
    then: ({ top, origin }) => (git(top, "clone", "-q", "--depth", "2", `file://${origin}`, "few"), join(top, "few")),
  },
  "amended, and the old commit pruned": {
    before: ({ here }) => commit(here, "mine"),
    then: ({ here }) => {
      commit(here, "next");
      git(here, "reset", "-q", "--soft", "HEAD~2");
      git(here, "commit", "-qm", "both in one");
      git(here, "reflog", "expire", "--expire=now", "--all");
      git(here, "gc", "-q", "--prune=now");
    },
  },
};

type Oriented = Awaited<ReturnType<typeof oriented>>;

async function oriented(folder: string, last: ReturnType<typeof readHead> | null, at: number) {
  const world = await testWorld();
  if (last) {
    const payload = { host: "claude-code", ...last };
    const event = { id: "e", kind: "session_end", session: "earlier", turn: null, at: at * 1_000, payload } as const;
    await world.project.apply([{ kind: "note_event", event }], world.origin);
  }
  world.clock.time = (git.now() + DAY) * 1_000;
  const place = placeOf(readRepository(folder), { spaceId: "space", clock: world.clock });
  // The files were looked at then too.
  await world.project.apply([{ kind: "note_look", at: at * 1_000 + 1, checkout: place.checkout }], world.origin);
  const { answer } = await dispatch(orientVerb, {}, { ...world, place });
  await world.afterwards.settle();
  return { ...answer, text: orientVerb.render(answer, { ...readerOf({}, world), input: {} }) };
}

/** What git lists; where the commit before is not there any more, what was committed since. */
function expected(folder: string, last: string | null, at: number): string[] {
  const has = last !== null && git(folder, "cat-file", "--batch-check", "--batch-all-objects").includes(last);
  const since = last === null ? git.now() + DAY - 7 * DAY : at;
  const range = has ? `${last}..HEAD` : `--since=${since}`;
  return git(folder, "log", "--format=%H %s", range, ...(has ? [] : ["HEAD"])).split("\n").filter(Boolean); // prettier-ignore
}

const told = ({ commits }: Pick<Oriented, "commits">) => commits.map(({ id, subject }) => `${id} ${subject}`);

for (const [what, { before, then, isFirst, branch = "main" }] of Object.entries(CASES))
  test(`${what}: commits as git lists them, loose and packed`, async () => {
    const all = scene();
    before?.(all);
    const last = isFirst ? null : readHead(all.here);
    const at = git.now() + 1;
    const folder = then(all) ?? all.here;
    const wanted = expected(folder, last?.commit ?? null, at);
    for (const kind of ["loose", "packed"]) {
      if (kind === "packed") git(folder, "gc", "-q");
      const answer = await oriented(folder, last, at);
      assert.deepEqual([told(answer), answer.totals.commits], [wanted.slice(0, 5), wanted.length], kind);
      assert.equal(answer.degraded, null);
      assert.match(answer.text, new RegExp(`^[^\n]*, branch ${branch}(?:, in [^\n]*)?\n`));
    }
  });

test("without hooks the last session is known by the commit that its memories name", async () => {
  const { here } = scene();
  const world = await testWorld();
  world.clock.time = (git.now() + 1) * 1_000;
  const place = placeOf(readRepository(here), { spaceId: "space", clock: world.clock });
  await keep({ ...world, place, origin: { ...world.origin, session: "earlier" } }, "the parser is strict");
  git(here, "checkout", "-qb", "feature/x");
  for (const name of ["four", "five"]) commit(here, name);
  world.clock.time = (git.now() + DAY) * 1_000;
  const { answer } = await dispatch(orientVerb, {}, { ...world, place });
  await world.afterwards.settle();
  assert.deepEqual(answer.commits.map(({ subject }) => subject), ["add five", "add four"]); // prettier-ignore
  assert.equal(answer.lastSession?.branch, "main");
});

test("what is remembered or observed names the branch and the newest commit, and what it is given", async () => {
  const { here } = scene();
  const world = await testWorld();
  const place = placeOf(readRepository(here), { spaceId: "space", clock: world.clock });
  const placed = { ...world, place };
  const newest = git(here, "rev-parse", "HEAD");
  const { id } = await keep(placed, "the parser is strict");
  const observed = await observe({ event: "error_occurred", content: "The parser fails on empty input" }, placed);
  const told = await keep(placed, "since a commit", { context: { commits: ["abc"] } });
  for (const [one, commits] of [
    [id, [newest]],
    [observed.ids[0]!, [newest]],
    [told.id, ["abc"]],
  ] as const) {
    const item = await itemIn(world, one);
    assert.deepEqual([item?.context.branch, item?.context.commits], ["main", commits]);
  }
});

/** What keeps some of a repository from being read, and the reason that is told. */
const DEGRADED: Record<string, [reason: RegExp, spoil: (scene: Scene) => string | void]> = {
  "objects of another repository": [
    /borrows/,
    ({ top, origin }) => (git(top, "clone", "-q", "--shared", origin, "shared"), join(top, "shared")),
  ],
  "objects in another folder": [
    /in another place/,
    ({ top, here }) => {
      rmSync(join(here, ".git/objects"), { recursive: true });
      symlinkSync(join(top, "origin/.git/objects"), join(here, ".git/objects"));
    },
  ],
  reftable: [
    /not kept in files/,
    ({ here }) => appendFileSync(join(here, ".git/config"), "[extensions]\n\trefStorage = reftable\n"),
  ],
  "a partial clone that lacks an object": [
    /partial clone/,
    ({ top, origin }) => {
      git(origin, "config", "uploadpack.allowFilter", "true");
      git(top, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, "partial");
      const folder = join(top, "partial");
      writeFileSync(join(folder, ".git/refs/heads/main"), `${"ab".repeat(20)}\n`);
      return folder;
    },
  ],
  "no objects": [/is missing/, ({ here }) => rmSync(join(here, ".git/objects"), { recursive: true })],
  "a pack of garbage": [
    /damaged|lacks the base/,
    ({ here }) => spoilPack(here, ".pack", (path) => writeFileSync(path, "x".repeat(5_000))),
  ],
  "a pack cut short": [/damaged/, ({ here }) => spoilPack(here, ".pack", (path) => truncateSync(path, 40))],
  "no pack": [/pack is missing/, ({ here }) => spoilPack(here, ".pack", (path) => rmSync(path))],
  "an index of garbage": [
    /version 2/,
    ({ here }) => spoilPack(here, ".idx", (path) => writeFileSync(path, "y".repeat(5_000))),
  ],
  "an index cut short": [/damaged/, ({ here }) => spoilPack(here, ".idx", (path) => truncateSync(path, 1_040))],
  "an index that is a link": [
    /cannot be opened/,
    ({ top, here }) => spoilPack(here, ".idx", (path) => (rmSync(path), symlinkSync(join(top, "nowhere"), path))),
  ],
  "a pack that is a folder": [
    /not a regular file/,
    ({ here }) => spoilPack(here, ".pack", (path) => (rmSync(path), mkdirSync(path))),
  ],
  "a loose object of garbage": [
    /damaged/,
    ({ here }) => {
      const { commit } = readHead(here);
      rmSync(join(here, ".git/objects/pack"), { recursive: true, force: true });
      mkdirSync(join(here, ".git/objects", commit!.slice(0, 2)), { recursive: true });
      rmSync(join(here, ".git/objects", commit!.slice(0, 2), commit!.slice(2)), { force: true });
      writeFileSync(join(here, ".git/objects", commit!.slice(0, 2), commit!.slice(2)), "zzz");
    },
  ],
};

function spoilPack(folder: string, ending: string, spoil: (path: string) => void): void {
  git(folder, "gc", "-q");
  const packs = join(folder, ".git/objects/pack");
  for (const name of readdirSync(packs))
    if (name.endsWith(ending)) (chmodSync(join(packs, name), 0o600), spoil(join(packs, name)));
}

for (const [what, [reason, spoil]] of Object.entries(DEGRADED))
  test(`${what}: told as a reason, and orient answers`, async () => {
    const all = scene();
    const answer = await oriented(spoil(all) ?? all.here, null, 0);
    assert.match(answer.degraded ?? "", reason);
    assert.match(answer.degraded!, /^commits of the repository are incomplete: /);
    assert.deepEqual(answer.commits, []);
  });

test("of a history whose beginning is damaged, the rest is told", async () => {
  const { here } = scene();
  commit(here, "four");
  const lost = git(here, "rev-parse", "HEAD~2");
  rmSync(join(here, ".git/objects", lost.slice(0, 2), lost.slice(2)));
  const answer = await oriented(here, null, 0);
  assert.deepEqual(answer.commits.map(({ subject }) => subject), ["add four", "add three"]); // prettier-ignore
  assert.match(answer.degraded ?? "", /an object is missing/);
});

test("in a partial clone that has its commits nothing is missing", async () => {
  const { top, origin } = scene();
  git(origin, "config", "uploadpack.allowFilter", "true");
  git(top, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, "partial");
  const { commits, degraded } = await oriented(join(top, "partial"), null, 0);
  assert.deepEqual([commits.length, degraded], [3, null]);
});
