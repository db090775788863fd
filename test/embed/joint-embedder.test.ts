/** One embedder for many: made once, closed by the last, and each user may go alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHashEmbedder, createJoint } from "../../src/embed/embedders.ts";
import { testEmbedder } from "./embedder-suite.ts";

/** Tells which were made and which were closed; `slow` answers nothing. */
function counting() {
  const [made, closed]: string[][] = [[], []];
  const join = createJoint((key) => {
    made!.push(key);
    const embedder = createHashEmbedder();
    return {
      ...embedder,
      embed: (texts) => (texts[0] === "slow" ? new Promise(() => undefined) : embedder.embed(texts)),
      async close() {
        closed!.push(key);
        await embedder.close();
      },
    };
  });
  return { join, made, closed };
}

const join = createJoint(() => createHashEmbedder());
testEmbedder("joint", () => join("a"), { able: true });

test("who names the same key uses the same embedder, until the last has gone", async () => {
  const { join, made, closed } = counting();
  const [first, second, other] = [join("a"), join("a"), join("b")];
  await first.load();
  assert.equal(second.state(), "ready");
  assert.equal(other.state(), "cold");
  await Promise.all([first.close(), first.close()]);
  assert.deepEqual(closed, []);
  assert.equal((await second.embed(["text"])).length, 1);
  await second.close();
  assert.deepEqual([made, closed], [["a", "b"], ["a"]]);
  await join("a").embed(["text"]);
  assert.deepEqual(made, ["a", "b", "a"]);
});

test("who closes is owed nothing more; the others still are", async () => {
  const { join } = counting();
  const [first, second] = [join("a"), join("a")];
  const owed = assert.rejects(first.embed(["slow"]), { code: "unavailable" });
  const waiting = second.embed(["text"]);
  await first.close();
  await owed;
  assert.equal((await waiting).length, 1);
});
