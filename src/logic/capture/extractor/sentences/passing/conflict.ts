/** What the two sides of a conflict have, and which was taken; the outcome is in the code. */
import { anyOf, phrases, raw } from "../../phrases.ts";
import { REMOTE } from "../words.ts";

const WHOSE = "(the|your|our|my|their|this|feature|parent|current|incoming|other|local|remote)";
const SIDE = anyOf(raw`${WHOSE} (\w+ )?(branch|side|version)`, "HEAD|ours|theirs|incoming", raw`${REMOTE}[\w./-]+`);
/** What git calls incoming; requests and messages are so to everybody. */
const FROM_OUTSIDE = "(call|connection|event|mail|message|packet|request|webhook)s?|data|traffic";
const INCOMING = raw`incoming(?! (${FROM_OUTSIDE})\b)`;
const MAIN = anyOf("main|master|upstream", "(the )?parent( branch)?", raw`${REMOTE}[\w.-]+`);

export const CONFLICT = phrases({
  "what one side has": {
    pattern: [raw`^\`?${SIDE}\`?( \([^()]*\))?\s?([:—–]|-(?= ))\s*\S`],
    opening: [raw`the \`?(HEAD|main|master|incoming|${REMOTE}[\w./-]+)\`? side`],
    anywhere: [raw`HEAD (\([^()]*\) )?(side|has(?! no body))`],
    like: [
      "The branch: `roundLine()` for each price",
      "origin/main: extra `rate` parameter of `total`",
      "HEAD — rounds each line",
      "Your version (basket): rounds the total",
      "The `origin/main` side added a `rate` parameter to `total`.",
      "In every case, HEAD (totals) has the right column.",
    ],
    unlike: ["The branch of the bank in each country sends its rates."],
  },
  "one side against the other": {
    anywhere: [
      raw`${MAIN}\b\`? (side )?(had|has|adds?|added|changed|kept|uses?)\b.*` +
        raw`\b(while|whereas|and|but) (the|our|your|this|my) (feature )?branch`,
      raw`(HEAD|ours)\b.*\b(${INCOMING}|theirs)`,
      raw`(${INCOMING}|theirs)\b.*\b(HEAD|ours)`,
    ],
    like: [
      "Main had `sumOf()` in the basket while the branch replaced it with `total()`.",
      "basket.ts: HEAD rounds each line, incoming rounds the total.",
      "Theirs has the old column and ours the new one.",
    ],
    unlike: ["The rates of the main office are ours for a day.", "Incoming requests carry HEAD or GET."],
  },
  "which side was taken": {
    anywhere: [
      "kept (HEAD|ours|theirs|incoming)",
      raw`took (the|our|their) (\w+ )?(branch|version|side)\b(?! from)`,
      "branch version",
    ],
    like: ["`basket.ts` took the branch version.", "In `basket.ts` we kept theirs."],
    unlike: ["The basket kept the version of the first row.", "The importer took the version from `shop.json`."],
  },
  "a merge, and its conflicts": {
    pattern: [
      raw`^merged? (remote-tracking )?(branch\b|${REMOTE}|main\b|master\b)(?!.*\b(only|never|always)\b)`,
      raw`\bconflicts? (resolved(?! by)|files?|\d{1,2}\b)`,
      raw`^(commit|conflict) ("|\d{1,2}\b(?! [KMG]B))`,
    ],
    opening: [raw`resolved? (the |a |all |both |\d+ )?(merge |rebase )?conflicts?(?!.*\bby \w+ing\b)`],
    anywhere: [
      "conflicts? (is|are) (straightforward|trivial|simple|small|in|at|between)",
      "conflicted files?",
      "rebase steps?",
      "intermediate (rebase )?commit",
    ],
    like: [
      "Merge origin/main into basket-totals.",
      "Merge conflicts resolved in the basket.",
      'Commit "Round totals": `roundLine()` moved.',
      "Resolved the merge conflict in `basket.ts` with both parameters.",
      "Both conflicts are straightforward: the rates moved.",
    ],
    unlike: [
      "Merged baskets keep the lock of the older one.",
      "Conflicts of two rates are shown to the office.",
      "Conflict 409 is returned for an old row.",
      "Resolve conflicts in the lock file by running `make lock`.",
    ],
  },
});
