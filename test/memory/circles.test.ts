/** Items that would replace themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { circles } from "../../src/memory/succession.ts";

const cases: [pairs: string, isSound: boolean][] = [
  ["a>a", false],
  ["a>b", true],
  ["a>b b>a", false],
  ["a>b b>c c>a", false],
  ["c>d b>c a>b", true],
  ["a>c b>c c>d", true],
  ["a>b c>d b>c d>a", false],
];
for (const [pairs, isSound] of cases)
  test(`${pairs}: ${isSound ? "sound" : "a circle"}`, () => {
    const { replace } = circles();
    const answers = pairs.split(" ").map((pair) => replace(...(pair.split(">") as [string, string])));
    assert.equal(answers.at(-1), isSound);
    assert.ok(answers.slice(0, -1).every(Boolean));
  });

test("whatever the order, a circle is found exactly when following successors never ends", () => {
  const node = fc.integer({ min: 0, max: 9 }).map(String);
  const pairs = fc.uniqueArray(fc.tuple(node, node), { selector: ([id]) => id, maxLength: 10 });
  fc.assert(
    fc.property(pairs, (all) => {
      const { replace } = circles();
      const found = all.map(([id, successor]) => replace(id, successor)).includes(false);
      const next = new Map(all);
      const isEndless = all.some(([id]) => {
        let at: string | undefined = id;
        for (let step = 0; step <= all.length && at !== undefined; step += 1) at = next.get(at);
        return at !== undefined;
      });
      assert.equal(found, isEndless);
    }),
  );
});
