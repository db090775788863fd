/** What a sentence is worth, by its phrases and its place; named, so that weights are data. */
import { expression, raw } from "../phrases.ts";
import type { Place } from "../passage.ts";
import { type Cue, CUES } from "./cue-phrases.ts";
import { isChatter } from "./passing.ts";
import type { Unit } from "./units.ts";

export const EXTENSIONS = [
  "[cm]?[jt]sx?|go|py|rs|rb|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|lua|sql|vue|proto|tf|sh",
  "md|mdx|html|css|scss|json|jsonl|ya?ml|toml|xml|txt|lock",
].join("|");
/** In code marks, a call, a capital within a word, a file, a ticket. */
export const CODE = expression(
  raw`\`[^\`]+\`|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b[\w./-]+\.(${EXTENSIONS})\b|\b[A-Z]{2,}-\d+\b|#\d+`,
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
