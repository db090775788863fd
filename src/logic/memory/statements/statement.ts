/**
 * Statement: a short text prepared for comparison with another.
 *
 * What stands before the first verb is what it is about; the rest says something about it. Both are only guesses, but
 * a wrong guess makes two statements differ in subject, and then nothing is announced. Of a long text the opening counts.
 */
import { quantitiesIn, type Quantity } from "../../text/quantities.ts";
import { stem } from "../../text/stem.ts";
import { type Change, changeIn, isPast } from "../../text/change-words.ts";
import { isIntention } from "./intention-words.ts";
import { fold, tellingStems } from "../../text/words.ts";
import {
  choicesIn,
  hanPolesIn,
  isComplementary,
  isManner,
  type Named,
  type Pole,
  poleOf,
  qualifiersIn,
} from "./contrasts.ts";
import { type Identity, identityIn } from "./identity.ts";
import { lazyRecord } from "./lazy-record.ts";
import { type Neighbours, neighboursIn } from "./neighbours.ts";
import { openingOf } from "./opening.ts";
import { isLeft, isPhrase, isScope, type Negations, negationsIn, SCOPING, verbPlace } from "./grammar.ts";
import {
  isCapitalised,
  isChanging,
  isCode,
  isForeign,
  isPerson,
  isSmall,
  isTelling,
  type Token,
  tokensOf,
  VERBS,
  writesNounsWithCapitals,
} from "./tokens.ts";

export interface Word {
  /** As written, without quotes and punctuation. */
  text: string;
  stem: string;
  /** Capitalised within a sentence, or with capitals, digits or marks inside. */
  isName: boolean;
  isNegated: boolean;
  isSubject: boolean;
  /** It says where, when or for what something holds: "for guests", "in production". */
  isScope: boolean;
  /** It follows a word that introduces a choice: "use X", "with X", "is X". */
  isChoice: boolean;
  /** The stem of the telling word that follows immediately. */
  next: string | null;
  /** The number of its clause. */
  clause: number;
  /** The stem of the telling word before it. */
  previous: string | null;
}

export interface PoleUse {
  /** Null where the statement takes both. */
  pole: Pole | null;
  isSubject: boolean;
  /** Stems of the telling words that follow, up to a place or a time: what is allowed, before what. */
  objects: readonly string[];
}

type Poles = ReadonlyMap<number, PoleUse>;

export interface Statement {
  /** The whole text with even spaces. */
  written: string;
  /** Equal for texts that differ only in case and diacritics. */
  same: string;
  /** Its telling words in order, verbs of change and stop words left out. */
  words: readonly Word[];
  stems: ReadonlySet<string>;
  quantities: readonly Quantity[];
  /** By the number of the pair. */
  poles: Poles;
  qualifiers: Named;
  subjectQualifiers: Named;
  choices: Named;
  /** Without those of the subject. */
  valueChoices: Named;
  /** Stems of words that reject, restrict or undo. */
  negatives: ReadonlySet<string>;
  negations: number;
  hasVerb: boolean;
  /** A sentence, and not code, a heading or a list of names. */
  isProse: boolean;
  /** Words of order, such as before and then, in their order. */
  order: string;
  /** It says how things are, and not how they were, shall be or could be. */
  isPresent: boolean;
  /** In a language that the model does not know; its cosines then tell little. */
  isForeign: boolean;
  neighbours: Neighbours;
  identity: Identity | null;
  change: Change;
  /** Verbs of change, in their order, whether or not they tell one. */
  changing: string;
  /** Stems of what it says was given up. */
  left: ReadonlySet<string>;
  /** Numbers before the verb. */
  subjectNumbers: ReadonlySet<string>;
}

/** Words that reject, restrict or undo: near one of them a missing negation proves nothing. */
const NEGATIVE =
  /^(?:only|unless|otherwise|except|until|if|but|than|older|newer|below|under|above|beyond|exceed\w*|without|nobody|nothing|ohne|sans|sin|sinon|sonst|instead|rather|avoid\w*|reject\w*|refus\w*|fail\w*|forb\w*|prohibit\w*|den(?:y|ies|ied)|disabl\w*|off|impossible|unable|lost|lose\w*|los(?:es|ing)|drop\w*|remov\w*|delet\w*|ignor\w*|skip\w*|block\w*|prevent\w*|stop\w*|ban\w*|miss\w*|lack\w*|omit\w*|exclu\w*|invisible|harmless|unsafe|dislik\w*|hat(?:e|es)|wrong\w*|break\w*|broke\w*|crash\w*|error\w*|out|less|hardly|rarely|few|limit\w*|sauf|verboten|interdit\w*|prohibid\w*|nur|seulement|solo|solamente|somente|manual\w*|hand)$/;
const BEFORE_CHOICE = /^(?:use|uses|using|used|is|are|with|by|via|through|in|prefers?|choose|chose|mit|avec|con|com)$/;
/** Who supports one can support others. */
const SEVERAL =
  /^(?:also|too|supports?|accepts?|offers?|provides?|includes?|imports?|exports?|parses?|reads?|handles?|knows?|speaks?)$/;
const ORDER = /^(?:before|after|first|then|until|afterwards|vor|nach|bevor|avant|apres|antes|despues)$/;

export function statementOf(text: string): Statement {
  const written = text.split(/\s+/).filter(Boolean).join(" ");
  const opening = openingOf(text);
  const tokens = tokensOf(opening);
  const verb = verbPlace(tokens);
  const hasVerb = verb < tokens.length;
  const subject = tokens.slice(0, hasVerb ? verb : 0);
  const negations = negationsIn(tokens);
  const all = tokens.map(({ folded }) => folded);
  // Most candidates turn out to be about something else, and the patterns take long to compile in a new process.
  const statement: Statement = lazyRecord<Statement>({
    written: () => written,
    same: () => fold(written),
    words: () => wordsOf(tokens, subject.length, negations),
    stems: () => tellingStems(opening),
    quantities: () => quantitiesIn(opening),
    poles: () => polesOf(tokens, subject.length, negations, opening),
    qualifiers: () => qualifiersIn(tokens.flatMap(spellingsOf)),
    subjectQualifiers: () => qualifiersIn(subject.flatMap(spellingsOf)),
    choices: () => choicesIn(all),
    valueChoices: () => (all.some((word) => SEVERAL.test(word)) ? new Map() : choicesIn(all.slice(subject.length))),
    negatives: () => new Set(all.filter((word) => NEGATIVE.test(word)).map(stem)),
    negations: () => negations.count,
    hasVerb: () => hasVerb,
    isProse: () => isProse(tokens, opening),
    order: () => all.filter((word) => ORDER.test(word)).join(" "),
    isPresent: () => !isIntention(opening) && !isPast(opening),
    isForeign: () => isForeign(tokens),
    identity: () => identityIn(written),
    neighbours: () => neighboursIn(tokens),
    change: () => changeIn(opening),
    changing: () =>
      tokens
        .filter(isChanging)
        .map(({ folded }) => folded)
        .join(" "),
    // "Read from X" gives nothing up where nothing changes.
    left: () => (statement.change === null ? new Set() : leftIn(tokens)),
    subjectNumbers: () => new Set(subject.map(({ folded }) => folded).filter((word) => /^v?\d+(?:\.\d+)*$/.test(word))),
  });
  return statement;
}

/** Code is full of marks and names; a heading or a row of a table has no article, preposition or auxiliary. */
function isProse(tokens: readonly Token[], text: string): boolean {
  if (/[{}<>=|$\\]|::|\(\)|^\s*(?:#|\/\/|\*)/.test(text)) return false;
  const codes = tokens.filter(({ text: written }) => isCode(written)).length;
  const isLabelled = /^\p{L}[\p{L} -]{2,60}: (?:\p{L}+ )?\d/u.test(text) && !/\d.*:/.test(text);
  const hasSmallWord =
    tokens.some((token) => isSmall(token) || VERBS.has(token.folded)) || isLabelled || /[^\x00-\x7f]/.test(text);
  return 2 * codes <= tokens.length && hasSmallWord;
}

function wordsOf(tokens: readonly Token[], subjectEnd: number, { places }: Negations): Word[] {
  const hasNames = !writesNounsWithCapitals(tokens);
  const words: Word[] = [];
  let clause = 0;
  for (const [at, token] of tokens.entries()) {
    if (tokens[at - 1]?.endsClause) clause += 1;
    // A pole is a value of its own kind.
    if (!isTelling(token) || (poleOf(token.folded) && !isPhrase(tokens, at))) continue;
    const following = token.endsClause ? undefined : tokens[at + 1];
    words.push({
      text: token.text,
      stem: stem(token.folded),
      isName: isCode(token.text) || (hasNames && (isCapitalised(token) || isPerson(tokens, at))),
      isNegated: places.has(at),
      isSubject: at < subjectEnd,
      isScope: isScope(tokens, at) && !isManner(token.folded),
      clause,
      isChoice: BEFORE_CHOICE.test(tokens[at - 1]?.folded ?? ""),
      next: following && isTelling(following) ? stem(following.folded) : null,
      previous: words.at(-1)?.stem ?? null,
    });
  }
  return words;
}

function polesOf(tokens: readonly Token[], subjectEnd: number, negations: Negations, text: string): Poles {
  const poles = new Map<number, PoleUse>();
  for (const [at, { folded }] of tokens.entries()) {
    const found = poleOf(folded);
    if (!found || isPhrase(tokens, at)) continue;
    const isReversed = negations.reversed.has(at) || negations.places.has(at);
    if (isReversed && !isComplementary(found.pair)) continue;
    const pole = isReversed ? ((1 - found.pole) as Pole) : found.pole;
    const isBoth = poles.has(found.pair) && poles.get(found.pair)!.pole !== pole;
    poles.set(found.pair, { pole: isBoth ? null : pole, isSubject: at < subjectEnd, objects: objectsOf(tokens, at) });
  }
  for (const { pair, pole } of hanPolesIn(text)) poles.set(pair, { pole, isSubject: false, objects: [] });
  return poles;
}

function objectsOf(tokens: readonly Token[], at: number): string[] {
  const objects: string[] = [];
  for (let place = at; tokens[place] && !tokens[place]!.endsClause; place++) {
    const next = tokens[place + 1];
    if (next === undefined || SCOPING.test(next.folded)) break;
    if (isTelling(next)) objects.push(stem(next.folded));
  }
  return objects;
}

/** "US" in capitals is a country. */
const spellingsOf = ({ text }: Token): string[] =>
  [text, ...text.split(/[-/]/)].map((word) => (/^U\.?S$/.test(word) ? "usa" : word));

const leftIn = (tokens: readonly Token[]): Set<string> =>
  new Set(tokens.flatMap((token, at) => (isTelling(token) && isLeft(tokens, at) ? [stem(token.folded)] : [])));
