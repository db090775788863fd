import assert from "node:assert/strict";
import { test } from "node:test";
import { settles } from "../../../../src/logic/capture/extractor/settled.ts";

const NO_LOCK = "`mergeBaskets()` does not take the lock of `rate_cache`, so two customers see one basket.";
const cases: [string, string, string, boolean][] = [
  ["a problem that was solved", "`mergeBaskets()` now takes the lock of `rate_cache`.", NO_LOCK, true],
  [
    "a plan that was carried out",
    "Added `roundLine()` to `basket.ts`.",
    "The approach would be a `roundLine()` in `basket.ts`.",
    true,
  ],
  [
    "how the code was before",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "The old code only took the lock of `rate_cache` when `mergeBaskets()` was called at night.",
    true,
  ],
  [
    "how other code was before",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "The old code of `roundLine()` rounded twice.",
    false,
  ],
  [
    "a cause that the old code was",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "The old check read `rate_cache` before `mergeBaskets()` had locked it, because two workers share it.",
    false,
  ],
  [
    "an earlier version, which is kept",
    "`deploy.sh` now also uploads `backups/release.tar`.",
    "For a rollback, `deploy.sh` keeps the previous version in `backups/release.tar`.",
    false,
  ],
  [
    "old logic that is still in use",
    "`taxOf()` now logs `country`.",
    "Orders before 2020 use the old logic of `taxOf()` by `country`.",
    false,
  ],
  ["another thing", "`roundLine()` now takes the lock of `tax_table`.", NO_LOCK, false],
  ["one name of many", "`mergeBaskets()` now logs each call.", NO_LOCK, false],
  ["what may come", "`mergeBaskets()` should take the lock of `rate_cache` now.", NO_LOCK, false],
  [
    "a cause, which stays true",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "Root cause: `mergeBaskets()` did not take the lock of `rate_cache`.",
    false,
  ],
  [
    "what tells of its solution",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "`mergeBaskets()` never took the lock of `rate_cache`; fixed with `withLock()`.",
    false,
  ],
  [
    "the message of a commit",
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "fix: `mergeBaskets()` must not wait for `rate_cache`.",
    false,
  ],
  [
    'what describes with a "not"',
    "`mergeBaskets()` now takes the lock of `rate_cache`.",
    "`mergeBaskets()` reads `rate_cache` in rows, not in columns, and only at night.",
    false,
  ],
  [
    "names of another sentence",
    "The totals are rounded now. `mergeBaskets()` and `rate_cache` share a lock.",
    NO_LOCK,
    false,
  ],
];
for (const [what, later, earlier, expected] of cases)
  test(`settled, ${what}: ${expected}`, () => assert.equal(settles(later, earlier), expected));
