/** What was done to tests, which the tests themselves show. */
import { anyOf, phrases, raw } from "../../phrases.ts";

const REPAIRED = "(updated|adjusted|fixed|changed|adapted|repaired|amended|update|adjust|fix|adapt)";
const WHICH = raw`((the|all|both|our|its|their|existing|\d+|call(s|ers?)?|sites?|in|of|integration|unit) ){0,5}`;
const TEST_FILE = anyOf(raw`_test\.\w+|\.(test|spec)\.\w+|_spec\.\w+`, raw`\btest_\w+\.\w+`, raw`Tests?\.\w{2,5}`);

/** What belongs to tests and is none. */
const NO_TEST = raw`(?! (are|database|director(y|ies)|environment|folder|framework|image|runner|server)\b)`;

export const ABOUT_TESTS = phrases({
  "tests that were adapted": {
    pattern: [
      raw`^(\w* ?tests? (fix|repair|update)(es|s)?: )?(also )?${REPAIRED} ${WHICH}` +
        raw`(\`?[\w./-]*${TEST_FILE}\`?|(tests?|mocks?|fixtures?|stubs?)\b${NO_TEST})`,
      raw`^(also )?(renamed|updated|adjusted|extended|changed|fixed) (all |the |both |\d+ |\w+ ){0,3}` +
        raw`((tests?|assertions?|occurrences|expected)\b${NO_TEST}|\`?Test[A-Z_]|\`?test_)`,
    ],
    like: [
      "Updated `basket_test.go` to pass the new `rate` 4th parameter",
      "Test fix: Updated `basket.test.ts` to pass the new `rate`.",
      "Adapted the callers in tests to the new signature of `total`.",
      "Updated all 8 tests that named the old column.",
      "Renamed `TestTotal` to `TestTotalInCents`.",
      "Updated expected totals of the basket.",
    ],
    unlike: ["Updated `basket.ts` to pass the new `rate`.", "Updated the test database to the rates of 2026."],
  },
  "tests that were added": {
    pattern: [raw`^added \`?[Tt]est_?\w+\`?[.;]?$`, raw`^\`?Test[A-Z]\w+\`?\s*[-—–:]\s`, raw`^tests?: \w+[.;]?$`],
    like: ["Added `test_total_in_cents`", "`TestTotal_Rounds` — checks the total of two lines", "Tests: basket"],
    unlike: ["Added a test helper that seeds `basket.db`, because each test needs its own rates."],
  },
});
