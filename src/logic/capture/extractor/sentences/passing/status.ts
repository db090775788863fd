/** How things stand: of no use an hour later. */
import { anyOf, phrases, raw } from "../../phrases.ts";
import { COUNT } from "../words.ts";

const CHECKED = raw`(all |the |actual |full |\d+ )*(tests?|checks?|lint(er)?|builds?|ci|everything)`;
const PASSES = anyOf(
  "pass(es|ed|ing)?|clean|green|succeeds?",
  "(is|are|comes? back) (all |now )*(clean|green|passing|fine)",
);
const TASKS = "(comments?|threads?|issues?|items?|tasks?|todos?|tests?|cases|suites?)";
const PROVEN = anyOf(
  "resolved|addressed|done|completed?|handled|fixed",
  "green|clean|passing|replied to",
  raw`pass(es|ed)?(?! (an?|the)\b)`,
);

export const STATUS = phrases({
  "how it is at this moment": {
    opening: ["currently", "already(?!-)"],
    anywhere: ["right now", "at the moment", "still needs? resolution", "(we|you|i|is|are)('re|'m)? currently"],
    like: ["Already up to date with the release branch.", "We are currently on the release branch."],
    unlike: ["`total` currently holds cents, never euros."],
  },
  "what the person can see or try now": {
    opening: [
      "you (currently |now |already |can (now |also )?)?(have(?! to)|are on|see|test|try)",
      raw`you can\b.*\bnow`,
    ],
    like: ["You have three staged files in `orders/`.", "You can import the rates of the office now."],
    unlike: ["You can run `make seed` to fill the local database.", "You have to read the rates before an import."],
  },
  "checks that pass": {
    whole: [raw`${CHECKED}(,? (and|&) \w+)* (all |both |still |now )*${PASSES}\b(?! (an?|the)\b)[^.;:]{0,40}`],
    opening: ["everything (passes|works|is (green|clean))", "all (clean|good|green)", raw`all set\b(?!\s?[:—–])`],
    like: [
      "All 12 tests pass.",
      "The actual build and lint both pass.",
      "All green — unit tests, lint and the nightly build.",
    ],
    unlike: ["All set: the importer reads `rates.csv` at night.", "All tests pass a clock to `total()`."],
  },
  "checks that fail, as they should": {
    anywhere: ["fail(s|ures?)? as expected", "red phase"],
    like: ["The new tests of the basket fail as expected, without a rate."],
    unlike: ["Imports of an empty file fail, as the office expects."],
  },
  "code that compiles, and is right": {
    opening: ["(it|the (code|project|build)) (now |still )?(compiles|builds)"],
    closing: ["(is|are) now (correct|fixed|clean|fine)"],
    pattern: [raw`^no (more |merge |remaining )?(conflict|error|failure|warning)s\b(?! (is|are) \w+ed\b)[^;:\`]*$`],
    like: [
      "The project now compiles with the new rates.",
      "The rounding of each line in a basket is now correct.",
      "No merge conflicts — the merge of the basket is clean and pushed.",
    ],
    unlike: ["No errors of the bank are shown: `rateOf()` returns null.", "No errors are raised without a rate."],
  },
  "works as it should": {
    closing: [
      raw`(?<!(\b(not|never|only)|n't)\b.{0,40})(successfully|correctly|as expected)`,
      raw`(\w+ed|works?) fine`,
      raw`successfully \([^()]*\)`,
      raw`works? for all\b[^.;:]*`,
    ],
    opening: ["we successfully", "successfully (ran|pushed|committed|created|completed|verified|tested|built)"],
    like: [
      "The import ran and stored all rows correctly.",
      "The nightly import works fine.",
      "The changed rows were imported successfully (they show a prefix).",
      "The import works for all test cases.",
      "Successfully created the index of the orders table.",
    ],
    unlike: [
      "Rows that were imported successfully are marked in `orders`.",
      "The bank answers 200 even if the row was not stored correctly.",
    ],
  },
  "what runs just now": {
    anywhere: [raw`we('re| are) (now|still) \w+ing`],
    pattern: [
      raw`\b(is|are) (being(?! \w+ed by\b)|firing|running|working)\b` +
        raw`(?! (as|under|without)\b)(?!.*(\`.*\`|, (so|which)\b))`,
    ],
    like: ["The importer is running in the second window.", "So we're now walking through all old baskets, too."],
    unlike: [
      "While the importer is running, `total` holds a lock.",
      "The importer is running as root, and owns each file.",
      "The importer is being killed by the kernel at 512 MB.",
    ],
  },
  "a sign of progress": {
    // Without the flag "u" a class holds halves of emoji, so most others count too.
    pattern: ["^[✓✔✅☑]", "[⏳🔄🚧]", "^expected: "],
    like: ["✓ Step 3 complete: `total()` rounds.", "⏳ Import of the second file", "Expected: three rows."],
    unlike: ["Rows that the bank expected: three."],
  },
  "a step of a plan": {
    pattern: [
      raw`^(edit|part|phase|step|task) \d+(:|( is)? (complete|done)\b(?! by\b))`,
      raw`^((the )?(plan|implementation|work|task|phase|step)\b.{0,20}|all (validation|verification|checks?) )` +
        raw`(is )?(now )?(approved|completed?|done|finished|passes|saved|updated)\b`,
    ],
    like: [
      "Step 4: round the totals in `basket.ts`.",
      "Task 2 is done, and `total()` rounds.",
      "The plan for the basket is approved.",
      "All verification passes for the basket.",
    ],
    unlike: ["Step 4 of the import rounds totals.", "The plan of each customer names a rate."],
  },
  "items that are done": {
    pattern: [
      raw`^(both|all|each|${COUNT})\b.{0,30}\b${TASKS}\b` +
        raw`((?!\b(must|may|can|should)\b).){0,30}\b${PROVEN}\b[^;:—]{0,120}$`,
    ],
    like: ["Both review threads are resolved and the bot has been told."],
    unlike: [
      "All orders whose items were handled by the old importer lack a rate: `total()` is null.",
      "Each test case must be completed within a second.",
    ],
  },
  "what was just done": {
    anywhere: [
      "just (added|changed|created|fixed|removed|updated)",
      "changes are (already |now )?(pushed|committed|in place)",
    ],
    opening: [
      "the last edit i made",
      raw`the \w+ (have|has) been (updated|saved|pushed|committed)`,
      "done (to|with|on|as|and)",
    ],
    pattern: [
      raw`^(replied|committed|pushed|merged|rebased)( (to|with|on|as|and)\b|:| —)`,
      raw`^fixed\s?[—–-]`,
      raw`^i('ve| have)? (now )?(completed|finished|verified|confirmed|reviewed)\b(?! that\b)[^:;—\`]*$`,
      raw`^i('ve| have) found\b[^:—]{0,40}[.!]$`,
    ],
    like: [
      "The index that I just added is on the orders table.",
      "All changes are pushed to the release branch.",
      "The docs have been updated with the new rates.",
      "Pushed to the feature branch with the new index.",
      "Fixed — `total()` rounds.",
      "I've verified all totals of the basket.",
      "I've found the root cause.",
    ],
    unlike: ["Merged baskets keep the lock of the older one.", "I've verified that `total()` rounds each line."],
  },
  "where the branch is": {
    opening: ["the current (head|branch|commit)", "the (pr|branch) (is|should be) (now )?(clean|ready|up to date)"],
    like: ["The current branch is `basket-totals`.", "The PR is now ready for the office."],
    unlike: ["The branch of the bank in each country sends its rates."],
  },
  "what a file has, line by line": {
    pattern: [
      raw`^\`?[\w./~-]+\`? \((created|modified|edited|new|deleted|updated)\b[^()]*\)[:;.]?$`,
      raw`^lines? \d+\b.{0,12} (is|are) in\b`,
      raw`^lines? \d+((,| and|-| to) \d+)* (reads?|says?|needs?|stays?)\b`,
      // A row of a table, unless code has the bar; and how many lines a commit changed.
      raw`^[^\`]*\S \| \S`,
      raw`\+\d+ ?\/ ?[-−]\d+`,
    ],
    opening: [raw`the rest (is|are)(?! (sent|\w+ed) (by|to|in|from|with)\b)`],
    like: [
      "`basket.ts` (MODIFIED — rounding)",
      "Line 77 reads `total = 0`.",
      "Lines 12-20 are in the loop of the importer.",
      "Basket | rounds each line",
      "The basket has +12/-3 lines.",
      "The rest is the same as in the basket.",
    ],
    unlike: [
      "Lines 12 to 20 of `basket.ts` round each price.",
      "The rate is `number | null` until the office answers.",
      "The rest is handled by the office of the country.",
    ],
  },
  "traces left for debugging": {
    anywhere: ["instrumented (with|for)", "temporary (logging|prints?|instrumentation)"],
    like: ["`basket.ts` — Instrumented with checksums of each row for debugging."],
    unlike: ["Temporary logs of the importer are in `var/`."],
  },
  "what the machine has": {
    whole: [
      raw`\`?[\w-]+\`? is (now |already )?(installed|authenticated|available|configured|set up)` +
        raw`( (and|here|locally)\b[^.;:]*)?`,
    ],
    opening: [raw`(the .{1,30} )?found (all )?\d+`],
    like: [
      "`jq` is installed and authenticated.",
      "Found 15 baskets, including the imported one.",
      "The import tool found all 4 baskets of the test.",
    ],
    unlike: ["Redis is configured without a disk.", "`jq` is installed by the image."],
  },
});
