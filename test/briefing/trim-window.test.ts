import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ContextWindow, trimWindow, WINDOW_PARTS, windowTokens } from "../../src/briefing/window.ts";
import { UTC } from "../../src/time/calendar.ts";
import { anyWindow, ghost, pattern, suggestion, windowMemory } from "./window-samples.ts";

const FULL: ContextWindow = {
  working: [windowMemory("w1"), windowMemory("w2")],
  relevant: [windowMemory("r1"), windowMemory("r2")],
  patterns: [pattern("p1"), pattern("p2")],
  suggestions: [suggestion("s1"), suggestion("s2")],
  ghostMessages: [ghost("g1"), ghost("g2")],
};

const sizes = (window: ContextWindow) => WINDOW_PARTS.map((part) => window[part].length).join("");

test("what does not fit is left out from the end: ghosts, suggestions, patterns, relevant, working", () => {
  const seen = new Set<string>();
  for (let budget = windowTokens(FULL, UTC); budget >= 12; budget -= 1) seen.add(sizes(trimWindow(FULL, budget, UTC)));
  const all = "22222 22221 22220 22210 22200 22100 22000 21000 20000 10000 00000".split(" ");
  // Where an entry costs less than the title that goes with it, one step may be skipped, but never the order.
  assert.deepEqual(
    [...seen],
    all.filter((size) => seen.has(size)),
  );
  assert.ok(seen.size >= 9, [...seen].join(" "));
});

test("within the budget nothing is left out, and the first of each part stays longest", () => {
  assert.equal(trimWindow(FULL, windowTokens(FULL, UTC), UTC), FULL);
  const trimmed = trimWindow(FULL, windowTokens(FULL, UTC) - 1, UTC);
  assert.deepEqual(
    trimmed.ghostMessages.map(({ content }) => content),
    ["g1"],
  );
});

test("no content exceeds the budget, and what is left is the beginning of every part", () => {
  fc.assert(
    fc.property(anyWindow, fc.integer({ min: 50, max: 20_000 }), (window, budget) => {
      const trimmed = trimWindow(window, budget, UTC);
      assert.ok(windowTokens(trimmed, UTC) <= budget);
      const cutAt = WINDOW_PARTS.findIndex((part) => trimmed[part].length < window[part].length);
      for (const [index, part] of WINDOW_PARTS.entries()) {
        assert.deepEqual(trimmed[part], window[part].slice(0, trimmed[part].length));
        if (cutAt >= 0 && index > cutAt) assert.equal(trimmed[part].length, 0);
      }
    }),
  );
});
