/**
 * Contrasts: words of which a statement can choose only one.
 *
 * Poles are values: enabled or disabled, public or private. Of two statements about one thing, one on each pole
 * oppose each other. Qualifiers say what a statement is about: production or staging, iOS or Android. Statements with
 * different qualifiers are about different things, whatever their values.
 */
import { fold } from "../../text/words.ts";

/** Word forms, folded; a negation before one of them means the other pole. */
const POLES: readonly (readonly [RegExp, RegExp])[] = [
  poles("enabl(?:e|es|ed|ing)|active|activated|on", "disabl(?:e|es|ed|ing)|inactive|deactivated|off"),
  poles(
    "allow(?:s|ed|ing)?|permit(?:s|ted)?|permissible|acceptable|fine|ok|okay|erlaubt|autorisee?s?|permitid[oa]s?",
    "forb(?:id|ids|idden|ade)|prohibit(?:s|ed)?|den(?:y|ies|ied)|disallow(?:s|ed)?|ban(?:s|ned)?|verboten|interdite?s?|prohibid[oa]s?",
  ),
  poles(
    "requir(?:e|es|ed)|needs?|needed|mandatory|compulsory|obligatory|obligatori[oa]|obligatoire|pflicht",
    "optional|opcional|optionnel(?:le)?|omit|omits|omitted",
  ),
  poles("includ(?:e|es|ed|ing)", "exclud(?:e|es|ed|ing)"),
  poles("synchronous(?:ly)?|sync", "asynchronous(?:ly)?|async"),
  poles("public(?:ly)?|public-read", "private(?:ly)?"),
  poles("automatic(?:ally)?|automatisch|automatiquement|automaticamente", "manual(?:ly)?|hand|manuell|manualmente"),
  poles("before|vor|avant|antes", "after|nach|apres|despues"),
  poles("root", "non-root|nonroot|unprivileged|rootless"),
  poles("online", "offline"),
  poles("encrypted", "unencrypted|plaintext"),
  poles("stateless", "stateful"),
  poles("eager(?:ly)?", "lazy|lazily"),
  poles("mutable", "immutable"),
  poles("blocking", "non-blocking|nonblocking"),
  poles("case-sensitive", "case-insensitive"),
  poles("ascending", "descending"),
  poles("read-only|readonly", "writable|writeable|read-write"),
  poles("supported", "unsupported"),
  poles("monorepo", "polyrepo|multirepo"),
  poles("rebas(?:e|es|ed|ing)", "merg(?:e|es|ed|ing)"),
];
/** Of Chinese, which writes no spaces, the poles are looked for anywhere. */
const HAN_POLES: readonly (readonly [RegExp, RegExp])[] = [
  [/允许|可以/u, /禁止|不允许|不可以|不得/u],
  [/必须|需要/u, /不需要|无需|不必|可选/u],
  [/启用|开启/u, /禁用|关闭/u],
  [/自动/u, /手动/u],
  [/公开/u, /私有/u],
];

function poles(one: string, other: string): readonly [RegExp, RegExp] {
  return [new RegExp(`^(?:${one})$`), new RegExp(`^(?:${other})$`)];
}

/** Of each group a statement names one; another one is another value. */
const CHOICES: ReadonlyMap<string, { group: number; value: number }> = groups([
  // A night is a day: who works nightly also works daily.
  ["hourly", "daily nightly", "weekly", "fortnightly biweekly", "monthly", "quarterly", "yearly annually"],
  ["monday mondays", "tuesday tuesdays", "wednesday wednesdays", "thursday thursdays", "friday fridays"],
  "january february march april june july august september october november december".split(" "),
  ["trace", "debug", "info", "warn warning", "fatal"],
  [
    ...[
      "english englisch anglais ingles",
      "german deutsch allemand aleman alemao",
      "french franzosisch francais frances",
    ],
    ...["spanish spanisch espagnol espanol espanhol", "portuguese portugiesisch portugais portugues"],
    ...[
      "italian italienisch italien italiano",
      "chinese chinesisch chinois chino",
      "japanese japanisch japonais japones",
    ],
  ],
  ["uppercase upper", "lowercase lower"],
  ["american", "british"],
  ["tab tabs", "space spaces"],
  ["camelcase", "snake_case", "kebab-case", "pascalcase"],
  ["dark", "light"],
  ["ipv4", "ipv6"],
  ["json", "yaml yml", "toml", "xml", "csv"],
  ["red", "green", "blue", "yellow", "orange", "purple"],
  ["imperative", "past"],
  ["left", "right"],
  ["first", "second", "third", "fourth", "fifth", "last"],
  ["rebase rebased rebasing", "squash squashed squashing squash-merged"],
]);

/** The first groups are times. */
const TIME_GROUPS = 3;

export type Pole = 0 | 1;

/** Most words are no pole; one pattern tells. */
const ANY_POLE = new RegExp(POLES.flat().map(({ source }) => source).join("|")); // prettier-ignore

/** The pole a word stands for, by the number of its pair. */
export function poleOf(word: string): { pair: number; pole: Pole } | null {
  if (!ANY_POLE.test(word)) return null;
  for (const [pair, forms] of POLES.entries()) {
    const pole = forms.findIndex((form) => form.test(word));
    if (pole >= 0) return { pair, pole: pole as Pole };
  }
  return null;
}

const ORDER_PAIR = poleOf("before")!.pair;

/** Before and after are opposites only of the same event. */
export const isOrder = (pair: number): boolean => pair === ORDER_PAIR;

const REBASE_PAIR = poleOf("rebase")!.pair;

/** Whether "not" one of them means the other: who does not merge need not rebase. */
export const isComplementary = (pair: number): boolean => pair !== REBASE_PAIR;

/** Pairs of Chinese poles are numbered after the others. */
export function hanPolesIn(text: string): { pair: number; pole: Pole }[] {
  return HAN_POLES.flatMap(([one, other], index): { pair: number; pole: Pole }[] => {
    const pair = POLES.length + index;
    if (other.test(text)) return [{ pair, pole: 1 }];
    return one.test(text) ? [{ pair, pole: 0 }] : [];
  });
}

/** The rest of a Chinese text, which has no words to compare. */
export const withoutHanPoles = (text: string): string =>
  HAN_POLES.reduce((rest, [one, other]) => rest.replace(other, "").replace(one, ""), text);

/** Each group: what the words of a line have in common; words on one line mean the same. */
const GROUPS: readonly (readonly string[])[] = [
  [
    "production prod produccion produktion produktiv",
    "staging preprod",
    "development dev desarrollo entwicklung",
    "sandbox qa",
  ],
  ["ios iphone ipad", "android", "windows", "macos mac osx", "linux ubuntu debian"],
  ["safari", "chrome chromium", "firefox"],
  ["frontend frontends ui", "backend backends"],
  ["mobile", "desktop", "web browser"],
  [
    "anonymous guest guests",
    "customer customers",
    "partner partners",
    "staff employee employees",
    "admin admins administrator administrators",
    "enterprise",
    "free-tier",
    "paid premium",
  ],
  ["unit", "integration", "e2e end-to-end", "smoke", "acceptance"],
  ["training", "evaluation validation", "inference"],
  ["minimum", "maximum"],
  ["inbound incoming", "outbound outgoing"],
  ["weekday weekdays", "weekend weekends"],
  ["eu europe european", "usa america", "asia apac"],
  ["v1", "v2", "v3", "v4"],
];
const QUALIFIERS: ReadonlyMap<string, { group: number; value: number }> = groups(GROUPS);
/** Of these groups a statement that names none still differs from one that does: most are about all of them. */
const NARROWING_GROUPS = 3;

function groups(table: readonly (readonly string[])[]): ReadonlyMap<string, { group: number; value: number }> {
  return new Map(
    table.flatMap((values, group) =>
      values.flatMap((spellings, value) => spellings.split(" ").map((word) => [word, { group, value }] as const)),
    ),
  );
}

/** By group, the values that a statement names. */
export type Named = ReadonlyMap<number, ReadonlySet<number>>;

export const qualifiersIn = (words: readonly string[]): Named => namedIn(words, QUALIFIERS);
/** In a language, a case or a format: a value, and neither a place nor a time. */
export const isManner = (word: string): boolean => (CHOICES.get(word)?.group ?? -1) >= TIME_GROUPS;
export const isChoice = (word: string): boolean => CHOICES.has(word);
export const choicesIn = (words: readonly string[]): Named => namedIn(words, CHOICES);

function namedIn(words: readonly string[], known: typeof QUALIFIERS): Named {
  const found = new Map<number, Set<number>>();
  for (const word of words) {
    const entry = known.get(fold(word));
    if (!entry) continue;
    const values = found.get(entry.group) ?? new Set();
    found.set(entry.group, values.add(entry.value));
  }
  return found;
}

/** Both name one of a group, but none in common. */
export function areDisjoint(one: Named, two: Named): boolean {
  return [...one].some(([group, values]) => {
    const others = two.get(group);
    return others !== undefined && [...values].every((value) => !others.has(value));
  });
}

/** One of them is about a part of what the other is about. */
export function isNarrower(one: Named, two: Named): boolean {
  return [...Array(NARROWING_GROUPS).keys()].some((group) => one.has(group) !== two.has(group));
}
