import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mentionsIn } from "../../src/recall/question.ts";

const paths: [question: string, path: string, share: number, why: string][] = [
  ["Why does src/store/sqlite/store.ts lock?", "src/store/sqlite/store.ts", 1, "the whole path"],
  ["see sqlite/store.ts", "src/store/sqlite/store.ts", 1, "its last two parts"],
  ["in /home/me/project/src/store/sqlite/store.ts", "src/store/sqlite/store.ts", 1, "as a part of a longer one"],
  ["django.db.models.query fails", "django/db/models/query.py", 1, "a dotted module"],
  ["what is in STORE.TS?", "src/store/sqlite/store.ts", 1, "the file, in any case"],
  ["how does the store open?", "src/store/sqlite/store.ts", 0.5, "the bare stem"],
  ["how are things restored?", "src/store/sqlite/store.ts", 0, "a part of a word"],
  ["how does it open?", "src/io.ts", 0, "too short a stem to tell"],
  ["open it and go on", "src/it.ts", 0, "nor as a word"],
  ["store/open.ts", "src\\store\\open.ts", 1, "slashes of another system"],
  ["what does .gitignore hide?", ".gitignore", 1, "a file without a stem"],
  ["what does the Makefile do?", "Makefile", 0.5, "a file without an extension"],
  ["ends. And goes on", "a/", 0, "an empty part is none"],
  ["/", "/", 0, "nothing but a slash"],
  ["anything", "", 0, "no path"],
  ["", "src/store.ts", 0, "no question"],
  ["o que há em re\u0301sume\u0301.md", "docs/résumé.md", 1, "decomposed letters"],
  ["o que há em résumé", "docs/re\u0301sume\u0301.md", 0.5, "and composed ones"],
  ["why is index.css empty?", "src/x.c", 0, "inside another file's name"],
  ["open data.tsx", "src/a.ts", 0, "nor at its end"],
  ["see e.g. the manual", "e/g", 0, "an abbreviation is no module"],
  ["play src/xylophone", "c/x", 0, "inside a longer path's parts"],
  ["zoo.cages.close() fails", "zoo/cages.py", 1, "a module before its function"],
  ["日本語 の説明", "docs/日本語.md", 0.5, "other scripts"],
];
for (const [question, path, share, why] of paths)
  test(`${JSON.stringify(path)} in ${JSON.stringify(question)} is ${share}: ${why}`, () =>
    assert.equal(mentionsIn(question).path(path), share));

const names: [question: string, names: string[], share: number, why: string][] = [
  ["what does getUserById do?", ["getUserById"], 1, "a symbol"],
  ["what does getuserbyid do?", ["getUserById"], 0, "as it is written"],
  ["what does getUserByIdentity do?", ["getUserById"], 0, "a part of another one"],
  ["It calls getUserById.", ["getUserById"], 1, "at the end of a sentence"],
  ["It calls getUserById...", ["getUserById"], 1, "or of a thought"],
  ["os.path.join", ["os.path.join"], 1, "with its dots"],
  ["use $store and _private", ["_private"], 1, "signs that names may have"],
  ["what is constructor?", ["toString", "__proto__"], 0, "nothing that every object has"],
  ["was macht größe?", ["gro\u0308ße"], 1, "one spelling of a letter"],
  ["anything", [], 0, "no names"],
  ["", ["a"], 0, "no question"],
  ["...", [""], 0, "an empty name is in no question"],
];
for (const [question, own, share, why] of names)
  test(`${JSON.stringify(own)} in ${JSON.stringify(question)} is ${share}: ${why}`, () =>
    assert.equal(mentionsIn(question).name(own), share));

test("any path stands in a question that quotes it, and shares are known ones", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => !/[\\/]/.test(text));
  const anything = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), anything, (parts, other) => {
      const path = parts.join("/");
      assert.equal(mentionsIn(`what about ${path}?`).path(path), 1);
      assert.ok([0, 0.5, 1].includes(mentionsIn(other).path(path)));
      assert.ok([0, 1].includes(mentionsIn(other).name(parts)));
    }),
  );
});

test("a hostile question or path comes back", () => {
  const long = "a".repeat(200_000);
  for (const text of [long, "a/".repeat(100_000), ".".repeat(200_000), "a.".repeat(100_000), `${long}.`]) {
    assert.ok(mentionsIn(text).path(text) <= 1);
    assert.equal(mentionsIn(text).path("src/store.ts"), 0);
    assert.equal(mentionsIn(text).name(["getUserById"]), 0);
  }
});
