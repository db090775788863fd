/**
 * The forms in which a name and its value meet: settings, code, markup, calls and logs.
 *
 * Only the decisive end of a name is matched; the rest is read backwards from there, because trying every possible start
 * would be quadratic.
 */

import { PASSWORD_WORDS } from "./secret-names.ts";

/** Lower case; a text with none of them names nothing. */
export const NAMES = [
  ..."pass pwd pw psk mdp kennwort secret token key credential cred salt pepper hmac auth _pat -pat".split(" "),
  ...PASSWORD_WORDS,
];

const END = String.raw`(?<end>(?:pass(?:w(?:or)?d|wort|phrase|code)?|${PASSWORD_WORDS.join("|")}|auth\b|kennwort|pwd|pw|psk|mdp|secret|token|key|cred(?:ential)?|salt|pepper|hmac|(?<=[_-])pat\b)[\w.-]{0,24})`;

// What may close a name: a quote, a bracket, the size of an array, the end of bold type.
const CLOSING = String.raw`\\{0,3}["'\x60]?\]?(?:\[\d{0,6}\])?\*{0,3}`;

const OPERATORS = [
  // A typed declaration.
  String.raw`[ \t]{0,16}:[ \t]{0,4}[&a-z][\w.<>[\]|?&' ]{0,40}=(?=[ \t])`,
  String.raw`[ \t]{1,4}\*?(?:string|str)[ \t]{0,4}=`,
  String.raw`(?:[ \t]{0,16}|\r?\n[ \t]{0,16}(?==))(?:[:：=!~]{1,4}>?|[.?+|&]{1,2}=|->|<-)`,
  String.raw`[ \t]{1,16}is\b`,
  // The value of a pair whose name is also a value.
  String.raw`\s{0,40},?\s{0,40}\\?["']?\b(?:value|val|default|content|string)\\?["']?[ \t]{0,4}(?:=>|[:=])`,
  // The text of an element named by an attribute, or by the element before it.
  String.raw`\s{0,4}(?:[\w:-]{1,30}=["'][^"'<>]{0,60}["']\s{0,4}){0,3}>`,
  String.raw`<\/[\w:.-]{1,30}>\s{0,40}<[\w:.-]{1,30}>`,
].join("|");

// A comma or a space is weaker: what follows must be quoted or long.
const LOOSE = [
  String.raw`(?<=["'])[ \t]{0,4}(?<comma>,)(?=[ \t]{0,4}\\{0,3}["'])`,
  String.raw`(?<loose>\((?=[ \t]{0,4}["'])|[ \t]{1,4}\.?[ \t]{0,4}(?=["'\x60])|[ \t]{0,4}[|;\t ][ \t]{0,4}(?=[\w+/=.~-]{20}))`,
].join("|");

// A list, a constructor, a type or another object around the value.
const AROUND = String.raw`(?:(?<around>[\[({]|\b[\w.]{1,30}\(|!!str[ \t])\s{0,8}(?:["']?value["']?[ \t]{0,4}[:=][ \t]{0,4})?)?`;

// Bold type may end behind a colon. The value may begin on the next line, after the sign of a block or of a continued line.
const GAP = String.raw`(?:(?:\*{1,3}|_{1,3})(?=[ \t]))?[ \t]{0,16}(?<below>(?:[|>][-+]?|\\)?[ \t]{0,4}\r?\n[ \t]{0,40})?`;

const QUOTED = String.raw`[fbru@]{0,2}(?:["'](?=\\["']))?(?<quote>\\{0,3}["'\x60])(?<secret>(?:(?!\k<quote>)\S){6,256})(?:\k<quote>|$|(?<=\S{256}))`;
/** Of a very long one only the beginning. Files of properties escape signs, `a\:b`. */
const BARE = String.raw`(?<bare>(?:[^\s"'\x60<>\\,;]|\\[^\w\s"'\x60\\]){6,256})`;

const VALUE = String.raw`${GAP}${AROUND}(?:${QUOTED}|${BARE})`;

export const assignment = (): RegExp => new RegExp(`${END}${CLOSING}(?<link>${OPERATORS}|${LOOSE})${VALUE}`, "dgi");

/** What stands in every line of a transcript: judging each would take long. */
const UNLESS_ID = String.raw`(?<!(?:["'](?:id|time)|uuid|timestamp|(?:session|use)_?id)["']?:)`;

/**
 * Any name before a sign and a long value that has a digit. Begins at the sign, which most words lack, and looks back from
 * there.
 */
export const longAssignment = (): RegExp =>
  new RegExp(
    String.raw`(?<link>:=|=>|={1,3}|[:>]|\((?=[ \t]{0,4}["']))${UNLESS_ID}(?=\s{0,16}\\?["'\x60]?(?!\/)[\w+/=.~:-]{20})(?=[\s"'\x60\\]{0,18}[^\s\d]{0,40}\d)(?<=(?<key>[\w.-]{2,64})${CLOSING}\s{0,16}\k<link>)${VALUE}`,
    "dgi",
  );
