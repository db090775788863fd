/**
 * Tokens: the words of a text as written, where its clauses end, and which words tell anything.
 *
 * A telling word names a thing or says something about it: no article, auxiliary, number, negation or verb of change.
 */
import { ONLY_CHANGING } from "../../text/change-verbs.ts";
import { isNumberWord, isUnit } from "../../text/quantities.ts";
import { isAscii, startsWithCapital } from "../../text/ascii.ts";
import { fold, isStopWord } from "../../text/words.ts";

export interface Token {
  text: string;
  folded: string;
  endsClause: boolean;
  endsSentence: boolean;
  startsSentence: boolean;
  /** A colon follows: "Pool size: 8". */
  isLabel: boolean;
  /** An arrow follows: "X → Y". */
  hasArrow: boolean;
}

const CLAUSE_END = /[.,;:!?。，；：！？)]$/u;
const ARROW = /^(?:→|⇒|➔|->|=>|-->)$/;
/** Paths, identifiers and acronyms. */
export const isCode = (text: string): boolean =>
  isAscii(text)
    ? /[A-Za-z0-9][_/\\.#@:][A-Za-z0-9]|[a-z][A-Z]|^[#@./~]|[A-Za-z]\d|\d[A-Za-z]{3}|[+#]$|[A-Z]{2}/.test(text)
    : /[\p{L}\p{N}][_/\\.#@:][\p{L}\p{N}]|\p{Ll}\p{Lu}|^[#@./~]|\p{L}\d|\d\p{L}{3}|[+#]$|\p{Lu}{2}/u.test(text);

export const NEGATIONS: ReadonlySet<string> = new Set(
  (
    "not no never none neither nor cannot " +
    "nicht kein keine keinen keiner nie niemals pas jamais aucun aucune nunca nao ningun ninguna"
  ).split(" "),
);
export const VERBS: ReadonlySet<string> = new Set(
  (
    "is are was were be been has have had do does did can could will would shall should must may might need needs gets got get " +
    "uses use used runs run running lives live lived listens listen stores stored keeps kept goes go comes come takes took " +
    "requires require expects expect returns return sends sent reads writes wrote builds built starts begins ends expires " +
    "expire fails prefers prefer wants want likes like owns leads reviews handles handled processes calls sits holds stays " +
    "remains works work serves served contains targets supports support accepts accept allows deploys deployed ships " +
    "follows follow belongs consists limits retries retry treats loads resides points depends reaches reach migrated moved " +
    "switched replaced polls powers caches exposes ships passes counts times tops locks signs emits logs publishes consumes " +
    "ist sind war wird werden wurde wurden hat haben lauft laufen liegt verwendet verwenden nutzt nutzen braucht muss mussen " +
    "erwartet steht stehen est sont etait ont utilise utilisent doit doivent tourne es son esta estan era usa usan tiene " +
    "tienen debe deben escucha corre sao usam fica deve roda"
  ).split(" "),
);
/** Articles, pronouns and prepositions of other languages; the index knows only English ones. */
const FOREIGN_STOP: ReadonlySet<string> = new Set(
  (
    "der die das den dem des ein eine einen einem einer unser unsere unseren wir ihr sie es er ich du und oder aber als am an auf " +
    "aus bei bis durch fur im in ist mit nach ohne seit uber um unter vom von vor zu zum zur zwar so wie dass damit jede jeder " +
    "jedes jeden jedem alle allen man sich bitte auch nur noch schon hier dort " +
    "le la les un une des du de au aux et ou notre nos nous vous il elle ils elles on ce cette ces dans sur pour par avec sans " +
    "que qui est sont pas ne se sa son ses leur y en " +
    "el los las una unos unas del al y o nuestro nuestra nuestros nosotros lo que con por para sin es son en su sus se " +
    "os as um uma uns umas do da dos das ao e ou nosso nossa nos com por sem em no na nos nas seu sua que"
  ).split(" "),
);
/** Verbs and nouns so common in statements that they tell nothing about what is meant. */
const GENERIC: ReadonlySet<string> = new Set(
  (
    "use uses used using run runs running live lives listen listens keep keeps kept go goes come comes take takes get gets got " +
    "need needs make makes made work works currently always please must shall may might via per new every also e.g i.e etc planned scheduled slated due make sure " +
    "set sets one way thing things lot never without nobody nothing cannot none nor neither"
  ).split(" "),
);
/** Words that tell a change and nothing else. */
const CHANGING: ReadonlySet<string> = new Set([
  ...ONLY_CHANGING,
  ...(
    "now nowadays anymore longer instead gone formerly previously since effective again jetzt nun " +
    "inzwischen mittlerweile umgezogen umgestellt gewechselt ersetzt desormais maintenant ahora agora"
  ).split(" "),
]);

const EVERY = /\b(?:every (?:single )?|each |once an? |once per )(hour|day|night|week|month|quarter|year)\b/gi;
const RHYTHMS: Readonly<Record<string, string>> = {
  ...{ hour: "hourly", day: "daily", night: "nightly", week: "weekly", month: "monthly" },
  ...{ quarter: "quarterly", year: "yearly" },
};

/** Contractions become two words, and "no longer" one negation. */
export function tokensOf(text: string): Token[] {
  const spoken = text
    .normalize("NFC")
    .replaceAll("’", "'")
    .replace(/\b(\w{2,8})n't\b/gi, "$1 not")
    .replace(/\bcannot\b/gi, "can not")
    .replace(/\b(upper|lower)[- ]case\b/gi, "$1case")
    .replace(EVERY, (_, time: string) => RHYTHMS[time.toLowerCase()]!)
    .replace(/'s\b/g, "");
  const tokens: Token[] = [];
  let startsSentence = true;
  for (const run of spoken.split(/[\s—–]+/)) {
    const written = withoutEdges(run);
    const endsClause = CLAUSE_END.test(run);
    const endsSentence = /[.;!?。；！？]["')`]*$/u.test(run);
    const marks = { endsClause, endsSentence, startsSentence, isLabel: run.endsWith(":"), hasArrow: false };
    const token = { text: written, folded: fold(written), ...marks };
    if (written !== "") tokens.push(token);
    else if (ARROW.test(run) && tokens.length > 0) tokens.at(-1)!.hasArrow = true;
    else if (endsClause && tokens.length > 0) tokens.at(-1)!.endsClause = true;
    startsSentence = /[.!?:]["')`]*$/.test(run);
  }
  return tokens;
}

const withoutEdges = (run: string): string =>
  isAscii(run)
    ? run.replace(/^[^A-Za-z0-9#@~./_]+|[^A-Za-z0-9+#_]+$/g, "")
    : run.replace(/^[^\p{L}\p{N}#@~./_]+|[^\p{L}\p{N}+#_]+$/gu, "");

/** An article, a preposition, an auxiliary: what code and headings lack. */
export const isSmall = ({ folded }: Token): boolean => isStopWord(folded) || FOREIGN_STOP.has(folded);

/** More small words of other languages than of English, or another script. */
export function isForeign(tokens: readonly Token[]): boolean {
  const count = (isWanted: (folded: string) => boolean) => tokens.filter(({ folded }) => isWanted(folded)).length;
  const foreign = count((word) => FOREIGN_STOP.has(word) && !isStopWord(word));
  const english = count((word) => isStopWord(word) && !FOREIGN_STOP.has(word));
  return foreign > english || tokens.some(({ text }) => !isAscii(text) && /(?!\p{Script=Latin})\p{L}/u.test(text));
}

export const isChanging = ({ folded }: Token): boolean => CHANGING.has(folded);

/** GET is a method and SES a service, whatever "get" and "ses" are. */
export const isAcronym = (text: string): boolean =>
  isAscii(text) ? /^[A-Z]{2,}$/.test(text) : /^\p{Lu}{2,}$/u.test(text);

export const isTelling = ({ text, folded }: Token): boolean =>
  (isAcronym(text) || !(isStopWord(folded) || GENERIC.has(folded) || FOREIGN_STOP.has(folded))) &&
  !CHANGING.has(folded) &&
  !NEGATIONS.has(folded) &&
  !isUnit(folded) &&
  !isNumberWord(folded) &&
  !isNumber(folded);

const isNumber = (folded: string): boolean =>
  /^\d/.test(folded) && /^\d+(?:[.,:]\d+)*(?:e-?\d+|-\p{Ll}+)?$/u.test(folded);

export const isCapitalised = ({ text, startsSentence }: Token): boolean => !startsSentence && startsWithCapital(text);

/** "Anja owns": a first word that is followed by a verb and is no plural is a name. */
export const isPerson = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.startsSentence &&
  VERBS.has(tokens[at + 1]?.folded ?? "") &&
  isCapitalisedWord(tokens[at]!.text) &&
  /..[^s]$/.test(tokens[at]!.text);

const isCapitalisedWord = (text: string): boolean =>
  isAscii(text) ? /^[A-Z][a-z]+$/.test(text) : /^\p{Lu}\p{Ll}+$/u.test(text);

/** As German does; a capital then says nothing. */
export function writesNounsWithCapitals(tokens: readonly Token[]): boolean {
  const telling = tokens.filter((token) => isTelling(token) && !token.startsSentence);
  return 2 * telling.filter((token) => isCapitalised(token) && isCapitalisedWord(token.text)).length > telling.length;
}
