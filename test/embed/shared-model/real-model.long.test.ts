/** The real model, offered by one process and used by another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMinilm } from "../../../src/embed/minilm/embedder.ts";
import { modelFolder } from "../minilm/model-folder.ts";
import { openHouse } from "./parties.ts";

test("the real model's vectors arrive unchanged, and its client needs no model", async () => {
  await using house = openHouse();
  const texts = ["user prefers dark mode", "half a character \ud83d", "The store must survive a crash. ".repeat(60)];
  const owner = house.join("offer", createMinilm({ cacheFolder: modelFolder }));
  const vectors = await owner.embed(texts);
  const never = createMinilm({ cacheFolder: house.home });
  const client = house.join("load", never, { longestTextCharacters: 4_000 });
  assert.deepEqual(await client.embed(texts), vectors);
  assert.equal(never.state(), "cold");
});
