/**
 * Secrets: wherever a caller puts one, no byte of it reaches the disk.
 *
 * Verbs run as a host runs them. Beside each secret stands a word that must arrive, so that
 * a field which is simply dropped does not pass.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { temporaryFolder, testWorld } from "../test-world.ts";
import { catalog } from "../whole-catalog.ts";

const PLACES = ["content", "title", "tag", "file", "symbol", "session", "branch", "query", "target", "edit"] as const;

/** A token of its own for each place, so that a leak says where it is. */
const secretFor = (place: string) => `ghp_${createHash("sha256").update(place).digest("hex").slice(0, 36)}`;
const planted = (place: (typeof PLACES)[number]) => `witness${place} ${secretFor(place)}`;

/** FTS and the caches fold case, so does the search for leaks. */
function bytesIn(folder: string): { files: string[]; text: string } {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ name }) => name).toSorted();
  const text = files.map((name) => readFileSync(join(folder, name), "latin1")).join("\n");
  return { files, text: text.toLowerCase() };
}

test("a secret in any field never occurs in the database files", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder, branch: planted("branch") });
  const run = async (name: string, input: Record<string, unknown>) =>
    (await dispatch(catalog.find((op) => op.name === name)!, input, world)).answer as { id: string };
  const { id } = await run("remember", {
    content: `Deploys use ${planted("content")}`,
    title: planted("title"),
    tags: [planted("tag")],
    files: [planted("file")],
    symbols: [planted("symbol")],
    session: planted("session"),
  });
  await run("recall", { query: `deploys ${planted("query")}` });
  await run("forget", { target: `deploys ${planted("target")}` });
  await run("update", { id, content: `Releases use ${planted("edit")}`, as: "replacement" });
  await world.afterwards.settle();

  const open = bytesIn(folder);
  assert.deepEqual(open.files.filter((name) => name.endsWith("-wal")).length, 2);
  await Promise.all([world.project.close(), world.global.close()]);
  const closed = bytesIn(folder);
  for (const place of PLACES) {
    for (const { text } of [open, closed]) assert.ok(!text.includes(secretFor(place).slice(4)), `leaked: ${place}`);
    // What is only asked is kept as a hash, except in the log of what was read.
    if (place !== "target") assert.ok(closed.text.includes(`witness${place}`), `dropped: ${place}`);
  }
});
