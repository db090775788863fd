/** Sentences that lack a part: their main clause, or the things that "they" and "them" stand for. */

const SUBORDINATE = /^(?:given|since|although|though|while|whereas|because)\b/i;
const GOES_ON = /^(?:and|or|nor|but|which|who|whose|where|that|since|because|while|e\.g|i\.e|even|especially|not)\b/i;
const ASIDE = /\([^()]*\)/g;
const CLAUSE_END = /(?:,|\s[—–-]|[;:])\s/;

/** "Given that this is the only call, and that it has no lock." */
export function lacksMainClause(text: string): boolean {
  if (!SUBORDINATE.test(text)) return false;
  const [, ...clauses] = text.replace(ASIDE, "").split(CLAUSE_END);
  return clauses.every((clause) => GOES_ON.test(clause));
}

const THEY = /\b(?:they|them|their|those)\b/i;
/** Words that end like a plural and are none. */
const SINGULAR = /^(?:\w*ss|\w*us|is|was|has|does|its|this|as|always|sometimes|perhaps|unless|towards|across)$/i;
const SEVERAL = /`|\d|\b(?:and|all|any|both|each|every|people|children|data|user|who)\b/i;

/** "When it ran, it removed them": what was removed stands in a sentence before. */
export function lacksPlural(text: string): boolean {
  const at = text.search(THEY);
  if (at < 0) return false;
  const before = text.slice(0, at);
  const isPlural = (word: string) => word.length > 2 && word.endsWith("s") && !SINGULAR.test(word);
  return !SEVERAL.test(before) && !(before.match(/[A-Za-z]+/g) ?? []).some(isPlural);
}
