/**
 * Whether a statement opposes a ratified decision, and why.
 *
 * It does if it says that the decided choice was given up, names another choice for the decided subject, or differs
 * from the decision in a number or a pole. It must be about exactly that subject: a dashboard for background jobs is
 * not the background jobs. Needs no vectors, and is cheap enough to run for every hit of a search.
 */
import { conflictOf, type Conflict } from "../memory/statements/conflict.ts";
import { isLeft } from "../memory/statements/grammar.ts";
import { statementOf } from "../memory/statements/statement.ts";
import { CODE, isCapitalised, isTelling, type Token, tokensOf, VERBS } from "../memory/statements/tokens.ts";
import { stem } from "../text/stem.ts";
import { fold, isStopWord, words } from "../text/words.ts";
import { sameSubject } from "./subject.ts";

export interface Decided {
  subject: string;
  text: string;
}

const REASON_CHARACTERS = 80;
const COMPARED_CHARACTERS = 600;

const CHOOSING =
  /^(?:use|uses|used|using|run|runs|running|handled|managed|processed|powered|implemented|built|written|executed|queued|dispatched|done|stored|kept|persisted|live|lives|hosted|deployed|moved|migrated|switched|go|goes|based|scheduled|served|provided|made|published|sent|delivered)$/;
const COPULA = /^(?:is|are)$/;
const LINKING =
  /^(?:is|are|was|were|be|been|being|has|have|will|should|must|shall|now|always|currently|all|get|gets|got|can|may|to|on|with|by|in|through|via|over|from|using|a|an|the|our)$/;
const PICKING = /^(?:use|uses|using|adopt|adopted|choose|chose|pick|picked|prefer|prefers|take|want)$/;
const SERVING = /^(?:handles|powers|runs|serves|provides|manages|processes|executes)$/;
const PURPOSE = /^(?:for|as)$/;

/** The reason in a few words, or null if it does not oppose. A proposal has a subject of its own. */
export function opposesDecision(
  { subject, text }: Decided,
  statement: string,
  statedSubject: string | null = null,
): string | null {
  const tokens = tokensOf(statement.slice(0, COMPARED_CHARACTERS));
  const decided = tokensOf(text.slice(0, COMPARED_CHARACTERS));
  const own = new Set([...decided, ...tokensOf(subject)].flatMap(({ text: word }) => keysOf(word)));
  const choices = decided.filter((token, at) => isName(token) || (at === 0 && /^\p{Lu}/u.test(token.text)));
  const left = choices[0] && leaving(tokens, choices[0], own);
  if (left) return `gives up ${left}, which the decision chose`;
  const isSame = statedSubject !== null && sameSubject(subject)(statedSubject);
  const place = subjectIn(tokens, subject);
  if (place === null && !isSame) return null;
  const says = `where the decision says ${short(text)}`;
  const isNamed = choices.some((choice) => tokens.some(({ folded }) => folded === choice.folded));
  const other =
    isNamed || choices.length === 0 ? null : isSame ? firstName(tokens, own) : chosenFor(tokens, place!, own);
  if (other !== null) return `names ${other} ${says}`;
  const kind = conflictWith(text, statement);
  return kind === null ? null : `${REASONS[kind]} ${says}`;
}

const REASONS: Record<Exclude<Conflict, "name" | "word" | "measure">, string> = {
  number: "has another number",
  pole: "says the opposite",
  choice: "makes another choice",
  negation: "denies it",
};

function conflictWith(text: string, statement: string): keyof typeof REASONS | null {
  const kind = conflictOf(statementOf(text), statementOf(statement), { older: [], newer: [] });
  return kind !== null && kind in REASONS ? (kind as keyof typeof REASONS) : null;
}

const short = (text: string): string => {
  const line = text.split(/\s+/).join(" ").trim();
  return line.length <= REASON_CHARACTERS ? line : `${line.slice(0, REASON_CHARACTERS - 1).toWellFormed()}…`;
};

const isName = (token: Token): boolean => CODE.test(token.text) || isCapitalised(token);

const keysOf = (word: string): string[] => [fold(word), ...words(word).map((part) => stem(fold(part)))];

/** The decided choice, if the statement says that it was given up, and has something else in common with the decision. */
function leaving(tokens: readonly Token[], choice: Token, own: ReadonlySet<string>): string | null {
  const at = tokens.findIndex(({ folded }) => folded === choice.folded);
  if (at < 0) return null;
  if (!isLeft(tokens, at)) return null;
  const others = tokens.filter(
    ({ folded }, place) => place !== at && isTelling(tokens[place]!) && folded !== choice.folded,
  );
  return others.some(({ text }) => keysOf(text).some((key) => own.has(key))) ? choice.text : null;
}

/** A proposal on the same subject chooses what it names first. */
const firstName = (tokens: readonly Token[], own: ReadonlySet<string>): string | null =>
  tokens.find(
    (token, at) =>
      (isName(token) || at === 0) &&
      isTelling(token) &&
      !keysOf(token.text).some((key) => own.has(key)) &&
      isName({ ...token, startsSentence: false }),
  )?.text ?? null;

interface Place {
  start: number;
  end: number;
}

/** Where the statement names the subject, and neither narrows it nor goes on to another noun. */
function subjectIn(tokens: readonly Token[], subject: string): Place | null {
  const parts = tokensOf(subject).map(({ folded }) => stem(folded));
  if (parts.length === 0) return null;
  const stems = tokens.map(({ folded }) => stem(folded));
  for (let start = 0; start + parts.length <= tokens.length; start++) {
    if (!parts.every((part, index) => stems[start + index] === part)) continue;
    const end = start + parts.length;
    const [before, after] = [tokens[start - 1], tokens[end]];
    const isNarrowed = before !== undefined && !before.endsClause && isTelling(before) && !isVerb(before);
    const goesOn = after !== undefined && !tokens[end - 1]!.endsClause && isTelling(after) && !isVerb(after);
    if (!isNarrowed && !goesOn) return { start, end };
  }
  return null;
}

const isVerb = ({ folded }: Token): boolean =>
  VERBS.has(folded) || CHOOSING.test(folded) || PICKING.test(folded) || SERVING.test(folded);

/** What the statement names as the choice for the subject: "they run on X", "use X for them", "X handles them". */
function chosenFor(tokens: readonly Token[], { start, end }: Place, own: ReadonlySet<string>): string | null {
  return chosenAfter(tokens, end, own) ?? chosenBefore(tokens, start, own);
}

function chosenAfter(tokens: readonly Token[], end: number, own: ReadonlySet<string>): string | null {
  if (tokens[end - 1]?.endsClause) return null;
  let at = end;
  let hasVerb = false;
  while (at < tokens.length && !tokens[at]!.endsClause) {
    const { folded } = tokens[at]!;
    if (CHOOSING.test(folded) || COPULA.test(folded)) hasVerb = true;
    else if (!LINKING.test(folded)) break;
    at += 1;
  }
  if (!hasVerb) return null;
  const name = nameAt(tokens, at, 1, own);
  if (name === null) return null;
  // "They use Sentry for errors" chooses something for errors.
  return PURPOSE.test(tokens[at + name.length]?.folded ?? "") ? null : name.map(({ text }) => text).join(" ");
}

function chosenBefore(tokens: readonly Token[], start: number, own: ReadonlySet<string>): string | null {
  let at = start - 1;
  while (at >= 0 && (isStopWord(tokens[at]!.folded) || SERVING.test(tokens[at]!.folded))) at -= 1;
  const between = tokens.slice(at + 1, start);
  const serves = between.some(({ folded }) => SERVING.test(folded));
  if (between.some(({ endsClause }) => endsClause)) return null;
  if (!serves && !between.some(({ folded }) => PURPOSE.test(folded))) return null;
  const name = nameAt(tokens, at, -1, own);
  if (name === null || serves) return name && name.map(({ text }) => text).join(" ");
  const verb = tokens[at - name.length];
  return verb && PICKING.test(verb.folded) ? name.map(({ text }) => text).join(" ") : null;
}

/** The run of names at a place, or null if one of them is the decision's own. */
function nameAt(tokens: readonly Token[], at: number, step: 1 | -1, own: ReadonlySet<string>): Token[] | null {
  const run: Token[] = [];
  for (let place = at; tokens[place] && (isName(tokens[place]!) || isOnlyWord(tokens, place)); place += step) {
    run.push(tokens[place]!);
    if (step > 0 && tokens[place]!.endsClause) break;
  }
  if (run.length === 0 || run.some(({ text }) => keysOf(text).some((key) => own.has(key)))) return null;
  return step > 0 ? run : run.reverse();
}

/** "Use celery for": a single word between verb and purpose is a name however it is written. */
const isOnlyWord = (tokens: readonly Token[], at: number): boolean =>
  isTelling(tokens[at]!) && PICKING.test(tokens[at - 1]?.folded ?? "") && PURPOSE.test(tokens[at + 1]?.folded ?? "");
