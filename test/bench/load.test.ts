/** What the quality bench loads: anew when it has changed, and no text is embedded twice. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Document, QuestionSet } from "../../bench/quality/data.ts";
import { entriesOf, fingerprint, type Material } from "../../bench/quality/entries.ts";
import { type LoadedSet, loadSet } from "../../bench/quality/load.ts";
import { openVectors } from "../../bench/quality/vectors.ts";
import { createHashEmbedder } from "../../src/embed/embedders.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const TURN = {
  id: "t1",
  text: "Ann: The red bicycle stands in the yard.",
  session: "s",
  group: "a/b",
  time: "8 May, 2023",
};
const OTHER = { id: "t2", text: "Ben: I sold the boat.", session: "s", group: "a/b" };
const setOf = (documents: Document[]): QuestionSet => ({
  name: "set",
  documents,
  questions: [],
  gold: new Map(),
  unanswered: [],
});

const changes: [why: string, material: Material, Document][] = [
  ["a text", "turns", { ...TURN, text: `${TURN.text} Locked.` }],
  ["who says it", "turns", { ...TURN, text: TURN.text.replace("Ann", "Eve") }],
  ["when it was said", "turns", { ...TURN, time: "9 May, 2023" }],
  ["a title", "code", { ...TURN, title: "yard.py" }],
];
for (const [why, material, changed] of changes)
  test(`the fingerprint tells ${why}`, () => {
    const of = (document: Document) => fingerprint(entriesOf([document, OTHER], material));
    assert.match(of(TURN), /^[0-9a-f]{12}$/);
    assert.equal(of(TURN), of({ ...TURN }));
    assert.notEqual(of(TURN), of(changed));
  });

test("the fingerprint tells how texts are cut", () => {
  const entries = entriesOf([{ id: "long", text: "One sentence. ".repeat(100) }], "sessions");
  const [entry] = entries;
  assert.ok(entry && entry.passages.length > 1);
  assert.notEqual(fingerprint(entries), fingerprint([{ ...entry, passages: entry.passages.slice(1) }]));
});

test("changed turns are loaded into a folder of their own, and the older one goes", async () => {
  const options = { home: folder, progress: { report: () => {} }, settings: { embedder: { provider: "hash" } } };
  const folders = () => readdirSync(join(folder, "set"));
  const load = (documents: Document[]) => loadSet(setOf(documents), "turns", options);
  const ids = async ({ groups }: LoadedSet) => {
    const world = groups.get("a/b")?.world;
    assert.ok(world);
    assert.equal(await world.project.waitingCount(world.embedder.identity), 0);
    return (await world.project.walk("evidence", { after: null, limit: 9 })).map(({ item }) => item.id);
  };

  const first = await load([TURN, OTHER]);
  const [id = "", ...rest] = await ids(first);
  assert.deepEqual(rest, []);
  const group = first.groups.get("a/b");
  assert.equal(group?.documentOf({ id, passage: { ordinal: 1 } }), "t2");
  await first.close();
  const before = folders();

  const again = await load([TURN, OTHER]);
  assert.deepEqual(await ids(again), [id]);
  await again.close();
  assert.deepEqual(folders(), before);

  // The text is the same; only when it was said is not.
  const changed = await load([{ ...TURN, time: "9 May, 2023" }, OTHER]);
  assert.notDeepEqual(await ids(changed), [id]);
  await changed.close();
  assert.equal(folders().length, 1);
  assert.notDeepEqual(folders(), before);
});

test("a known text is not embedded again, and ranks as it did", async () => {
  const hashing = createHashEmbedder();
  const asked: string[] = [];
  const embedder = {
    ...hashing,
    embed: (texts: readonly string[]) => {
      asked.push(...texts);
      return hashing.embed(texts);
    },
  };
  const path = join(folder, "own", "vectors.db");
  const vectors = openVectors(path);
  const first = await vectors.before(embedder).embed(["one", "two", "one"]);
  vectors.close();
  const reopened = openVectors(path);
  const second = await reopened.before(embedder).embed(["two", "three", "one"]);
  assert.deepEqual(asked, ["one", "two", "three"]);
  assert.deepEqual([second[2], second[0]], [first[0], first[1]]);
  const another = { ...embedder, identity: "another" };
  await reopened.before(another).embed(["one"]);
  assert.deepEqual(asked.slice(3), ["one"]);
  reopened.close();
});
