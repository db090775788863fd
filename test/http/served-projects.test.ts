import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isServed } from "../../src/http/serve-place.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-served-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);
for (const name of ["a/b", "ab", "..c"]) mkdirSync(at(name), { recursive: true });
symlinkSync(at("ab"), at("a", "out"));
symlinkSync(at("a"), at("in"));

const cases: [project: string, served: string[], expected: boolean, why: string][] = [
  [at("ab"), [], true, "any when none is named"],
  [at("a"), [at("a")], true, "itself"],
  [at("a", "b"), [at("a")], true, "below it"],
  [at("ab"), [at("a")], false, "a name that begins like it"],
  [at(), [at("a")], false, "above it"],
  [`${at("a")}/../ab`, [at("a")], false, "out of it again"],
  [at("a", "out"), [at("a")], false, "a link out of it"],
  [at("in"), [at("a")], true, "a link into it"],
  [at("..c"), [folder], true, "a name with two dots"],
  [at("missing"), [folder], false, "what is not there"],
  [at("ab"), [at("missing"), at("ab")], true, "one of several"],
];
for (const [project, served, expected, why] of cases)
  test(`${expected ? "served" : "refused"}: ${why}`, () => assert.equal(isServed(project, served), expected));
