/** Near-duplicates on real stores: every pair once, page by page, within one scope; and when to look for them. */
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { link } from "../../src/graph/link.ts";
import { backfill } from "../../src/maintenance/backfill.ts";
import {
  consolidate,
  type ConsolidateRequest,
  type Consolidation,
  suggestConsolidation,
} from "../../src/maintenance/consolidate.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { sayDifferentThings } from "../../src/memory/meaning.ts";
import { jaccard } from "../../src/text/words.ts";
import type { World } from "../../src/world.ts";
import { READER } from "../catalog/reader.ts";
import { askDocs, corpusWorld } from "../files/corpus-steps.ts";
import { runs } from "../lane.ts";
import { apply, insertion, newItem } from "../store/suite/trial.ts";
import { keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const look = (world: World, set: Partial<ConsolidateRequest> = {}): Promise<Consolidation> =>
  consolidate({ shelf: "memory", scope: "project", limit: 50, cursor: null, ...set }, world);

const idsOf = ({ pairs }: Consolidation): string[][] =>
  pairs.map(({ first, second }) => [first.item.id, second.item.id]);

test("a pair is shown with what differs, the later one first, and the command that merges it", async () => {
  const world = await testWorld();
  const one = (await keep(world, "Deploys need the VPN")).id;
  await keep(world, "The parser counts columns");
  const two = (await keep(world, "Deploys need the VPN and two approvals")).id;
  const found = await look(world);
  assert.deepEqual([idsOf(found), found.examined, found.next], [[[two, one]], 3, null]);
  const { difference, likeness } = found.pairs[0]!;
  assert.deepEqual(difference, { onlyFirst: "two approvals", onlySecond: "", both: "Deploys need VPN" });
  assert.ok(Math.abs(likeness - 3 / 5) < 1e-9);
  const answer = await operations.consolidate.run(operations.consolidate.input.parse({}), world, null);
  const both = `${handleOf(two)} ${handleOf(one)}`;
  assert.equal(answer.pairs[0]?.next, `stele settle ${both} --as replaces, or stele merge ${both}`);
  const text = operations.consolidate.render(answer, READER);
  assert.match(text, /60 % alike/);
  assert.match(text, /\n {2}\+ two approvals\n {2}stele settle \S+ \S+ --as replaces, or stele merge \S+ \S+\n/);
  assert.doesNotMatch(text, /\n {2}- /);
});

test("what comes from a file is not offered, however near it is", async () => {
  const world = await testWorld();
  const note = newItem({ content: "The proxy listens on port 81", path: "notes/proxy.md", scope: "project" });
  await apply(world.project, insertion("memory", note));
  const { id } = await keep(world, "Port 82 is where the proxy listens");
  const pair = {
    newer: id,
    newerShelf: "memory",
    older: note.id,
    olderShelf: "memory",
    nearness: 1,
    kind: null,
  } as const;
  await apply(world.project, { kind: "note_near", id, pairs: [pair] });
  assert.deepEqual(idsOf(await look(world)), []);
});

test("a pair that somebody related, or said is not related, is kept apart", async () => {
  const world = await testWorld();
  const kept = async (text: string) => (await keep(world, text)).id;
  const ids = [await kept("Deploys need the VPN"), await kept("Deploys need the VPN now"), await kept("Deploys all need the VPN")]; // prettier-ignore
  assert.equal((await look(world)).pairs.length, 3);
  await link({ source: ids[1]!, target: ids[0]! }, { relation: "relates_to", strength: undefined }, world);
  assert.deepEqual(idsOf(await look(world)).map((pair) => pair.includes(ids[2]!)), [true, true]); // prettier-ignore
});

const OPPOSED: [string, string][] = [
  ["We must never push to main", "We must always push to main"],
  ["The cache of the shop is shared", "The cache of the shop isn't shared"],
  ["Retry failed uploads at least three times with backoff", "Retry failed uploads at most three times with backoff"],
  [
    "Deploy the billing service to staging with Helm charts",
    "Deploy the billing service to production with Helm charts",
  ],
  ["The API is unauthenticated inside the cluster network", "The API is authenticated inside the cluster network"],
  ["Deploys run with an approval", "Deploys run without an approval"],
  ["The server listens on port 8080", "The server listens on port 9090"],
  ["Ask the owner of billing, Alice, first", "Ask the owner of billing, Robert, first"],
  ["Uploads of images are allowed for guests", "Uploads of images are forbidden for guests"],
  ["The mascot of the project is a fox", "The mascot of the project is an owl"],
  ["The report is sent on Mondays to everybody", "The report is sent on Tuesdays to everybody"],
];

test("two that contradict each other are never called near-duplicates, whichever came first", async () => {
  for (const [one, two] of [...OPPOSED, ...OPPOSED.map(([one, two]) => [two, one] as const)]) {
    const world = await testWorld();
    await keep(world, one);
    await keep(world, two);
    assert.ok(jaccard(one, two) >= 0.5, "they share most of their words");
    assert.deepEqual(idsOf(await look(world)), [], `${one} / ${two}`);
    assert.equal((await look(world)).examined, 2);
  }
});

test("nor are two whose titles say the opposite", async () => {
  const world = await testWorld();
  await keep(world, "It holds for the shop and everything deployed with it", { title: "Push to main" });
  await keep(world, "It holds for the shop and everything deployed beside it", { title: "Never push to main" });
  assert.deepEqual(idsOf(await look(world)), []);
});

test("only active memories of the same scope are compared, and not what comes from files", async () => {
  const world = await corpusWorld({ "notes/a.md": "Ann reviews every release" }, { notes: "notes" });
  const texts = ["Ann reviews every release now", "Ann reviews every release today", "Ann reviews every release soon"];
  await keep(world, texts[0]!);
  await keep(world, texts[1]!, { scope: "global" });
  await keep(world, texts[2]!, { scope: "working" });
  await forget((await keep(world, "Ann reviews every release always")).id, 5, world);
  await world.index();
  for (const scope of ["project", "global"] as const) assert.deepEqual((await look(world, { scope })).pairs, []);
  await keep(world, "Ann reviews every release today, and Ben helps", { scope: "global" });
  assert.equal((await look(world, { scope: "global" })).pairs.length, 1);
});

test("pages continue where the last one stopped, and together find what one look finds", async () => {
  const world = await testWorld();
  for (let index = 0; index < 130; index++) {
    await keep(world, `Service number${index} listens on port ${8_000 + index} of host${index}`);
    if (index % 10 === 0) await keep(world, `Service number${index} listens on port ${8_000 + index} at host${index}`);
  }
  const whole = await look(world);
  const pages: string[][] = [];
  let cursor: number | null = null;
  let calls = 0;
  do {
    const page: Consolidation = await look(world, { limit: 3, cursor });
    assert.ok(page.pairs.length <= 6, "an answer stays small");
    pages.push(...idsOf(page));
    cursor = page.next;
    calls += 1;
  } while (cursor !== null);
  assert.ok(calls > 2);
  assert.ok(whole.pairs.length >= 13);
  assert.deepEqual(pages.toSorted(), idsOf(whole).toSorted());
  assert.equal(new Set(pages.map((pair) => pair.toSorted().join())).size, pages.length, "no pair is shown twice");
});

test("one call examines a bounded stretch and reports how far it got", async () => {
  const world = await testWorld();
  const texts = Array.from({ length: 320 }, (_, index) => `word${index} thing${index} place${index}`);
  await apply(world.project, ...texts.map((content) => insertion("memory", newItem({ content }))));
  const first = await look(world);
  assert.deepEqual([first.examined, first.pairs], [300, []]);
  assert.ok(first.next !== null && first.oldestAt !== null);
  const rest = await look(world, { cursor: first.next });
  assert.deepEqual([rest.examined, rest.next], [20, null]);
  const answer = await operations.consolidate.run(operations.consolidate.input.parse({}), world, null);
  assert.match(
    operations.consolidate.render(answer, READER),
    new RegExp(`Examined 300, back to .*\\n.*--cursor ${first.next}`),
  );
});

test("a memory that repeats a shorter one with rare words of its own is found, whichever came first", async () => {
  const short = "Release notes list every change since the last release tag";
  const long = `${short} zebra quagga okapi gnu eland`;
  for (const [one, two] of [
    [short, long],
    [long, short],
  ] as const) {
    const world = await testWorld();
    const [earlier, later] = [(await keep(world, one)).id, (await keep(world, two)).id];
    for (const rare of ["zebra", "quagga", "okapi", "gnu", "eland"])
      await keep(world, `${rare} at the waterhole ${rare}s`);
    for (const [index, word] of short.split(" ").entries())
      for (const time of ["noon", "dusk", "dawn"]) await keep(world, `${word} thing${index} place${index} by ${time}`);
    const first = await look(world, { limit: 1 });
    const rest = first.next === null ? [] : idsOf(await look(world, { cursor: first.next }));
    assert.deepEqual([...idsOf(first), ...rest].filter((pair) => pair.includes(earlier)), [[later, earlier]]); // prettier-ignore
  }
});

const said = (content: string) => ({ title: null, content });

test("what rare words find is what comparing all with all finds", async () => {
  const vocabulary = ["deploy", "vpn", "approval", "cache", "badge", "release", "review", "parser", "column", "port"];
  const text = fc
    .uniqueArray(fc.constantFrom(...vocabulary), { minLength: 2, maxLength: 5 })
    .map((all) => all.join(" "));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 12 }), async (texts) => {
      const world = await testWorld();
      const ids: string[] = [];
      for (const content of texts) ids.push((await keep(world, content)).id);
      const expected = ids.flatMap((later, index) =>
        ids
          .slice(0, index)
          .filter((_, other) => jaccard(texts[index]!, texts[other]!) > 0.5)
          .filter((earlier) => !sayDifferentThings(said(texts[index]!), said(texts[ids.indexOf(earlier)]!)))
          .map((earlier) => [later, earlier]),
      );
      assert.deepEqual(idsOf(await look(world)).toSorted(), expected.toSorted());
    }),
    { numRuns: runs(5) },
  );
});

const page = (title: string, ...paragraphs: string[]) => `# ${title}\n\n${paragraphs.join("\n\n")}\n`;
const RELEASE = "Tag the commit, push the tag, wait for the pipeline, then publish the notes and tell the channel.";

test("passages of documents are compared by their vectors; those without one are counted", async () => {
  const world = await corpusWorld({
    "docs/a.md": page("Releasing", RELEASE),
    "docs/b.md": page("Releasing", `${RELEASE} Done.`),
    "docs/c.md": page("Seals", "Seals dive for clams and rest on the ice in large groups."),
  });
  await world.index();
  assert.deepEqual((await look(world, { shelf: "document" })).unembedded, 3);
  await backfill(undefined, world);
  const found = await look(world, { shelf: "document" });
  assert.deepEqual([found.examined, found.unembedded, found.next], [3, 0, null]);
  const [pair, ...others] = found.pairs;
  assert.deepEqual([new Set([pair?.first.item.path, pair?.second.item.path]), others], [new Set(["docs/a.md", "docs/b.md"]), []]); // prettier-ignore
  const input = operations.consolidate.input.parse({ shelf: "document" });
  const text = operations.consolidate.render(await operations.consolidate.run(input, world, null), READER);
  assert.match(text, /docs\/b\.md:\d+ .*\n[^]*search-docs shows only the newer one/);
});

test("an answer of documents shows a repeated passage once, from the newer file", async () => {
  const world = await corpusWorld({
    "docs/old.md": page("Releasing", RELEASE),
    "docs/new.md": page("Releasing", `${RELEASE} Done.`),
    "docs/other.md": page("Pipelines", "A pipeline runs the tests of a commit and reports the result to the channel."),
  });
  const change = (path: string, day: string) => utimesSync(join(world.folder, "project", path), new Date(day), new Date(day)); // prettier-ignore
  for (const [newer, older] of [
    ["docs/new.md", "docs/old.md"],
    ["docs/old.md", "docs/new.md"],
  ] as const) {
    change(newer, "2025-12-03");
    change(older, "2025-12-02");
    world.clock.time += 60_000;
    await world.index();
    await backfill(undefined, world);
    const { hits } = await askDocs(world, "push the tag and publish the notes");
    assert.deepEqual(hits.map(({ path }) => path), [newer, "docs/other.md"]); // prettier-ignore
    const { hits: all } = await askDocs(world, "push the tag and publish the notes", { dedupe: false });
    assert.equal(all.length, 3, "every passage if asked for");
  }
});

test("looking is suggested above eighty memories, or after ten extractions until the next merger", async () => {
  const world = await testWorld();
  assert.deepEqual(await suggestConsolidation(world), []);
  for (let call = 0; call < 10; call++)
    await keep({ ...world, origin: { ...world.origin, verb: "extract", call: `extract ${call}` } }, `fact ${call}`);
  const [line, ...others] = await suggestConsolidation(world);
  assert.match(line!, /10 extractions.*`stele consolidate`/);
  assert.deepEqual(others, []);
  await keep({ ...world, origin: { ...world.origin, verb: "merge", call: "merge" } }, "a merger");
  assert.deepEqual(await suggestConsolidation(world), []);
  for (let index = 0; index < 81; index++) await keep(world, `thing ${index}`, { scope: "global" });
  assert.deepEqual(await suggestConsolidation(world), [
    "There may be duplicates (81 active memories): `stele consolidate --scope global` looks for them.",
  ]);
  const inspected = await operations.inspect.run({}, world, null);
  assert.match(operations.inspect.render(inspected, READER), /stele consolidate --scope global/);
  const maintained = await operations.maintain.run({}, world, null);
  assert.match(operations.maintain.render(maintained), /^Linked \d+ memories\.\nThere may be duplicates/);
});

test("what is near but differs in a value is settled, never merged; once settled it is not shown", async () => {
  const world = await testWorld();
  const set = { scope: "project", compare: true } as const;
  const one = (await keep(world, "The proxy listens on port 81", set)).id;
  world.clock.time += 1_000;
  const two = (await keep(world, "Port 82 is where the proxy listens", set)).id;
  const read = async () =>
    (await operations.consolidate.run(operations.consolidate.input.parse({}), world, null)).pairs.map(
      ({ next }) => next,
    );
  const both = `${handleOf(two)} ${handleOf(one)}`;
  assert.deepEqual(await read(), [`stele settle ${both} --as replaces, or --as both --when "…"`]);
  await operations.settle.run(operations.settle.input.parse({ one, other: two, as: "unrelated" }), world, null);
  assert.deepEqual(await read(), []);
});
