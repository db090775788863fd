/** References: what a document means by what it writes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isExternal, referenceReader } from "../../src/files/references.ts";
import { anyCharacter } from "../any-character.ts";

const archived = "cyberk-flow/changes/archive/old/specs/auth/spec.md";
const documents = [
  "README.md",
  "docs/README.md",
  "docs/guide.md",
  "docs/My Page.md",
  "docs/a/deep.md",
  "docs/ünï.md",
  "cyberk-flow/specs/auth/spec.md",
  "cyberk-flow/specs/users/spec.md",
  archived,
  "notes/zettel.md",
  "notes/index.md",
].map((path) => ({ path, title: path === "docs/guide.md" ? "The Whole Guide" : null }));
const { resolve } = referenceReader(documents);

const cases: [string, string, string | null, string][] = [
  ["docs/guide.md", "a/deep.md", "docs/a/deep.md", "relative"],
  ["docs/a/deep.md", "../guide.md", "docs/guide.md", "upwards"],
  ["docs/guide.md", "./a/../README.md", "docs/README.md", "with dots"],
  ["docs/a/deep.md", "/docs/guide.md", "docs/guide.md", "from the root"],
  ["docs/a/deep.md", "docs/guide.md", "docs/guide.md", "from the root without its slash"],
  ["docs/a/deep.md", "../../../guide.md", null, "out of the project"],
  ["README.md", "docs/guide.md#part", "docs/guide.md", "a fragment is dropped"],
  ["README.md", "docs/guide.md?plain=1", "docs/guide.md", "a query is dropped"],
  ["README.md", "docs/My%20Page.md", "docs/My Page.md", "percent signs are decoded"],
  ["README.md", "docs/%C3%BCn%C3%AF.md", "docs/ünï.md", "also beyond ASCII"],
  ["README.md", "docs/%E0%A4%A.md", null, "broken ones harm nothing"],
  ["README.md", "docs/guide", "docs/guide.md", "without an ending"],
  ["README.md", "docs/", "docs/README.md", "a folder is its README"],
  ["README.md", "notes", "notes/index.md", "or its index"],
  ["README.md", "cyberk-flow/specs/auth/", "cyberk-flow/specs/auth/spec.md", "or its specification"],
  ["docs/guide.md", "guide.md", null, "itself"],
  ["docs/guide.md", "#part", null, "its own part"],
  ["docs/guide.md", "https://example.com/docs/guide.md", null, "external"],
  ["docs/guide.md", "//example.com/README.md", null, "external without a scheme"],
  ["docs/guide.md", "mailto:a@example.com", null, "mail"],
  ["docs/guide.md", "missing.md", null, "unknown"],
  ["docs/guide.md", "", null, "empty"],
  ["docs/guide.md", "specs/auth", "cyberk-flow/specs/auth/spec.md", "a mention of a specification"],
  [archived, "specs/users/spec.md", "cyberk-flow/specs/users/spec.md", "a mention in full"],
  ["docs/guide.md", "Refs: auth", "cyberk-flow/specs/auth/spec.md", "a line of references"],
  ["docs/guide.md", "Refs: cyberk-flow/specs/users", "cyberk-flow/specs/users/spec.md", "with its folder"],
  ["docs/guide.md", "Refs: zettel", "notes/zettel.md", "of another document"],
  ["docs/guide.md", "[[zettel]]", "notes/zettel.md", "a page by its stem"],
  ["docs/guide.md", "[[Zettel|the note]]", "notes/zettel.md", "under another text"],
  ["docs/guide.md", "![[zettel#part]]", "notes/zettel.md", "included, in part"],
  ["README.md", "[[the whole guide]]", "docs/guide.md", "by its title"],
  ["README.md", "[[docs/a/deep]]", "docs/a/deep.md", "by its path"],
  ["docs/guide.md", "[[README]]", "docs/README.md", "the one beside it before others"],
  ["notes/zettel.md", "[[README]]", "README.md", "else the one nearest to the root"],
  ["README.md", "[[#part]]", null, "its own part as a page"],
];
for (const [from, reference, expected, why] of cases)
  test(`${from} → ${reference}: ${why}`, () =>
    assert.deepEqual(resolve(from, [reference]), expected === null ? [] : [expected]));

test("each target once, in order", () => {
  const said = ["docs/guide.md", "[[zettel]]", "/docs/guide.md#x", "README.md", "https://example.com"];
  assert.deepEqual(resolve("README.md", said), ["docs/guide.md", "notes/zettel.md"]);
});

test("external is what has a scheme, a host, or only a fragment", () => {
  assert.deepEqual(["http://a", "HTTPS://a", "data:x", "//a", "#a"].filter(isExternal).length, 5);
  assert.deepEqual(["a.md", "/a", "../a", "Refs: a", "[[a]]", "a b: c.md"].filter(isExternal), []);
});

test("whatever is written, only known paths come out and never the document itself", () => {
  const known = new Set(documents.map(({ path }) => path));
  const piece = fc.constantFrom(
    "..",
    "/",
    "docs",
    "%",
    "%2e",
    "#",
    "[[",
    "]]",
    "guide.md",
    "specs/auth",
    "Refs: ",
    "\0",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 8 }),
      (parts) => {
        for (const path of resolve("docs/guide.md", [parts.join("")]))
          assert.ok(known.has(path) && path !== "docs/guide.md");
      },
    ),
  );
});
