/** Phrases and places that tell what a sentence is worth; named, so that weights are data. */
import { tellingStems } from "../../text/words.ts";
import type { Place } from "./passage.ts";
import type { Unit } from "./units.ts";

export const CUES = {
  cause:
    /\broot cause\b|\bthe (?:real |actual |underlying )?(?:issue|problem|bug|culprit|cause|reason) (?:is|was)\b|\bturns out\b|\bcaused by\b/i,
  fix: /\b(?:fixed|resolved|solved|addressed) by\b|\bthe fix\b|\bfix(?:ed|es)?:|\bworkaround\b/i,
  because:
    /\bbecause\b|\bsince (?:the|it|we|this|they)\b|\bwhich means\b|\bso that\b|\bthis (?:means|causes|ensures|prevents)\b|\bdue to\b|\btherefore\b/i,
  rule: /\bmust(?:n't| not)?\b|\balways\b|\bnever\b|\bshould(?:n't| not)?\b|\bdon't\b|\bdo not\b|\brequires?\b|\bconvention\b/i,
  choice:
    /\binstead of\b|\brather than\b|\bdecided\b|\bdecision\b|\bwe(?:'ll| will) (?:use|keep|go)\b|\bintentional|\bby design\b|\bon purpose\b|\bdeliberately\b/i,
  open: /\b(?:follow-?up|TODO|deferred|later|remaining|still (?:need|to)|out of scope|open (?:item|question)|tech debt|future)\b/i,
  failure: /\b(?:fail(?:s|ed|ing|ure)?|error|broke|broken|conflict|race|panic|flaky|regression|lint|stale|missing)\b/i,
  caution: /\b(?:only|except|unless|edge case|gotcha|caveat|note(?: that)?|important|key|insight|pre-existing)\b/i,
  done: /\b(?:added|removed|replaced|changed|updated|implemented|created|refactored|moved|renamed|extracted|consolidated|pushed|committed|merged)\b/i,
  behaviour: /\b(?:uses?|calls?|returns?|reads?|writes?|stores?|handles?|checks?|skips?|falls? back)\b/i,
} as const;
export type Cue = keyof typeof CUES;

const LEAST_STEMS = 4;
const NAMES_CODE = /`|\w\(\)|[a-z][A-Z]|\w_\w/;
export const EXTENSIONS =
  "[cm]?[jt]sx?|go|py|rs|rb|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|lua|sql|md|mdx|html|css|scss|vue|json|jsonl|ya?ml|sh|toml|xml|txt|lock|proto|tf";
export const CODE = new RegExp(
  `\`[^\`]+\`|\\b\\w+\\(\\)|\\b[a-z]+[A-Z]\\w+|\\b[\\w./-]+\\.(?:${EXTENSIONS})\\b|\\b[A-Z]{2,}-\\d+\\b|#\\d+`,
  "g",
);
/** An agent that says what it does next, or asks what to do. */
const ALOUD =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|now|first|next|then|yes|sure|right|alright|hmm|wait|also|and|so)\b[\s,.!:—–-]*)*(?:let me|let's (?:see|check|look|run|start|verify)|i'll|i will|i(?: still)? need to|i'm going to|i can see|want me to|would you like|shall i|should i|do you want|which \w+ would you|ready to)\b/i;
const FILLER =
  /\blet me\b|\bi'll:?$|\bwhenever you\b|\bwhen you're ready\b|\bready (?:for you )?to commit\b|^(?:wait\b|if you need specific details from before|(?:done|all (?:clean|good|green|tests pass|set)|looks? good|everything (?:is green|passes)|clear picture now|good question|here(?:'s| is| are)\b[^.]*:)[.!]?$|(?:now|next),? (?:the|for|update|add|fix|run|check)\b)/i;
/** A reason makes even such a sentence worth keeping. */
const REASONED = /\b(?:because|since|instead|rather than|so that|due to)\b/i;

/** How things stand at the moment: of no use an hour later. */
const MOMENTARY =
  /^(?:currently\b|(?:all |the |\d+ )*(?:tests?|checks?|lint(?:er)?|builds?|ci|everything)(?:,? (?:and|&) \w+)* (?:all |still |now )*(?:pass(?:es|ed|ing)?|(?:is|are|comes? back) (?:all |now )*(?:clean|green|passing|fine)|clean|green|succeeds?)\b[^.;:]{0,40}[.!]?$|the (?:pr|branch) (?:is|should be) (?:now )?(?:clean|ready|up to date)\b|the last edit i made\b)|\b(?:fails? as expected|red phase)\b/i;

export const isChatter = (text: string): boolean =>
  ALOUD.test(text) || ((FILLER.test(text) || MOMENTARY.test(text)) && !REASONED.test(text));

/** "Tests pass.", "Now I see the issue.": true at the time, and of no use later. */
export function isEmpty(text: string): boolean {
  const said = text.replace(/https?:\S+/g, "");
  return !NAMES_CODE.test(said) && tellingStems(said).size < LEAST_STEMS;
}

const CUE_WEIGHTS: Record<Cue, number> = {
  ...{ cause: 3, fix: 2.5, because: 2, rule: 2, choice: 2, open: 1.5, failure: 1.5, caution: 1.5, done: 1.5 },
  behaviour: 1,
};

/** What a sentence promises by itself. */
function unitScore(text: string): number {
  if (text.length < 30 || text.endsWith("?") || text.endsWith(":")) return 0;
  let score = 0;
  for (const [cue, pattern] of Object.entries(CUES)) if (pattern.test(text)) score += CUE_WEIGHTS[cue as Cue];
  score += Math.min(3, (text.match(CODE) ?? []).length) * 0.8 + Math.min(text.length, 240) / 120;
  return isChatter(text) ? score - 3 : score;
}

const PLACE_WEIGHTS: Record<Place, number> = {
  ...{ prompt: 1, plan: 0.5, middle: 0, final: 1.5, commit: 3, compaction: 0.5 },
};

export const promiseOf = (units: readonly Unit[], place: Place): number =>
  PLACE_WEIGHTS[place] + Math.max(...units.map(({ text }) => unitScore(text)));
