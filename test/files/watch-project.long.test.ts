/** Staying current: what a search looks at, what a watcher spares it, and what neither may miss. */
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import { createNoteFiles, createProjectFiles } from "../../src/files/disk/project-files.ts";
import { freshen, freshenNotes } from "../../src/files/freshen.ts";
import { refresh } from "../../src/files/index-project.ts";
import { isKeptCurrent, startWatching } from "../../src/files/watch-project.ts";
import type { World } from "../../src/world.ts";
import { testWorld } from "../test-world.ts";
import { until } from "../until.ts";
import { type CorpusWorld, corpusWorld } from "./corpus-steps.ts";

const LASTS_MS = 60_000;
const FILES = { "a.md": "# A\n\nwalrus\n" };
const SOON = { quietMs: 10, longestMs: 50, pollMs: 10 };
/** Nobody is told of a burst while a test lasts; that there is one is known all the same. */
const NEVER = { quietMs: 600_000, longestMs: 600_000, pollMs: 600_000 };

interface Counted {
  looks: number;
  parsed: string[];
  opened: number;
  closed: number;
}

/** The same world, watched at this pace, and what is asked of its files. */
function counting<Seen extends World>(world: Seen, pace: typeof SOON, root: string): { world: Seen; counted: Counted } {
  const counted: Counted = { looks: 0, parsed: [], opened: 0, closed: 0 };
  // A folder that has just changed is looked at once more.
  for (const folder of [root, world.notes?.folder]) if (folder) utimesSync(folder, 1, 1);
  const options = { polling: false, recursive: false, log: world.log, pace };
  const files = createProjectFiles(root, options);
  const projectFiles: World["projectFiles"] = {
    ...files,
    walk(limits) {
      counted.looks += 1;
      return files.walk(limits);
    },
    async watch(limits, onChange) {
      const watching = await files.watch(limits, onChange);
      counted.opened += 1;
      const close = async () => {
        counted.closed += 1;
        await watching.close();
      };
      return { ...watching, close };
    },
  };
  const parser: World["parser"] = {
    ...world.parser,
    parse(file) {
      counted.parsed.push(file.path);
      return world.parser.parse(file);
    },
  };
  const limits = { files: 100, fileBytes: 100_000, excludes: [] };
  const notes = world.notes && createNoteFiles(world.notes.folder, { ...options, limits });
  return { world: { ...world, projectFiles, parser, notes }, counted };
}

async function indexed(pace: typeof SOON): Promise<{ world: CorpusWorld; counted: Counted }> {
  const world = await corpusWorld(FILES);
  await world.index();
  return counting(world, pace, world.place.root);
}

/** Another process on the same files, as far as the store can tell. */
async function beside(world: CorpusWorld): Promise<World> {
  return { ...(await testWorld({ folder: world.folder })), place: world.place, clock: world.clock };
}

/** Watches during the work, and leaves nothing behind. */
async function watching(world: World, work: () => Promise<void>): Promise<void> {
  const { stop } = startWatching(world);
  try {
    await work();
  } finally {
    stop();
    await world.afterwards.settle();
  }
}

const isKnown = async (world: World, path: string): Promise<boolean> =>
  (await world.project.fileAt("document", path)) !== null;

const indexLease = (world: World) => {
  const at = world.clock.now();
  return { kind: "take_lease", name: "index", owner: "another", at, until: at + 12_000 } as const;
};

test("who watches need not look; what it has heard of, a search takes in at once", async () => {
  const { world, counted } = await indexed(NEVER);
  await watching(world, async () => {
    await until(() => isKeptCurrent(undefined, world));
    const { looks } = counted;
    assert.deepEqual([await freshen(world), counted.looks - looks], [null, 0]);
    world.write("b.md", "# B\n");
    assert.deepEqual([await freshen(world), counted.looks - looks], [null, 1]);
    assert.ok(await isKnown(world, "b.md"));
  });
});

test("a dry run looks for itself, and nobody shares its run", async () => {
  const { world } = await indexed(NEVER);
  const tried = dryRunWorld(world).world;
  await watching(world, async () => {
    await until(() => isKeptCurrent(undefined, world));
    assert.equal(await isKeptCurrent(undefined, tried), false);
  });
  world.write("b.md", "# B\n");
  const runs = [refresh({}, world), refresh({}, tried), refresh({}, world)];
  await Promise.all(runs);
  assert.notEqual(runs[1], runs[2]);
  assert.ok(await isKnown(world, "b.md"));
});

test("that another process watches spares nobody a look", async () => {
  const { world } = await indexed(NEVER);
  const other = counting(await beside(world), SOON, world.place.root);
  await watching(world, async () => {
    await until(() => isKeptCurrent(undefined, world));
    world.write("b.md", "# B\n");
    assert.deepEqual([await freshen(other.world), other.counted.looks], [null, 1]);
    assert.ok(await isKnown(other.world, "b.md"));
  });
});

test("who only looks from time to time, or is told late, spares nobody a look", async () => {
  const { world } = await indexed(SOON);
  const ways = [{ polling: true }, { polling: false, recursive: true }, { polling: false, recursive: false }];
  const quiet = ways.map(async (way) => {
    const files = createProjectFiles(world.place.root, { ...way, log: world.log, pace: SOON });
    const watched = await files.watch(world.settings.index, () => undefined);
    if (way.polling || way.recursive) await pause(4 * SOON.quietMs);
    else await until(() => watched.isQuiet());
    const isQuiet = watched.isQuiet();
    await watched.close();
    return [isQuiet, watched.isQuiet()];
  });
  assert.deepEqual(await Promise.all(quiet), [
    [false, false],
    [false, false],
    [true, false],
  ]);
});

test("one process of a project watches, and a burst is taken in once", async () => {
  const one = await indexed(SOON);
  const two = counting(await beside(one.world), SOON, one.world.place.root);
  await watching(one.world, async () => {
    await until(() => isKeptCurrent(undefined, one.world));
    await watching(two.world, async () => {
      const paths = Array.from({ length: 50 }, (_, number) => `burst/${number}.md`);
      for (const path of paths) one.world.write(path, `# ${path}\n`);
      await until(async () => (await one.world.project.fileStates()).length === 51);
      await until(() => isKeptCurrent(undefined, one.world));
      assert.deepEqual([await freshen(two.world), await freshen(one.world)], [null, null]);
      assert.deepEqual([...one.counted.parsed, ...two.counted.parsed].toSorted(), paths.toSorted());
    });
    assert.deepEqual([one.counted.opened, two.counted.opened], [1, 0]);
  });
  assert.equal(one.counted.closed, 1);
  // Whoever comes next may watch.
  await watching(two.world, () => until(() => isKeptCurrent(undefined, two.world)));
  assert.deepEqual([two.counted.opened, two.counted.closed], [1, 1]);
});

test("what is written while watching begins is not missed", async () => {
  const { world } = await indexed(SOON);
  await watching(world, async () => {
    world.write("b.md", "# B\n");
    assert.equal(await freshen(world), null);
    assert.ok(await isKnown(world, "b.md"));
    world.write("b.md", "# B\n\nsaid later\n");
    await until(() => isKeptCurrent(undefined, world));
    assert.match((await world.project.fileAt("document", "b.md"))?.content ?? "", /later/);
  });
});

test("a change while another process indexes is not lost", async () => {
  const { world } = await indexed(SOON);
  const impatient = { ...world, settings: { ...world.settings, index: { ...world.settings.index, waitMs: 1 } } };
  await watching(world, async () => {
    await until(() => isKeptCurrent(undefined, world));
    await world.project.apply([indexLease(world)], world.origin);
    world.write("b.md", "# B\n");
    assert.equal(await freshen(impatient), "the index is being updated");
    await pause(2 * SOON.longestMs);
    assert.deepEqual([await isKeptCurrent(undefined, world), await isKnown(world, "b.md")], [false, false]);
    await world.project.apply([{ kind: "release_lease", name: "index", owner: "another" }], world.origin);
    await until(() => isKeptCurrent(undefined, world));
    assert.ok(await isKnown(world, "b.md"));
  });
});

test("a watcher that cannot begin gives its turn back, and tries again", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const { world, counted } = await indexed(NEVER);
  let failures = 0;
  const watch: World["projectFiles"]["watch"] = (limits, onChange) => {
    if (failures === 0 && (failures += 1)) throw new Error("no more handles");
    return world.projectFiles.watch(limits, onChange);
  };
  const holder = () => world.project.leaseHolder("watch", world.clock.now(), LASTS_MS);
  await watching({ ...world, projectFiles: { ...world.projectFiles, watch } }, async () => {
    await until(async () => failures === 1 && (await holder()) === null);
    assert.equal(counted.opened, 0);
    await until(async () => {
      context.mock.timers.tick(20_000);
      return isKeptCurrent(undefined, world);
    });
    assert.deepEqual([counted.opened, (await holder()) !== null], [1, true]);
  });
  assert.equal(await holder(), null);
});

test("a run that fails is made again at the next turn", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const { world } = await indexed(SOON);
  let failures = 0;
  const parse: World["parser"]["parse"] = async (file) => {
    if (failures === 0 && (failures += 1)) throw new Error("no thread");
    return world.parser.parse(file);
  };
  await watching({ ...world, parser: { ...world.parser, parse } }, async () => {
    await until(() => isKeptCurrent(undefined, world));
    world.write("b.md", "# B\n");
    await until(async () => failures === 1);
    await pause(2 * SOON.longestMs);
    assert.deepEqual([await isKeptCurrent(undefined, world), await isKnown(world, "b.md")], [false, false]);
    context.mock.timers.tick(20_000);
    await until(() => isKeptCurrent(undefined, world));
    assert.ok(await isKnown(world, "b.md"));
  });
});

test("who stops while watching begins leaves no watcher and no lease behind", async () => {
  const { world, counted } = await indexed(NEVER);
  const [asked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const watch: World["projectFiles"]["watch"] = async (limits, onChange) => {
    asked.resolve();
    await allowed.promise;
    return world.projectFiles.watch(limits, onChange);
  };
  const { stop } = startWatching({ ...world, projectFiles: { ...world.projectFiles, watch } });
  await asked.promise;
  stop();
  allowed.resolve();
  await world.afterwards.settle();
  assert.deepEqual([counted.opened, counted.closed], [1, 1]);
  assert.equal(await world.project.leaseHolder("watch", world.clock.now(), LASTS_MS), null);
});

/** The same world where nothing is parsed before the gate opens, and where in addition nobody waits for it. */
function gated<Seen extends World>(world: Seen): { slow: Seen; hurried: Seen; gate: PromiseWithResolvers<void> } {
  const gate = Promise.withResolvers<void>();
  const parse: World["parser"]["parse"] = async (file) => {
    await gate.promise;
    return world.parser.parse(file);
  };
  const slow = { ...world, parser: { ...world.parser, parse } };
  const index = { ...world.settings.index, waitMs: 1 };
  return { slow, hurried: { ...slow, settings: { ...world.settings, index } }, gate };
}

test("a search waits so long and says so; the run goes on, and who asks meanwhile has another one look", async () => {
  const { world, counted } = await indexed(NEVER);
  const { slow, hurried, gate } = gated(world);
  world.write("b.md", "# B\n");
  assert.equal(await freshen(hurried), "the index is being updated");
  await until(async () => counted.looks === 1);
  world.write("c.md", "# C\n");
  const later = [freshen(slow), freshen(slow), freshen(slow)];
  gate.resolve();
  assert.deepEqual(await Promise.all(later), [null, null, null]);
  assert.deepEqual([await isKnown(world, "b.md"), await isKnown(world, "c.md"), counted.looks], [true, true, 2]);
});

test("a process that is about to end stops after a batch, and keeps what it did", async () => {
  const world = await corpusWorld(
    Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`${number}.md`, `# ${number}\n`])),
  );
  const { hurried, gate } = gated(world);
  assert.equal(await freshen(hurried), "the first index has not finished");
  const ended = world.afterwards.settle();
  gate.resolve();
  await ended;
  assert.deepEqual([(await world.project.fileStates()).length, await world.project.lastLook()], [32, null]);
  assert.deepEqual([await freshen(world), (await world.project.fileStates()).length], [null, 40]);
});

test("an older index that was put in the place of a current one is looked at", async () => {
  const { world, counted } = await indexed(NEVER);
  await watching(world, async () => {
    world.clock.time += 10_000;
    await until(() => isKeptCurrent(undefined, world));
    const { looks } = counted;
    await world.project.apply([{ kind: "note_look", at: 5, checkout: world.place.checkout }], world.origin);
    assert.deepEqual([await freshen(world), counted.looks - looks], [null, 1]);
  });
});

test("notes are watched as well, also where the project has no index", async () => {
  const opened = await corpusWorld({ "notes/walrus.md": "The walrus dives.\n" }, { notes: "notes" });
  const { world } = counting(opened, NEVER, opened.place.root);
  const known = async () => (await world.project.fileStates()).map(({ path }) => path.split("/").at(-1));
  await watching(world, async () => {
    await until(() => isKeptCurrent("notes", world));
    assert.deepEqual([await known(), await world.project.lastLook()], [["walrus.md"], null]);
    world.write("notes/late.md", "It comes late.\n");
    assert.equal(await freshenNotes(world), null);
    assert.deepEqual(await known(), ["late.md", "walrus.md"]);
  });
});
