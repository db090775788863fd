import assert from "node:assert/strict";
import { copyFileSync, linkSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { Failure, type FailureCode, FAILURES, nearest, toFailure } from "../src/errors.ts";
import { runStill } from "./child.ts";

const codes: Record<FailureCode, { http: number; exit: number }> = {
  invalid_input: { http: 422, exit: 2 },
  not_found: { http: 404, exit: 3 },
  conflict: { http: 409, exit: 4 },
  refused: { http: 403, exit: 4 },
  unauthorized: { http: 401, exit: 4 },
  too_large: { http: 413, exit: 2 },
  too_many: { http: 429, exit: 5 },
  locked: { http: 423, exit: 5 },
  unavailable: { http: 503, exit: 5 },
  internal: { http: 500, exit: 1 },
};

test("every code has its exit code and its HTTP status, and there are no others", () => {
  assert.deepEqual(FAILURES, codes);
});

test("a failure is an error that says what to do, also as JSON", () => {
  const cause = new Error("disk");
  const failure = new Failure("unavailable", "It is gone.", "Look elsewhere.", { cause });
  assert.ok(failure instanceof Error);
  assert.equal(failure.name, "Failure");
  assert.equal(failure.cause, cause);
  assert.deepEqual(JSON.parse(JSON.stringify(failure)), {
    error: { code: "unavailable", message: "It is gone.", hint: "Look elsewhere." },
  });
});

test("a failure stays itself", () => {
  const failure = new Failure("not_found", "No.", "Try another.");
  assert.equal(toFailure(failure), failure);
});

const thrown: [string, unknown, string][] = [
  ["an error", new TypeError("x is undefined"), "x is undefined"],
  ["a string", "oops", "oops"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
];
for (const [name, value, message] of thrown)
  test(`${name} becomes an internal failure that remembers its cause`, () => {
    const failure = toFailure(value);
    assert.equal(failure.code, "internal");
    assert.equal(failure.message, message);
    assert.equal(failure.cause, value);
    assert.notEqual(failure.hint, "");
  });

const refusals: [fault: object, message: string][] = [
  [
    { code: "ENOTDIR", syscall: "lstat", path: "/dev/null/x" },
    "/dev/null/x cannot be used: part of its path is not a folder (ENOTDIR).",
  ],
  [{ code: "ENOSPC", syscall: "write" }, "The system refused: the disk is full (ENOSPC)."],
  [{ code: "EXYZ", syscall: "open", path: "/x" }, "EXYZ: what Node says."],
];
for (const [fault, message] of refusals)
  test(`what the system refuses is told in words, not as a defect: ${message}`, () => {
    const failure = toFailure(Object.assign(new Error("EXYZ: what Node says"), fault));
    assert.deepEqual([failure.code, failure.message], ["unavailable", message]);
  });

const folder = mkdtempSync(join(tmpdir(), "stele-"));
after(() => rmSync(folder, { recursive: true }));
const [file, missing] = [join(folder, "file"), join(folder, "missing")];
writeFileSync(file, "");
const unclear: [what: string, attempt: () => unknown, message: RegExp][] = [
  ["renaming", () => renameSync(file, join(missing, "b")), /^ENOENT: .+, rename '.+file' -> '.+b'\.$/],
  ["copying", () => copyFileSync(file, join(missing, "b")), /^ENOENT: .+, copyfile '.+file' -> '.+b'\.$/],
  ["linking", () => linkSync(file, join(missing, "b")), /^ENOENT: .+, link '.+file' -> '.+b'\.$/],
  ["a program", () => runStill(missing, []), /^spawnSync .+ ENOENT\.$/],
];
for (const [what, attempt, message] of unclear)
  test(`where two files may be to blame, what the system says is told as it is: ${what}`, () => {
    let failure: Failure | null = null;
    try {
      attempt();
    } catch (thrown) {
      failure = toFailure(thrown);
    }
    assert.equal(failure?.code, "unavailable");
    assert.match(failure.message, message);
  });

const VERBS = ["remember", "recall", "get", "list", "update", "forget", "promote"];
const slips: [string, string | null, string][] = [
  ["recall", "recall", "the word itself"],
  ["RECALL", "recall", "another case"],
  ["recal", "recall", "a letter missing"],
  ["recalll", "recall", "a letter too many"],
  ["recakl", "recall", "a wrong letter"],
  ["reaclls", "recall", "a swap and a letter"],
  ["rember", "remember", "two letters missing"],
  ["gte", "get", "a swap in a short word"],
  ["gt", "get", "a letter missing in a short word"],
  ["xyz", null, "nothing is near"],
  ["ge_x", null, "two slips in four letters are too many"],
  ["axt", null, "two slips in three letters are too many"],
  ["", null, "no word"],
  ["recall".repeat(20), null, "a word too long to compare"],
];
for (const [word, expected, why] of slips)
  test(`nearest to ${JSON.stringify(word.slice(0, 20))}: ${why}`, () => assert.equal(nearest(word, VERBS), expected));

test("nothing is nearest to nothing known", () => assert.equal(nearest("recall", []), null));

test("of equally near words the first is meant", () => {
  assert.equal(nearest("lift", ["list", "left"]), "list");
  assert.equal(nearest("lift", ["left", "list"]), "left");
});

test("a known word is nearest to itself and to itself with one swap", () => {
  const position = fc.tuple(fc.constantFrom(...VERBS), fc.nat(20));
  fc.assert(
    fc.property(position, ([verb, at]) => {
      assert.equal(nearest(verb, VERBS), verb);
      const index = at % (verb.length - 1);
      const swapped = verb.slice(0, index) + verb[index + 1]! + verb[index]! + verb.slice(index + 2);
      assert.equal(nearest(swapped, VERBS), verb);
    }),
  );
});
