/** An export given as text: it is imported as if it were a file, and nothing else is taken with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { update } from "../../src/memory/update.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { headerLine, itemLine } from "../../src/transfer/export-text.ts";
import importVerb from "../../src/transfer/verbs/import.ts";
import type { World } from "../../src/world.ts";
import { newItem } from "../store/suite/trial.ts";
import { itemIn, keep, testWorld } from "../test-world.ts";

const take = async (world: World, input: object, dryRun = false) =>
  (await dispatch(importVerb, input, world, { dryRun })).answer;

test("what is new is added, what differs is a conflict until it is chosen", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need the VPN");
  const before = await itemIn(world, id);
  await update(id, { content: "Deploys need the VPN." }, world);
  const theirs = {
    ...before!,
    content: "Deploys need two approvals",
    version: 9,
    hash: contentHash("Deploys need two approvals"),
  };
  const lines = [headerLine(), itemLine("memory", { item: newItem({ content: "new" }), passages: [], embed: false }), itemLine("memory", { item: theirs, passages: [], embed: false })]; // prettier-ignore
  const text = `${lines.join("\n")}\n`;
  const planned = await take(world, { text }, true);
  assert.deepEqual([planned.inserted, planned.conflictCount, planned.conflicts[0]?.id], [1, 1, id]);
  const done = await take(world, { text: text.replaceAll("\n", "\r\n") });
  assert.deepEqual([done.inserted, done.conflictCount], [1, 1], "lines may end as on Windows");
  const chosen = await take(world, { text, replace: [done.conflicts[0]!.handle] });
  assert.deepEqual([chosen.updated, (await itemIn(world, id))?.content], [1, "Deploys need two approvals"]);
});

test("a text that is no export is refused with the line, and beside a path or a tool it is one too many", async () => {
  const world = await testWorld();
  await assert.rejects(take(world, { text: "hello" }), /The text, line 1/);
  await assert.rejects(take(world, { text: headerLine(), path: "also.jsonl" }), { code: "invalid_input" });
  await assert.rejects(take(world, { text: headerLine(), from: "markdown" }), { code: "invalid_input" });
});
