/**
 * Words of intention: whether a text tells a wish, a plan, an idea or a question, and not how things are.
 *
 * "Should" and "want" alone are rules and preferences, which hold already.
 */
import { fold } from "../../text/words.ts";

/** Verbs and nouns under which nothing has happened yet. */
export const INTENDING: readonly string[] = [
  ..."would could might plan plans planned consider considered considering".split(" "),
  ..."proposal propose proposed suggest suggested".split(" "),
];

const PATTERNS: readonly RegExp[] = [
  // "Would prefer" is a preference, and "planned for" a date.
  new RegExp(`\\b(?!would (?:prefer|rather|like (?!to\\b))|planned for\\b)(?:${INTENDING.join("|")})\\b`),
  /\b(?:todo|fixme|wish|wishlist|hope|hopes|hoping|idea|ideas|ideally|maybe|perhaps|possibly|someday|some day|eventually|sooner or later|at some point|in the (?:near |long |distant )?future|down the road|in the long run|nice to have|planning|roadmap|backlog|thinking (?:about|of)|(?:want|wants|like|intend|intends|going|hope|aim) to (?:be able|add|have|get|move|switch|migrate|try|support|introduce|replace|adopt|drop|make|use)|will (?:soon|later|probably|likely|eventually)|undecided|open question|not decided)\b/,
  /\?\s*$/,
  // German
  /\b(?:geplant|planen|vielleicht|eventuell|irgendwann|ware (?:schon|gut|toll)|konnte man|wunsch|idee|uberlegen|langfristig)\b/,
  // French
  /\b(?:prevu|prevue|prevoit|peut-etre|un jour|serait|souhait\w*|envisag\w*|idee|pourrait)\b/,
  // Spanish and Portuguese
  /\b(?:planead[oa]|planejad[oa]|quizas?|tal vez|talvez|algun dia|um dia|seria|deseo|idea|ideia|podriamos|poderiamos|en el futuro|no futuro)\b/,
  /计划|打算|考虑|希望|也许|将来|或许|是否|予定|検討|かもしれ/,
];

export function isIntention(text: string): boolean {
  const plain = fold(text.normalize("NFC")).replaceAll("’", "'").replace(/\s+/g, " ");
  return PATTERNS.some((pattern) => pattern.test(plain));
}
