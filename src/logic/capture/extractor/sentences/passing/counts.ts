/** So many of something: what a search or a run has just shown, before anybody knows what it means. */
import { anyOf, phrases, raw } from "../../phrases.ts";
import { COUNT } from "../words.ts";

const COUNTED = anyOf(
  "commits?|conflicts?|errors?|failures?|issues?|fix(es)?|comments?|threads?|changes|occurrences?|files?|places",
  "references?|things|problems|warnings|matches|results|hits|tests?",
);
const FIGURE = raw`[~≈]?\d[\d,.]*`;
/** "(all customers) in total" */
const REMARK = raw`( \([^()\`]*\))?( in (total|all))?`;
/** A word follows that is no verb. */
const NO_VERB = raw`(?!(are|is|was|were|has|have|must|can|will)\b)`;

export const COUNT_OF_HITS = phrases({
  "how many were found": {
    pattern: [
      raw`^(there (is|are) )?(only |just |all |both |the )?(other )?${COUNT} (of \w+ )?([\w-]+ ){0,2}${COUNTED}\b` +
        raw`(?!.*(, (and|so|which|but)|\b(when|if|unless|must|may|cannot|per))\b)[^;:—(]{0,60}$`,
    ],
    like: [
      "Only two places use the `total` column.",
      "There are 14 errors in the basket package.",
      "One remaining reference in the comment of a test.",
    ],
    unlike: [
      "Two baskets of one customer share a lock, which `mergeBaskets()` must take first.",
      "Two tests share a port and fail when run at once.",
    ],
  },
});

/** "Has 271 messages", "7 project sources": so many of something that is not named. */
export const TALLY = phrases({
  "how many it has": {
    pattern: [
      raw`^((it|the [\w-]+|this [\w-]+) )?(now |currently |still )?` +
        raw`(has|have|had|holds?|contains?|contained|with|shows?|lists?) (a total of |about |around |only |all )?` +
        raw`${FIGURE}[+k]? ([\w-]+ ){0,4}[\w-]+${REMARK}(: [^\`]*)?[.;]?$`,
    ],
    like: ["Has 271 baskets (all customers)", "The file now contains 3 rows: 1 customer, 2 baskets."],
    unlike: ["The basket has 2 locks because the importer and the shop write at once."],
  },
  "how many there are, about": {
    pattern: [raw`\b(is|are|adds?|makes?) [~≈]\d[\d,.]* ([\w-]+ ){0,3}[\w-]+s\b[^\`]*$`],
    like: ["The new importer is ~12 more sources than the old one, and an export."],
    unlike: ["The new importer is ~12 rows behind `rates.csv`."],
  },
  "a number of things, without a verb": {
    pattern: [
      raw`^(about |around |only |a total of )?${FIGURE}[+k]? ` +
        raw`(${NO_VERB}[\w-]+ ){0,4}${NO_VERB}[a-z][\w-]*${REMARK}[.;]?$`,
    ],
    like: ["5 additional rate sources", "2 printed views (A4, A5)"],
    unlike: ["3 rates are read from `rates.csv` before the first basket opens."],
  },
});

const MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

/** Measured once: on a date, or so many at the time. Case counts, because "may" and "mar" are words. */
export const MEASURED = phrases(
  {
    "on a date": {
      pattern: [raw`^${MONTH}[a-z]* \d{1,2}\b[^.]{0,30}:`],
      like: ["Feb 5: 12 imports in 8 minutes"],
      unlike: ["In February the bank changes its rates.", "may 5 rows have no rate: `total()` is null."],
    },
    "as many as there still were": {
      pattern: [raw`\bthere (are|were) still \d+`],
      like: ["Each import adds a file, and there are still 4717 of them."],
      unlike: ["As long as there are still rows, `total()` waits."],
    },
  },
  "",
);
