/** What people will try first: meaning, identifiers, Chinese and nonsense, on the real model, among many other memories. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open, type Stele } from "../../src/index.ts";
import { DEPARTURES } from "../../src/recall/ranking.ts";
import { inLane } from "../lane.ts";

const SUBJECTS = [
  "The billing worker",
  "Our staging cluster",
  "The search index",
  "The mobile client",
  "The nightly job",
];
const HAPPENINGS = ["retries", "restarts", "compresses logs", "rotates certificates", "exports reports"];
const MOMENTS = ["every hour", "after midnight", "when the queue is long", "on the first of the month"];
const REASONS = ["because of a quota", "as the vendor asked", "to save money", "since the audit", "for the partners"];

/** Sentences about other things. */
const others = SUBJECTS.flatMap((subject) =>
  HAPPENINGS.flatMap((happens) =>
    MOMENTS.flatMap((moment) => REASONS.map((reason) => `${subject} ${happens} ${moment} ${reason}.`)),
  ),
);

const unrelated = others.filter((_, place) => place % inLane({ fast: 5, long: 1, soak: 1 }) === 0);

const NONSENSE = ["zorblax quindle frimp", "wibble flurn dax", "asdf qwer zxcv", "🜁🜂🜃", "%%% ((( ;;;"];

let stele: Stele;
const folder = mkdtempSync(join(tmpdir(), "stele-recall-"));

before(async () => {
  stele = await open({ home: join(folder, "home"), project: folder, settings: { recall: { modelWaitMs: 60_000 } } });
  await Promise.all(unrelated.map((content) => stele.remember({ content })));
  await stele.remember({ content: "user prefers dark mode", type: "preference" });
  await stele.remember({ content: "Sessions are looked up with getUserById before the cache." });
  await stele.remember({ content: "发布前必须检查内存泄漏" });
  const { waiting } = await stele.backfill({});
  assert.equal(waiting, 0);
});

after(async () => {
  await stele.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without a word in common the right answer is found, but only the vector vouches for it. */
const findings: [query: string, mode: "hybrid" | "keyword" | "semantic", expected: RegExp, least: number][] = [
  ["dark theme", "hybrid", /dark mode/, 0.35],
  ["dark theme", "semantic", /dark mode/, 0.35],
  ["which colour scheme does the person like", "semantic", /dark mode/, 0.1],
  ["user by id", "hybrid", /getUserById/, 0.35],
  ["user by id", "keyword", /getUserById/, 0.35],
  ["getUserById", "keyword", /getUserById/, 0.35],
  ["内存", "keyword", /内存泄漏/, 0.35],
];
for (const [query, mode, expected, least] of findings) {
  test(`${query} (${mode}) finds ${expected.source}`, async () => {
    const answer = await stele.recall({ query, mode });
    assert.equal(answer.degraded, null);
    assert.equal(answer.mode, mode);
    assert.match(answer.hits[0]?.content ?? "", expected);
    assert.ok(answer.hits[0]!.relevance > least, `relevance ${answer.hits[0]!.relevance}`);
  });
}

test("a script the model cannot read is answered by words, and the answer says so", async () => {
  const { mode, degraded, hits } = await stele.recall({ query: "内存" });
  assert.equal(mode, "keyword");
  assert.match(degraded ?? "", /cannot read/);
  assert.match(hits[0]?.content ?? "", /内存泄漏/);
});

for (const query of NONSENSE) {
  test(`nonsense has no relevant hit: ${query}`, async () => {
    const { hits } = await stele.recall({ query, limit: 50 });
    assert.deepEqual(
      hits.filter(({ relevance }) => relevance > 0.35).map(({ content, relevance }) => [content, relevance]),
      [],
    );
  });
}

for (const recipe of ["own", "rrf", "weighted"] as const) {
  test(`the recipe ${recipe} explains each hit by shares of one whole`, async () => {
    const { hits } = await stele.recall({ query: "dark theme", recipe });
    assert.equal(hits[0]!.score, 1);
    for (const { why } of hits) {
      const shares = Object.entries(why).filter(([name]) => !(DEPARTURES as readonly string[]).includes(name));
      // What was not found itself is there because of what it is near.
      if (shares.length === 0 && why["near"] !== undefined) continue;
      const whole = shares.reduce((sum, [, share]) => sum + share, 0);
      assert.ok(Math.abs(whole - 1) < 0.01, JSON.stringify(why));
    }
  });
}
