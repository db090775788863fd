/**
 * Words of change: whether a text says that something is different from before.
 *
 * A verb counts only as something that happened ("was moved", "we switched to"), because rules are full of the same
 * verbs ("never move files"). "Since" counts before a time, not before a reason.
 */
import { CHANGE_VERBS } from "./change-verbs.ts";
import { fold } from "./words.ts";

const HAPPENED = "(?:was|were|been|got|has|have|had|we|i|they|team|just|recently|finally|completely|fully)";
const DONE = `(?:${CHANGE_VERBS.join("|")})`;
/** Same form in the present: only with an auxiliary. */
const WAS_DONE = "(?:was|were|been|got) (?:cut|split|merged|closed|killed)";
const MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
const DAY = "(?:yesterday|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday)";
const WHEN = `(?:${MONTH}|${DAY}|last|this|v?\\d|version|release|q[1-4])`;

/** Of each language one list; folded, that is, in lower case and without diacritics. */
const PATTERNS: readonly RegExp[] = [
  // English
  /\b(?:now|nowadays|no longer|not any longer|any ?more|any longer|these days|from now on|from today|going forward|by now|as of|as from|henceforth|formerly|previously|until recently|recently|took over|takes over|taking over|taken over by|ceased|stopped \w+ing|got rid of|gave up|is gone|are gone|is history|are history|made way for|went from|went up|went down|became|has become|reverted to|back to|in place of|in the meantime|meanwhile)\b/,
  /(?<!\b(?:is|are|was|were|be|been|being|get|gets) )\bused to (?:be|run|live|have|use|go|poll|send|store)\b/,
  /\beffective (?:from|immediately|as of|today|next)\b|\bstarting (?:from|with|in|this|next)\b/,
  /\b(?:replaces|replaced|supersedes|superseded)\b/,
  /\b(?:the|our|a) new (?:default|limit|value|owner|lead|maximum|minimum|version|name|home|address|url|port|standard|policy|rule|process)\b/,
  new RegExp(`\\b${HAPPENED} (?:(?!not |never )\\S+ )?${DONE}\\b`),
  // "Files are moved to the archive" is a rule, not a change.
  new RegExp(
    `(?<!\\b(?:is|are|be|being|gets?|to)(?: \\w+)? )\\b${DONE} (?:to|from|off|onto|into|over|away|out|by|in favou?r)\\b`,
  ),
  new RegExp(`\\b${WAS_DONE}\\b`),
  /\b(?:up|down) from\b|\b(?:rose|fell|dropped|climbed|jumped|grew) to\b|\bwent live\b|\b(?:moves|switches|migrates|changes|upgrades) (?:over )?to\b/,
  new RegExp(`\\b(?:since|as of|from|starting|beginning) ${WHEN}\\b`),
  /\b(?:is|are|was|were|runs?|works?) (?:plain |back )?(?:\S+ )?again\b/,
  // German
  /\b(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|kunftig|fruher|bisher|nicht mehr|kein\w* \S+ mehr|ab sofort|ab jetzt|ab version|seit|umgezogen|umgestellt|gewechselt|wechselte|abgelost|ersetzt|migriert|umbenannt|abgeschafft|erhoht|gesenkt|angehoben|reduziert|verlangert|verkurzt|aktualisiert|geandert|verschoben|eingestellt|ubernommen|ubernimmt)\b/,
  // French
  /\b(?:desormais|dorenavant|maintenant|a partir d[eu]|depuis|(?:a|ont) ete (?:remplac|migr|augment|redui|deplac|renomm|supprim|port|chang)\w*|remplace par|migre vers|est passee?|sont passes|sommes passes|passe de|(?:n'|ne )\S+ plus)\b/,
  // Spanish and Portuguese
  /\b(?:ahora|ya no|desde (?:la|el|ayer|hoy|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|a|o)|a partir d[eo]|migrado|migramos|migro|se (?:migro|cambio|movio|actualizo|redujo|aumento|amplio)|reemplaz\w+|sustituid\w+|cambio a|cambiamos|pasamos a|paso (?:a|de)|ha pasado|dej(?:o|amos) de|agora|ja nao|nao \S+ mais|migrou|foi (?:migrad|alterad|substituid|movid|aumentad|reduzid|trocad)\w+|substituid\w+|mudou|mudamos|trocamos|passou (?:a|de|para)|passamos a)\b/,
  // Chinese and Japanese
  /现在|目前|已(?!知|有)|改为|改成|改用|改由|换成|换为|不再|迁移到|升级到|替换为|取代|延长到|缩短到|调整为|调整到|提高到|降低到|切换到|变为|变成|取消|废弃|从今|今后|現在は|になりました|に変更|に移行|廃止|もう使/,
];
/** A choice as much as a change: these count only if the value is indeed another one. */
const WEAK_PATTERNS: readonly RegExp[] = [
  /\b(?:instead|rather than|in favou?r of|last (?:week|month|year|night|quarter|sprint)|this (?:week|month|year|quarter|sprint)|today|yesterday|new|newly|lately|already|meanwhile)\b/,
  /\b(?:was|were|been|got) \w+(?:ed|en|t) (?:to|onto|into|from|forward|back|up|down|out)\b/,
  // The perfect tense tells what happened.
  /\b(?:has|have|'s|'ve) (?:been |just |also )?\w+(?:ed|en|wn|lt|pt|ut)\b/,
  new RegExp(`\\bin (?:late |early )?${MONTH}\\b`),
  /\b(?:statt|anstatt|anstelle|au lieu d[eu]|a la place d[eu]|en lugar de|en vez de|em vez de)\b/,
];

/** How surely a text speaks of a change. */
export type Change = "certain" | "possible" | null;

export function changeIn(text: string): Change {
  const plain = fold(text.normalize("NFC")).replaceAll("’", "'").replace(/\s+/g, " ");
  if (PATTERNS.some((pattern) => pattern.test(plain))) return "certain";
  return WEAK_PATTERNS.some((pattern) => pattern.test(plain)) ? "possible" : null;
}

const PAST =
  /\b(?:previously|formerly|originally|initially|used to|until recently|until last|back then|in the past|once was)\b/;
const PRESENT = new RegExp(
  `\\b(?:now|nowadays|today|currently|longer|any ?more|since|has|have|is|are|uses|runs|went|rose|fell|became|${CHANGE_VERBS.join("|")})\\b`,
);

/** Whether a text tells only how something was. */
export function isPast(text: string): boolean {
  const plain = fold(text);
  return PAST.test(plain) && !PRESENT.test(plain);
}
