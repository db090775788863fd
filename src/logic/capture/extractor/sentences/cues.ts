/** Phrases and places that tell what a sentence is worth; named, so that weights are data. */
import { isChatter } from "./passing.ts";
import type { Place } from "../passage.ts";
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

export const EXTENSIONS =
  "[cm]?[jt]sx?|go|py|rs|rb|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|lua|sql|md|mdx|html|css|scss|vue|json|jsonl|ya?ml|sh|toml|xml|txt|lock|proto|tf";
export const CODE = new RegExp(
  `\`[^\`]+\`|\\b\\w+\\(\\)|\\b[a-z]+[A-Z]\\w+|\\b[\\w./-]+\\.(?:${EXTENSIONS})\\b|\\b[A-Z]{2,}-\\d+\\b|#\\d+`,
  "g",
);
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
  ...{ prompt: 1, plan: 0.5, middle: 0, final: 1.5, commit: 3, published: 2.5, compaction: 0.5 },
};

export const promiseOf = (units: readonly Unit[], place: Place): number =>
  PLACE_WEIGHTS[place] + Math.max(...units.map(({ text }) => unitScore(text)));
