/**
 * The scope that a text states itself: "in all my projects", "in this repo".
 *
 * A negated phrase states nothing. A text that states both leaves the choice to its type. Only the beginning is read:
 * far into a long text, such a phrase is about a detail.
 */
import { mayStateScope, readForScope } from "./visibility.ts";

/**
 * Phrases by which a text says where it holds, language by language.
 *
 * "All projects" without an owner may be about the projects of an application, so it counts only in a rule: before or
 * after an order. In doubt nothing is stated: a wrong "everywhere" shows a fact of one project in all others.
 * Texts are matched in lower case, with single spaces.
 */
interface ScopePhrases {
  /** The memory holds in all projects of the person. */
  everywhere: readonly RegExp[];
  /** It holds in this project. */
  here: readonly RegExp[];
  /** The text before a phrase that negates it. */
  negatedBefore: RegExp;
  /** The same for the text after a phrase. */
  negatedAfter?: RegExp;
  /** A negated verb before "all": "I do not use it in all my projects" is about some of them. */
  notAll?: RegExp;
}

/** Phrases that `notAll` is about: "I do not use it in any of my projects" is about all of them. */
const SAYS_ALL = /(?<!\p{L})(?:all|every|each|tous|chaque|chacun|todos|cada)(?!\p{L})/u;

/** Whole words, in scripts that separate them. */
const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "gu");
/** Scripts that do not separate words. */
const signs = (source: string): RegExp => new RegExp(source, "gu");
/** The end of a text before a phrase. */
const before = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source}) ?$`, "u");
/** Anywhere in the clause before a phrase. */
const inClause = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])[^.,;:!?]{0,200}$`, "u");

const START = "(?<=^|[.!?;:。！？；：] ?)";

const ENGLISH_ONE = "(?:project|repo|repository|codebase|code base)";
const ENGLISH_MANY = "(?:projects|repos|repositories|codebases|code bases)";
const ENGLISH_IN = "(?:in|across|for|on|to|throughout)";
const ENGLISH_ORDER =
  "(?:use|run|prefer|keep|sign|squash|write|name|format|lint|test|avoid|follow|pin|document|always|never|do not|don't)";
const ENGLISH_RULE = `(?=,? (?:please |i |we |i'd |${ENGLISH_ORDER} ))`;
const ENGLISH_WORK = "(?:'m | am | are | )(?:work|code|program|develop|working|coding|programming|developing)";
const ENGLISH_ME =
  "(?:i|we)(?:'m| am| are)? (?:work|working|code|coding|start|create|own|maintain|develop|touch|write|open|in)(?: on| in)?";
const ENGLISH_END = "(?= ?(?:$|[.,;:!?)]))";

const ENGLISH: ScopePhrases = {
  everywhere: [
    words(`${ENGLISH_IN} (?:all|each|any|every one)(?: of)? (?:my|our)(?: [\\p{L}-]+){0,2} ${ENGLISH_MANY}`),
    words(`${ENGLISH_IN} (?:each|every|any)(?: [\\p{L}-]+)? ${ENGLISH_ONE} (?:that |which )?${ENGLISH_ME}`),
    words(`${START}(?:in|for|on) (?:all|every) (?:${ENGLISH_MANY}|${ENGLISH_ONE})${ENGLISH_RULE}`),
    words(
      `(?<=${START}(?:please )?${ENGLISH_ORDER} [^.!?;:]{0,120})` +
        `(?:in|across|throughout) (?:all|every) (?:${ENGLISH_MANY}|${ENGLISH_ONE})${ENGLISH_END}`,
    ),
    words(
      `(?<=\\bnot (?:just|only) (?:in|for) this [^.!?;:]{0,40}\\bbut (?:also )?)` +
        `${ENGLISH_IN} (?:all|every) (?:${ENGLISH_MANY}|${ENGLISH_ONE})${ENGLISH_END}`,
    ),
    words(`(?:wherever|everywhere|anywhere|no matter where) (?:i|we)${ENGLISH_WORK}(?:${ENGLISH_END}|${ENGLISH_RULE})`),
    words(`(?:no matter|regardless of) (?:which|what) ${ENGLISH_ONE} ${ENGLISH_ME}`),
    // Applications have users with projects too, so a third person must be one who wants something.
    words(
      `(?:${ENGLISH_IN} (?:all|each|any|every one)(?: of)? (?:their|his|her)(?: [\\p{L}-]+){0,2} ${ENGLISH_MANY}|` +
        "(?:wherever|everywhere) (?:they|he|she) (?:work|works|code|codes))" +
        "(?<=(?:^|the |[.!?;:] )(?:user|developer|owner|maintainer|author) (?:prefers|wants|likes|dislikes|expects|" +
        "insists|asked|asks|said|says) [^.!?]{0,300})",
    ),
  ],
  here: [
    words(
      "(?:in|for|within|inside|on|of|to|across|throughout) (?:this|the current|the present)(?: [\\p{L}-]+)? " +
        `(?:${ENGLISH_ONE}|monorepo|workspace)`,
    ),
    words(`${START}this (?:${ENGLISH_ONE}|monorepo|workspace)`),
    words(`this (?:${ENGLISH_ONE}|monorepo|workspace) (?:only|alone)`),
  ],
  negatedBefore: new RegExp(
    "(?:\\b(?:not|never|no longer|except|excluding|unlike|instead of|rather than)|n't)" +
      "(?: (?:only|just|merely|simply|yet|necessarily|always|really|quite|so|apply|applied|applies|hold|valid|true|" +
      "meant|used|wanted|needed|want|do|this|that|it|these|them|to|be|go|the case|happen|work))* ?$",
    "u",
  ),
  // With a subject: "Do not use it in all my projects" is about all of them.
  notAll: inClause(
    "(?:i|we|you|they|he|she|it|this|that|these|those|user|rule) " +
      "(?:(?:do|does|did|is|are|was|were|has|have|would|could|will|wo|ca)(?:n't| not)|cannot|can not)",
  ),
};

const GERMAN_MANY = "(?:projekten|projekte|repos|repositories|repositorys)";
const GERMAN_ONE = "(?:projekt|repo|repository)";

const GERMAN: ScopePhrases = {
  everywhere: [
    words(`(?:in|bei|für) (?:all|allen|alle|sämtlichen) (?:meinen|meine|unseren|unsere) ${GERMAN_MANY}`),
    words(`in jedem (?:meiner|unserer) ${GERMAN_MANY}`),
    words(`in jedem ${GERMAN_ONE},? (?:an|in) dem (?:ich|wir)`),
    words(`über alle (?:meine |unsere )${GERMAN_MANY} hinweg`),
    words(
      `${START}(?:in allen ${GERMAN_MANY}|in jedem ${GERMAN_ONE})` +
        "(?=,? (?:gilt|gelten|bitte|immer|nie|niemals|ich|wir|will|möchte|verwende|nutze|benutze) ?|:)",
    ),
    words("(?:überall|egal),? wo (?:ich|wir) (?:arbeite|arbeiten|programmiere|programmieren|entwickle|entwickeln)"),
    words("(?<=(?:gilt|gelten) )projektübergreifend"),
  ],
  here: [
    words(`(?:in diesem|im aktuellen|für dieses|für das aktuelle) ${GERMAN_ONE}`),
    words("in dieser (?:codebase|codebasis)"),
    words(`${START}dieses ${GERMAN_ONE}`),
  ],
  negatedBefore: before(
    "(?:nicht|nie|niemals|außer|ausser|statt|anstatt)(?: (?:nur|bloß|allein|unbedingt|immer|mehr))*",
  ),
};

const FRENCH_MANY = "(?:projets|dépôts|depots|repos)";
const FRENCH_ONE = "(?:projet|dépôt|depot|repo)";

const FRENCH: ScopePhrases = {
  everywhere: [
    words(`(?:dans|pour|sur|à travers) tous (?:mes|nos) ${FRENCH_MANY}`),
    words(`dans chacun de (?:mes|nos) ${FRENCH_MANY}`),
    words(`dans chaque ${FRENCH_ONE} (?:sur lequel|auquel|dans lequel|où) (?:je|nous)`),
    words(
      `${START}(?:dans|pour) tous les ${FRENCH_MANY}` +
        "(?=,? (?:je|j'|nous|il faut|toujours|jamais|utilise[rz]?|préfère[rz]?|préférer))",
    ),
    words("partout où (?:je|nous) (?:travaille|travaillons|code|codons|programme|programmons|développe|développons)"),
  ],
  here: [
    words(`(?:dans|pour|sur) (?:ce|le présent) ${FRENCH_ONE}`),
    words(`dans le ${FRENCH_ONE} actuel`),
    words("dans cette base de code"),
    words(`${START}ce ${FRENCH_ONE}`),
  ],
  negatedBefore: before(
    "(?:pas|non|jamais|sauf|excepté|plutôt que|au lieu de)(?: (?:seulement|uniquement|forcément|toujours|juste|que))*",
  ),
  notAll: inClause("(?:ne|n'\\p{L}+) [^.,;:!?]{0,60}(?:pas|plus)"),
};

const SPANISH_MANY = "(?:proyectos|repositorios|repos)";
const SPANISH_ONE = "(?:proyecto|repositorio|repo)";

const SPANISH: ScopePhrases = {
  everywhere: [
    words(`(?:en|para|por) todos (?:mis|nuestros) ${SPANISH_MANY}`),
    words(`en (?:cada uno|cualquiera) de (?:mis|nuestros) ${SPANISH_MANY}`),
    words(`en cada ${SPANISH_ONE} (?:en (?:el )?que|donde) (?:yo )?trabaj(?:o|amos)`),
    words(`a través de todos (?:mis|nuestros) ${SPANISH_MANY}`),
    words(
      `${START}(?:en|para) todos los ${SPANISH_MANY}` +
        "(?=,? (?:yo|quiero|queremos|prefiero|usa|usar|usamos|siempre|nunca|hay que) )",
    ),
    words(
      "(?:dondequiera que|donde sea que|donde quiera que|en todas partes donde) (?:yo )?(?:trabaj|program)(?:o|e|emos|amos)",
    ),
  ],
  here: [
    words(`(?:en|para|de) este ${SPANISH_ONE}`),
    words(`en el ${SPANISH_ONE} actual`),
    words("en esta base de código"),
    words(`${START}este ${SPANISH_ONE}`),
  ],
  negatedBefore: before(
    "(?:no|nunca|excepto|salvo|menos|en vez de|en lugar de)(?: (?:solo|sólo|solamente|únicamente|siempre))*",
  ),
  notAll: inClause("no"),
};

const PORTUGUESE_MANY = "(?:projetos|projectos|repositórios|repositorios|repos)";
const PORTUGUESE_ONE = "(?:projeto|projecto|repositório|repositorio|repo)";

const PORTUGUESE: ScopePhrases = {
  everywhere: [
    words(`(?:em|para|por) todos(?: os)? (?:meus|nossos) ${PORTUGUESE_MANY}`),
    words(`em (?:cada|qualquer) um d(?:os|e) (?:meus|nossos) ${PORTUGUESE_MANY}`),
    words(`em cada ${PORTUGUESE_ONE} (?:em que|onde|no qual) (?:eu )?trabalh(?:o|amos)`),
    words(`através de todos os (?:meus|nossos) ${PORTUGUESE_MANY}`),
    words(
      `${START}(?:em|para) todos os ${PORTUGUESE_MANY}` +
        "(?=,? (?:eu|quero|queremos|prefiro|use|usar|usamos|sempre|nunca) )",
    ),
    words(
      "onde quer que (?:eu )?(?:trabalh|program)(?:e|emos)|em toda parte onde (?:eu )?(?:trabalh|program)(?:o|amos)",
    ),
  ],
  here: [
    words(`(?:neste|nesse|deste|para este) ${PORTUGUESE_ONE}`),
    words(`no ${PORTUGUESE_ONE} atual`),
    words("nesta base de código"),
    words(`${START}este ${PORTUGUESE_ONE}`),
  ],
  negatedBefore: before("(?:não|nao|nunca|exceto|salvo|menos|em vez de)(?: (?:só|apenas|somente|sempre))*"),
  notAll: inClause("não|nao"),
};

const CHINESE_PROJECT = "(?:项目|項目|专案|專案|工程|仓库|倉庫|代码库|代碼庫|程式庫|存储库|repo)";

const CHINESE_ALL = "(?:所有|全部|每一?[个個]|任何)";

const CHINESE: ScopePhrases = {
  everywhere: [
    signs(`我[们們]?的?${CHINESE_ALL}的?${CHINESE_PROJECT}`),
    signs(`(?:所有|全部)我[们們]?的?${CHINESE_PROJECT}`),
    signs(`我(?:参与|參與|工作|开发|開發|做|负责|負責)的${CHINESE_ALL}${CHINESE_PROJECT}`),
    signs(
      `${START}在?${CHINESE_ALL}的?${CHINESE_PROJECT}(?=[中里裡内內]?[都，, ]?(?:使用|用|必须|必須|要|不要|请|請|一律))`,
    ),
    signs("(?:无论|無論|不管)我在(?:哪里|哪裡|哪儿|哪个项目|哪個專案|哪個項目|什么地方)"),
  ],
  here: [signs(`(?:这个|這個|(?<![基根版])本|此|当前|當前|目前的?|现在的|現在的)${CHINESE_PROJECT}`)],
  negatedBefore:
    /(?:不(?:总|總)?是|并非|並非|不只|不仅仅?|不僅僅?|不单|不單|不光|不止|不限于|不限於|除了?)(?:是|在|于|於|只|仅|僅)*$/u,
};

const JAPANESE_PROJECT = "(?:プロジェクト|リポジトリ|レポジトリ|コードベース)";
const JAPANESE_ALL = "(?:すべて|全て|全部|あらゆる|どの)の?";
const JAPANESE_OWN = "(?:私たち|私|わたし|僕|俺|自分|我々)の";

const JAPANESE: ScopePhrases = {
  everywhere: [
    signs(`${JAPANESE_OWN}(?:${JAPANESE_ALL}|全)${JAPANESE_PROJECT}`),
    signs(`${JAPANESE_ALL}${JAPANESE_OWN}${JAPANESE_PROJECT}`),
    signs(
      `(?:私|わたし|僕|俺|自分)が(?:働く|作業する|関わる|開発する|担当する)${JAPANESE_ALL}(?:${JAPANESE_PROJECT}|場所)`,
    ),
    // Without a subject it is an order.
    signs(
      `${START}(?:${JAPANESE_ALL}|全)${JAPANESE_PROJECT}` +
        "(?=(?:で|において)[^。が]{0,60}(?:を使う|を使用する|使わない|ください|すること|しない)(?:。|$))",
    ),
  ],
  here: [signs(`(?:この|本|当|今の|現在の)${JAPANESE_PROJECT}`)],
  negatedBefore: /(?!)/u,
  negatedAfter: /^(?:だけ|のみ)?(?:で|に|と)?は?(?:な(?:い|く)|ありません|限ら(?:ない|ず)|限りません)/u,
};

const SCOPE_PHRASES: readonly ScopePhrases[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, CHINESE, JAPANESE];

export interface StatedScope {
  scope: "project" | "global";
  /** The words that state it. */
  phrase: string;
}

/** A negation stands near its phrase. */
const CHARACTERS_AROUND = 300;

export function statedScope(text: string): StatedScope | null {
  if (!mayStateScope(text)) return null;
  const read = readable(readForScope(text));
  const everywhere = phraseIn(read, "everywhere");
  const here = phraseIn(read, "here");
  if ((everywhere === null) === (here === null)) return null;
  return everywhere === null ? { scope: "project", phrase: here! } : { scope: "global", phrase: everywhere };
}

/** A paragraph or list item starts a sentence; other line breaks do not. */
const readable = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[’ʼ]/g, "'")
    .replaceAll(/\n\s*(?:\n|[-*#>]+ )\s*/g, ". ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[-*#> ]+/, "");

function phraseIn(text: string, which: "everywhere" | "here"): string | null {
  for (const language of SCOPE_PHRASES) {
    for (const pattern of language[which]) {
      for (const { 0: phrase, index } of text.matchAll(pattern)) {
        const before = text.slice(Math.max(0, index - CHARACTERS_AROUND), index);
        const after = text.slice(index + phrase.length, index + phrase.length + CHARACTERS_AROUND);
        if (!isNegated(phrase, before, after, language)) return phrase;
      }
    }
  }
  return null;
}

function isNegated(phrase: string, before: string, after: string, language: ScopePhrases): boolean {
  const { negatedBefore, negatedAfter, notAll } = language;
  if (negatedBefore.test(before) || negatedAfter?.test(after)) return true;
  return SAYS_ALL.test(phrase) && (notAll?.test(before) ?? false);
}
