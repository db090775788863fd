/** Files that only get longer: taken in piece by piece, they are what they are when they are read at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexProject } from "../../src/files/index-project.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { runs } from "../lane.ts";
import { countingEmbedder } from "../test-world.ts";
import { type CorpusWorld, corpusWorld } from "./corpus-steps.ts";

/** A comment in code: what a grammar fails on takes it long. */
const LINE = "// The walrus dives at dawn, and the seal looks on.\n";
const SECRET = `DB_PASSWORD="tR7${"xK4q".repeat(2)}!"\n`;
const KEY = `-----BEGIN RSA PRIVATE${" KEY"}-----\n${"MIIEabcdefghijklmnopqrstuvwxyz0123456789+/\n".repeat(9)}-----END RSA PRIVATE${" KEY"}-----\n`;
const PATHS = ["log.txt", "notes.md", "tool.ts"];

/** Code begins as code: a grammar takes ten times as long over what it cannot read. */
const beginningOf = (path: string) => (shelfOf(path) === "code" ? "// Walrus\n\n" : "# Walrus\n\n");
const shelfOf = (path: string) => (/\.(?:txt|md)$/.test(path) ? "document" : "code");

async function kept(world: CorpusWorld, path: string): Promise<unknown> {
  const shelf = shelfOf(path);
  const item = await world.project.fileAt(shelf, path);
  const [whole] = await world.project.whole(shelf, [item!.id]);
  const { title, summary, content, hash, tags } = whole!.item;
  const passages = whole!.passages.map(({ ordinal, heading, startLine, endLine, text, tokens }) => {
    return { ordinal, heading, startLine, endLine, text, tokens: [...(tokens ?? assert.fail("no wordpieces"))] };
  });
  const [state] = await world.project.fileStates({ paths: [path] });
  return { title, summary, content, hash, tags, passages, bytes: state!.bytes, read: state!.hash };
}

test("a file that grows in any pieces is kept as if it was read at once", async () => {
  const piece = fc.oneof(
    fc.constantFrom(SECRET, KEY, "# A heading\n\n", "Under\n---\n\n", "```\ncode\n", "- one\n- two\n", "ünï 🦭 \n"),
    fc.integer({ min: 1, max: 60 }).map((lines) => LINE.repeat(lines)),
    fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'ab \n#-`[](){};="') }),
  );
  const growth = fc.array(fc.tuple(piece, fc.nat(100)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(growth, async (pieces) => {
      let text = LINE.repeat(700);
      const files = () => Object.fromEntries(PATHS.map((path) => [path, beginningOf(path) + text]));
      const growing = await corpusWorld(files());
      await growing.index();
      for (const [more, share] of pieces) {
        const end = Math.max(1, Math.floor((more.length * share) / 100));
        for (const part of [more.slice(0, end), more.slice(end)].map((half) => half.toWellFormed())) {
          text += part;
          for (const [path, now] of Object.entries(files())) growing.write(path, now);
          await growing.index();
        }
      }
      const atOnce = await corpusWorld(files());
      await atOnce.index();
      for (const path of PATHS) assert.deepEqual(await kept(growing, path), await kept(atOnce, path), path);
    }),
    { numRuns: runs(1) },
  );
});

test("of a file that grew, only what is new gets wordpieces and vectors; of one that changed, all is read", async () => {
  const text = LINE.repeat(700);
  const embedder = countingEmbedder();
  const world = await corpusWorld({ "log.txt": text }, { embedder });
  const encoded: string[] = [];
  const { tokenizer } = world;
  const counting = {
    ...world,
    tokenizer: {
      encode(texts: readonly string[]) {
        encoded.push(...texts);
        return tokenizer.encode(texts);
      },
    },
  };
  const takeIn = async (now: string) => {
    world.write("log.txt", now);
    world.clock.time += 10_000;
    encoded.length = embedder.texts.length = 0;
    await indexProject({}, counting);
    await drain(world.project, counting);
    return [encoded, embedder.texts] as const;
  };
  await takeIn(text);
  const grown = `${text}The seal sleeps.\n${SECRET}`;
  for (const texts of await takeIn(grown)) {
    assert.equal(texts.length, 1);
    assert.match(texts[0]!, /The seal sleeps\.\nDB_PASSWORD="\[redacted:secret-value\]"$/);
  }
  const changed = grown.replace("walrus", "narwhal");
  const [pieces] = await takeIn(`${changed}More.\n`);
  assert.ok(pieces.length > 2, "what begins with something else is read anew");
  const item = await world.project.fileAt("document", "log.txt");
  assert.match(item!.content, /^\/\/ The narwhal dives[^]*secret-value\]"\nMore\.\n$/);
  assert.ok(!item!.content.includes("xK4q"));
});
