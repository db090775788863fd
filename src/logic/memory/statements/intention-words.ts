/**
 * Words of intention: whether a text tells a wish, a plan, an idea or a question, and not how things are.
 *
 * "Should" and "want" alone are rules and preferences, which hold already. Only what the text claims counts, not what it
 * adds to that ("200 a minute, which could be raised"), and a plan or an idea may be a thing ("the Pro plan").
 */
import { verbPlace } from "./grammar.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Verbs and nouns under which nothing has happened yet. */
export const INTENDING: readonly string[] = [
  ..."would could might plan plans planned consider considered considering".split(" "),
  ..."proposal propose proposed suggest suggested".split(" "),
];

/** Whether it is meant as a verb or as a thing shows in the words around it. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["plan", "plans"]);

const PATTERNS: readonly RegExp[] = [
  // "Would prefer" is a preference, and "planned for" a date.
  new RegExp(
    `\\b(?!would (?:prefer|rather|like (?!to\\b))|planned for\\b)(?:${INTENDING.filter((word) => !AMBIGUOUS.has(word)).join("|")})\\b`,
  ),
  /\b(?:we|i|they)(?: (?:also|still|currently))? plan\b|\b(?:plans?|planning) (?:to|on \w+ing|(?:is|was) (?:to|that))\b|^(?:the |our |my )?plans?:/,
  /\b(?:an|one|another|good|nice|great) idea\b|\bideas? (?:to|(?:is|was) (?:to|that))\b|^(?:the |our |my |some )?ideas?\b(?=:| for\b)/,
  /\b(?:todo|fixme|wish|wishlist|hope|hopes|hoping|ideally|maybe|perhaps|possibly|someday|some day|eventually|sooner or later|at some point|in the (?:near |long |distant )?future|down the road|in the long run|nice to have|roadmap|backlog|thinking (?:about|of)|(?:want|wants|like|intend|intends|going|hope|aim) to (?:be able|add|have|get|move|switch|migrate|try|support|introduce|replace|adopt|drop|make|use)|will (?:soon|later|probably|likely|eventually)|undecided|open question|not decided)\b/,
  // German
  /\b(?:geplant|planen|vielleicht|eventuell|irgendwann|ware (?:schon|gut|toll)|konnte man|wunsch|idee|uberlegen|langfristig)\b/,
  // French
  /\b(?:prevu|prevue|prevoit|peut-etre|un jour|serait|souhait\w*|envisag\w*|idee|pourrait)\b/,
  // Spanish and Portuguese
  /\b(?:planead[oa]|planejad[oa]|quizas?|tal vez|talvez|algun dia|um dia|seria|deseo|(?:la|una) idea|ideia|podriamos|poderiamos|en el futuro|no futuro)\b/,
  /计划|打算|考虑|希望|也许|将来|或许|是否|予定|検討|かもしれ/,
];

/** After these a text adds to what it has claimed. */
const ADDING = /^(?:which|who|but|although|though|because|so|if|unless|until|when|while|whereas)$/;
/** "We switch to Kafka, eventually" is one claim. */
const AFTERTHOUGHT_WORDS = 3;

export function isIntention(text: string): boolean {
  if (/\?\s*$/.test(text)) return true;
  const claim = claimOf(tokensOf(text)).map(({ folded, isLabel }) => folded + (isLabel ? ":" : ""));
  const plain = claim.join(" ");
  return PATTERNS.some((pattern) => pattern.test(plain));
}

/** The text up to the end of the clause of its verb; all of it if no verb is known. */
function claimOf(tokens: readonly Token[]): readonly Token[] {
  const verb = verbPlace(tokens);
  const addition = tokens.findIndex(
    ({ folded }, at) => at > 0 && ADDING.test(folded) && (at > verb || tokens[at - 1]!.endsClause),
  );
  const last = tokens.findIndex(({ endsClause }, at) => endsClause && at >= verb);
  const rest = tokens.length - 1 - last;
  const end = last < 0 || rest <= AFTERTHOUGHT_WORDS ? tokens.length : last + 1;
  return tokens.slice(0, addition < 0 ? end : Math.min(end, addition));
}
