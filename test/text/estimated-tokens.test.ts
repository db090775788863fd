import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { chooseLines, FRAME, lineOf, renderSurface } from "../../src/briefing/surface-lines.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import { UTC } from "../../src/time/calendar.ts";
import { anyCharacter } from "../any-character.ts";
import { entry } from "../briefing/entries.ts";
import { inLane } from "../lane.ts";
import { newItem } from "../store/suite/trial.ts";
import { COUNTED, TOKEN_TEXTS } from "./token-texts.ts";

describe("estimated tokens", () => {
  test("are never fewer than counted ones, and not many more in prose", () => {
    for (const [name, text] of Object.entries(TOKEN_TEXTS)) {
      const [most, estimate] = [Math.max(...COUNTED[name]!), estimatedTokens(text)];
      assert.ok(estimate >= most, `${name}: ${estimate} instead of ${most}`);
    }
    assert.ok(estimatedTokens(TOKEN_TEXTS["english"]!) <= 1.35 * COUNTED["english"]![0]);
  });
  test("of nothing are none, and several texts are added up", () => {
    assert.deepEqual([estimatedTokens(""), estimatedTokens("one", "two"), estimatedTokens("a1 2")], [0, 2, 4]);
  });
  test("never fall when a text goes on", () => {
    const text = fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom(..."aB1 .\n")) });
    fc.assert(fc.property(text, text, (one, two) => estimatedTokens(one + two) >= estimatedTokens(one)));
  });
});

/** The real ones. They have no place in the fast lane: each takes seconds to load. */
async function tokenizers(): Promise<((text: string) => number)[]> {
  const { Tiktoken } = await import("js-tiktoken/lite");
  const ranks = [await import("js-tiktoken/ranks/cl100k_base"), await import("js-tiktoken/ranks/o200k_base")];
  return ranks.map(({ default: rank }) => {
    const encoder = new Tiktoken(rank);
    return (text) => encoder.encode(text, [], []).length;
  });
}

const isLong = inLane({ fast: false, long: true, soak: true });
describe("real tokenizers", () => {
  const inLong = isLong ? test : () => undefined;
  const loaded = isLong ? tokenizers() : Promise.resolve([]);
  inLong("count what is written down here", async () => {
    const counting = await loaded;
    for (const [name, text] of Object.entries(TOKEN_TEXTS))
      assert.deepEqual(counting.map((count) => count(text)), COUNTED[name], name); // prettier-ignore
  });
  inLong("count no more than the hard limit in any surface of such texts", async () => {
    const counting = await loaded;
    const words = Object.values(TOKEN_TEXTS).flatMap((text) => text.split(/(?<=\s)/));
    const content = fc.array(fc.constantFrom(...words, ...Object.values(TOKEN_TEXTS)), { maxLength: 40 });
    const texts = fc.array(content.map((parts) => parts.join("")), { minLength: 1, maxLength: 60 }); // prettier-ignore
    fc.assert(
      fc.property(texts, fc.integer({ min: 40, max: 400 }), (contents, characters) => {
        const entries = contents.map((one) => {
          const item = newItem({ content: one, id: crypto.randomUUID() });
          return entry({
            id: item.id,
            line: lineOf({ item, shelf: "memory", stale: null }, { now: 0, zone: UTC, characters }),
          });
        });
        const settings = { targetTokens: 400, hardTokens: 550, recentShare: 0.3, lineCharacters: characters, maxLines: 20 }; // prettier-ignore
        const text = renderSurface(chooseLines(entries, settings, { ...FRAME, isOpposed: () => false }));
        for (const count of counting) assert.ok(count(text) <= 550, text);
      }),
      { numRuns: 200 },
    );
  });
});
