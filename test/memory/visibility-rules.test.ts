import assert from "node:assert/strict";
import { test } from "node:test";
import { isVisibleIn, restrictingSpace } from "../../src/memory/visibility.ts";
import { FILTER_CASES } from "../store/suite/items/filter-cases.ts";
import { newItem } from "../store/suite/trial.ts";

test("the rule is that of the store's filter", () => {
  const { filter, passes, fails } = FILTER_CASES["visibleIn"]!;
  for (const set of passes) assert.equal(isVisibleIn(filter.visibleIn, newItem(set)), true, JSON.stringify(set));
  for (const set of fails) assert.equal(isVisibleIn(filter.visibleIn, newItem(set)), false, JSON.stringify(set));
  for (const set of fails) assert.equal(isVisibleIn(undefined, newItem(set)), true, JSON.stringify(set));
});

test("the seed's preset restricts nothing", () => {
  assert.equal(restrictingSpace("default", "here"), "here");
  assert.equal(restrictingSpace("seed", "here"), undefined);
});
