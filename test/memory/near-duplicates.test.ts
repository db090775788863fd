/** Which memories count as near-duplicates, how they differ, and when to look for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { comparedWords } from "../../src/graph/likeness.ts";
import { differenceOf, nearDuplicates, reasonToConsolidate, soughtTerms } from "../../src/memory/nearness.ts";
import { jaccard, stem, tellingStems, words } from "../../src/text/words.ts";
import { anyCharacter } from "../any-character.ts";

const entry = (id: string, content: string) => ({ id, content, words: comparedWords({ summary: "", content }) });

const ALIKE: [one: string, two: string, isAlike: boolean, what: string][] = [
  ["Deploys need the VPN", "A deploy needs a VPN", true, "stop words and endings do not count"],
  ["Deploys need the VPN", "Deploys need the VPN and two approvals", true, "half of the words and more"],
  ["deploy vpn", "deploy vpn approval badge", false, "exactly half is not more than half"],
  ["Deploys need the VPN", "The parser counts columns", false, "nothing in common"],
  ["内存泄漏在解析器", "内存泄漏在解析器中", true, "scripts without spaces"],
];
for (const [one, two, isAlike, what] of ALIKE)
  test(`${what}: ${isAlike ? "near-duplicates" : "different"}`, () => {
    assert.equal(nearDuplicates(entry("a", one), [entry("b", two)]).length, isAlike ? 1 : 0);
    assert.equal(nearDuplicates(entry("b", two), [entry("a", one)]).length, isAlike ? 1 : 0);
  });

test("the most alike come first, and nothing duplicates itself", () => {
  const own = entry("own", "deploys need the VPN and a badge");
  const others = [entry("b", "deploys need the VPN"), entry("a", "deploys need the VPN and a badge"), own];
  assert.deepEqual(nearDuplicates(own, others).map((one) => one.entry.id), ["a", "b"]); // prettier-ignore
});

test("one of the words sought from the shorter of two near-duplicates is in the longer, in whatever order", () => {
  const forms = ["deploy", "deploys", "deployed", "review", "reviews", "cache", "badge", "parser", "column", "port"];
  const some = fc.shuffledSubarray(forms, { minLength: 1 });
  fc.assert(
    fc.property(some, some, (one, two) => {
      const [left, right] = [one, two].map((all) => ({ all, words: tellingStems(all.join(" ")) }));
      const [shorter, longer] = left!.words.size <= right!.words.size ? [left!, right!] : [right!, left!];
      if (jaccard(one.join(" "), two.join(" ")) <= 0.5) return;
      const sought = soughtTerms(shorter.all, shorter.words);
      assert.ok(sought.some((term) => longer.words.has(stem(term))));
      assert.equal(new Set(sought.map(stem)).size, sought.length);
    }),
  );
});

const DIFFERENCES: [one: string, two: string, onlyFirst: string, onlySecond: string, both: string][] = [
  ["Deploys need the VPN and two approvals", "A deploy needs the VPN", "two approvals", "", "Deploys need VPN"],
  ["Use the cache", "Do not use the cache", "", "not", "Use cache"],
  ["The timeout is 10 seconds", "The timeout is 30 seconds", "10", "30", "timeout seconds"],
  ["getUserById fails", "loadUser fails", "getUserById", "loadUser", "fails"],
  ["Telemetry is opt-in", "Telemetry is opt-out", "in", "out", "Telemetry opt"],
  ["The flag is on by default", "The flag is off by default", "on", "off", "flag default"],
  ["内存泄漏", "内存泄漏 修复", "", "修复", "内存泄漏"],
  ["VPN deploys VPN deploys", "deploy VPN", "", "", "VPN deploys"],
];
for (const [one, two, onlyFirst, onlySecond, both] of DIFFERENCES)
  test(`"${one}" and "${two}" differ by "${onlyFirst}" and "${onlySecond}"`, () =>
    assert.deepEqual(differenceOf(one, two), { onlyFirst, onlySecond, both }));

const vocabulary = ["deploy", "VPN", "not", "the", "approvals", "cache", "badge", "getUserById"];
const text = fc.oneof(
  fc.array(fc.constantFrom(...vocabulary), { maxLength: 8 }).map((all) => all.join(" ")),
  fc.string({ unit: anyCharacter }),
);

test("likeness is the share of words, in either order; equal texts are wholly alike", () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const [a, b] = [entry("a", one), entry("b", two)];
      const found = nearDuplicates(a, [b])[0]?.likeness;
      assert.equal(found, nearDuplicates(b, [a])[0]?.likeness);
      if (found !== undefined) assert.ok(found > 0.5 && Math.abs(found - jaccard(one, two)) < 1e-9);
      if (a.words.size > 0) assert.equal(nearDuplicates(a, [entry("c", one)])[0]?.likeness, 1);
    }),
  );
});

test("a difference has words of its own text only, mirrored when the texts are swapped", () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const { onlyFirst, onlySecond, both } = differenceOf(one, two);
      const swapped = differenceOf(two, one);
      assert.deepEqual([onlyFirst, onlySecond], [swapped.onlySecond, swapped.onlyFirst]);
      if ([onlyFirst, onlySecond, both].some((part) => part.endsWith("…"))) return;
      const [own, other] = [new Set(words(one)), new Set(words(two))];
      for (const word of words(`${onlyFirst} ${both}`)) assert.ok(own.has(word), word);
      for (const word of words(onlyFirst)) assert.ok(!other.has(word), word);
      assert.deepEqual(differenceOf(one, one).onlyFirst, "");
    }),
  );
});

const REASONS: [extractions: number, active: number, RegExp | null][] = [
  [0, 0, null],
  [9, 80, null],
  [10, 0, /^10 extractions since the last merger$/],
  [0, 81, /^81 active memories$/],
  [12, 100, /^12 extractions/],
];
for (const [extractions, active, reason] of REASONS)
  test(`${extractions} extractions and ${active} memories: ${reason ? "time to look" : "not yet"}`, () => {
    const given = reasonToConsolidate({ extractions, active });
    if (reason) assert.match(given ?? "", reason);
    else assert.equal(given, null);
  });
