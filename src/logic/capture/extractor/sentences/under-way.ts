/** A summary is made in the middle of the work: what it tells of the way there and of the next hour soon changes. */
import { anyOf, phrases, raw } from "../phrases.ts";

const LOOKED = anyOf(
  "discussed|reviewed|traced|explored|investigated|analy[sz]ed|examined|searched|aligned",
  raw`(\w+ )?(sub-)?issues? created|created (\w+ )?(sub-)?issues?`,
);

export const UNDER_WAY = phrases({
  "what was looked at": {
    opening: [raw`([\w ]{0,40}: )?${LOOKED}`],
    like: ["Design: Discussed two ways to round.", "Created three sub-issues for the importer."],
    unlike: ["The importer reads each row twice."],
  },
  "what the agent did": {
    opening: [
      raw`(\d+\. )?i('ve| have)? (then |also |now )?(\w+ed|began|found|made|read|ran|wrote|got)`,
      "i then|started",
      "after (resolving|fixing|finishing)",
    ],
    anywhere: ["initially (suspected|thought|tried|failed|blamed)"],
    like: ["I read the importer and its tests.", "I then took the lock.", "We initially suspected the cache."],
    unlike: ["Importers may run at night."],
  },
  "what is left to do": {
    opening: ["current(ly)?|need to"],
    anywhere: ["still needs?", "currently (failing|resolving)", "in progress|red phase", raw`remaining \d+`],
    like: ["Currently resolving the second conflict.", "The importer still needs a lock."],
    unlike: ["The importer needs a lock."],
  },
});

export const UNDER_WAY_HEAD = phrases({
  "a section about the way and the next hour": {
    anywhere: ["chronologically", "pending tasks?|next steps?|current work|primary request"],
    like: ["Let me chronologically go through the work", "Pending Tasks"],
    unlike: ["Rules"],
  },
});
export const isUnderWay = (text: string, heading: string): boolean =>
  UNDER_WAY.pattern.test(text) || UNDER_WAY.pattern.test(heading) || UNDER_WAY_HEAD.pattern.test(heading);
