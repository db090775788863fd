/** Globs: what they match, and that no glob can make matching slow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { globFault, namesMatcher, namesOf } from "../../src/files/glob.ts";

function globMatcher(glob: string): (path: string) => boolean {
  const matches = namesMatcher(glob);
  return (path) => matches(namesOf(path));
}

const cases: [string, string[], string[]][] = [
  ["README*", ["README.md", "a/b/readme.txt", "README"], ["a/READ.md", "README/x.md"]],
  ["docs/**", ["docs/a.md", "docs/a/b.md", "Docs/a.md"], ["docs", "a/docs/b.md", "docsa/b.md"]],
  ["**/docs/**", ["docs/a.md", "x/docs/a.md", "x/y/docs/a/b.md"], ["docs", "x/docsy/a.md"]],
  ["docs/*.md", ["docs/a.md", "docs/.md"], ["docs/a/b.md", "docs/a.txt"]],
  ["docs/*/spec.md", ["docs/a/spec.md"], ["docs/spec.md", "docs/a/b/spec.md"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/bx", "x/a/b"]],
  ["a/**/b/**/c", ["a/b/c", "a/b/x/b/c", "a/x/b/y/z/c"], ["a/c", "a/b", "a/c/b"]],
  ["/top.md", ["top.md"], ["a/top.md"]],
  ["./docs/a.md", ["docs/a.md"], ["a.md"]],
  ["?.md", ["a.md", "é.md", "😀.md", "x/b.md"], ["ab.md", ".md"]],
  ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a", "b"]],
  ["a**b", ["ab", "axxb"], ["a/b"]],
  ["{adr,docs/adr}/*.md", ["adr/1.md", "docs/adr/1.md"], ["docs/1.md"]],
  ["{a,b{c,d}}.md", ["a.md", "bc.md", "x/bd.md"], ["b.md", "ac.md"]],
  ["a{,b}.md", ["a.md", "ab.md"], ["b.md"]],
  ["{a.md", ["{a.md"], ["a.md"]],
  ["a}.md", ["a}.md"], ["a.md"]],
  ["[ab].md", ["[ab].md"], ["a.md"]],
  ["a.md", ["a.md"], ["aXmd"]],
  ["**", ["a", "a/b/c.md"], []],
];
for (const [glob, matching, others] of cases)
  test(`glob ${glob}`, () => {
    const matches = globMatcher(glob);
    assert.deepEqual([...matching, ...others].filter(matches), matching);
  });

test("a glob that asks for too much is refused and matches nothing", () => {
  assert.equal(globFault("docs/**"), null);
  assert.match(globFault(" ") ?? "", /empty/);
  assert.match(globFault("a".repeat(501)) ?? "", /longer/);
  const many = "{a,b}".repeat(40);
  assert.match(globFault(many) ?? "", /alternatives/);
  assert.match(globFault(`{${many}}`) ?? "", /alternatives/);
  assert.equal(globMatcher(many)("ab".repeat(20)), false);
});

test("what makes a backtracking matcher run for ever ends at once", () => {
  const path = `${"a/".repeat(400)}${"a".repeat(400)}`;
  assert.equal(globMatcher(`${"*a".repeat(200)}b`)(path), false);
  assert.equal(globMatcher(`${"**/a/".repeat(80)}b`)(path), false);
});

/** The same meaning, said once more the slow way. */
function slow(glob: string, path: string): boolean {
  if (glob === "") return path === "";
  if (glob[0] === "*")
    return slow(glob.slice(1), path) || (path !== "" && path[0] !== "/" && slow(glob, path.slice(1)));
  if (path === "" || (glob[0] !== "?" && glob[0] !== path[0]) || (glob[0] === "?" && path[0] === "/")) return false;
  return slow(glob.slice(1), path.slice(1));
}

test("stars and question marks mean what a plain recursion says", () => {
  const letters = (from: string, length: number) =>
    fc.array(fc.constantFrom(...from), { minLength: 1, maxLength: length }).map((all) => all.join(""));
  fc.assert(
    fc.property(letters("ab*?", 7), letters("ab", 8), (glob, path) => {
      assert.equal(globMatcher(`/${glob.replace(/\*+/g, "*")}`)(path), slow(glob, path));
    }),
  );
});

test("no glob throws", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."ab*?{},/\\[") }), fc.string(), (glob, path) => {
    assert.equal(typeof globMatcher(glob)(path), "boolean");
  })); // prettier-ignore
});
