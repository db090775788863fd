/** A single commit, session or run, which nobody meets again; a fix may say where it was made. */
import { phrases, raw } from "../../phrases.ts";

/** Letters and digits: plain numbers, and words like "deadbeef", name something else. */
const MIXED = raw`(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])`;
const MADE_IN = raw`(added|changed|done|fixed|introduced|merged|reverted|since) (in|by|with)? ?(commit )?\`?`;
const DID = "(added|broke|changed|introduced|moved|removed|renamed|replaced)";

export const INSTANCE = phrases({
  "the hash of a commit, the id of a session": {
    pattern: [raw`(?<!\b${MADE_IN}|")\b${MIXED}[0-9a-f]{7,40}\b(?!\`?( \([^()]*\))? ${DID}\b)`],
    like: [
      "The commit `4be1d07c` has the total in its message.",
      "Session 0b7c2f91-33aa-4cde-9b1e-0f2a4c5d6e7f stored two baskets.",
      "Only `a91f3c2` is on the release branch.",
    ],
    unlike: [
      "Rounding was fixed in `4be1d07c`: each line is rounded before the sum.",
      "Commit `4be1d07c` introduced a second read of `rates.csv`.",
      "The column `added` is a deadbeef-free boolean.",
      'The fixture uses the basket "4be1d07c" in every test.',
    ],
  },
  "two short ids": {
    pattern: [raw`(\`${MIXED}[0-9a-f]{6}\`.*){2}`],
    like: ["The others are `6b86b2` (staging) and `e3b0c4` (live)."],
    unlike: ["The colour of the basket is `e3b0c4`."],
  },
});
