/** Headings under which nothing was found, but weighed, planned, asked or cited. */
import { anyOf, phrases, raw } from "../phrases.ts";

const THING = anyOf(
  "session|file|branch|repo(sitory)?|worktree|director(y|ies)|folder|log|output",
  "state|database|table|index|list|queue",
);
const WAY = "(things?|steps?|ideas?|ways?|measures?)";
const HAS = "(has|have|contains?|shows?|looks like( this)?)";

export const IDLE_HEAD = phrases({
  "possible ways and causes": {
    anywhere: [
      "options?|alternatives?|possibilities",
      "(could|might|may) be",
      "possible (causes?|reasons?|explanations?)",
      "(approach|idea|steps|key things|next steps) (is|are)",
      "what i'd",
    ],
    like: ["A few options", "This could be", "So the approach is"],
    unlike: ["Causes of the delay", "Planet types"],
  },
  "what may turn out otherwise": {
    anywhere: ["preliminary", "tentative"],
    opening: ["initial (assessment|estimate|hypothesis|impressions?|thoughts?)"],
    like: ["Feasibility (preliminary)", "Initial hypothesis"],
    unlike: ["Initial values of the basket"],
  },
  "what could help": {
    anywhere: [raw`${WAY}\b[^.:]{0,20}\b(could|might|would) (help|improve|reduce|fix|avoid)`],
    like: ["A few things that could help prevent it"],
    unlike: ["Steps of the import"],
  },
  "commits, which git lists": {
    pattern: [raw`^(the |all |new |recent )*commits?( [(][^()]*[)])?$`],
    like: ["Commits (12 in all)", "All commits"],
    unlike: ["Commits of the importer that lack a rate"],
  },
  "what was read, or has to be changed": {
    anywhere: [
      "user messages|current work|optional next step",
      "files (examined|read|reviewed|viewed)",
      "files to (change|modify|edit|update|create)",
      "(appears?|found|referenced|mentioned) in",
    ],
    like: ["Files examined", "Files to modify", "The name appears in"],
    unlike: ["Files of the importer"],
  },
  "what to check": {
    opening: [
      raw`experiment \d`,
      "verification|testing|test plan|implementation steps|acceptance criteria",
      "(success|failure) (indicators|criteria)",
      "expected (results?|behaviou?r|outcome)",
    ],
    like: ["Test plan", "Expected behaviour of `total()`"],
    unlike: ["Behaviour of `total()`"],
  },
  "a section of a review": {
    pattern: [
      "^(sources?|references|links|required|optional|nits?|next steps|currently)$",
      "^(recommend(ed|ations?)|suggest(ed|ions?))( changes?| fix(es)?)?$",
      "^((what's )?good|strengths|positives?|praise)$",
    ],
    like: ["Sources", "Suggested fixes", "Strengths"],
    unlike: ["Sources of the rates"],
  },
  // One thing at one moment; what a program now does is another matter.
  "how a thing is just now": {
    pattern: [raw`^(the|this|our) (\w+ )?${THING}s? (is |are )?(now|currently)( ${HAS})?$`],
    opening: [raw`(the|this) \w+ (contains|has|is) (a )?valid`],
    like: ["The session now", "The basket table now has", "The export contains valid rows"],
    unlike: ["The importer now"],
  },
  "what is in the way just now": {
    pattern: ["^(the |open |remaining |current )*blockers?( (identified|found|left|remaining|now|so far))?$"],
    like: ["Blockers identified", "Open blockers"],
    unlike: ["Blocker rules", "Known blockers of a release"],
  },
  "what is planned": {
    anywhere: ["(we|i) (need|have|want|should)", "plan"],
    pattern: [raw`\b(would|should) be( either)?$`, raw`\bneed(s|ed)$`],
    like: ["What we need to do", "The plan", "The rate should be either", "What the importer needs"],
    unlike: ["Rules of the basket", "Root cause"],
  },
});
export const isIdleHead = (heading: string): boolean => IDLE_HEAD.pattern.test(heading);
