import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "../../src/machine/ids.ts";
import { handleOf } from "../../src/memory/handles.ts";

const HOUR_MS = 3_600_000;

test("handles of ten thousand ids of one hour are nearly all distinct, from the first characters on", () => {
  let now = Date.UTC(2026, 0, 15);
  const ids = createIds({ now: () => (now += HOUR_MS / 10_000) });
  const made = Array.from({ length: 10_000 }, () => ids.next());
  const beginnings = (texts: readonly string[], length: number) => new Set(texts.map((text) => text.slice(0, length)));
  const handles = made.map(handleOf);
  for (const handle of handles) assert.match(handle, /^[0-9a-f]{8}$/);
  assert.ok(beginnings(handles, 8).size >= 9_990);
  assert.equal(beginnings(handles, 2).size, 256);
  assert.ok(beginnings(handles, 4).size > 8_000);
  assert.ok(beginnings(made, 4).size === 1, "ids themselves begin alike");
});

test("an id that is no longer than a handle is its own", () => assert.equal(handleOf("short"), "short"));

test("an id that is not one of ours is its own handle", () => {
  for (const id of ["note-deploy-pipeline", "mem_9Kx2LmQp", "x".repeat(36)]) assert.equal(handleOf(id), id);
});
