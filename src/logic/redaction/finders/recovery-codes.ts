/**
 * Codes that let somebody in who lost their second factor: a heading that names them, then a row or a list of codes.
 *
 * Refused: single numbers, dates, words, and lists of nothing but names; a list ends at the first line that holds
 * anything else.
 */
import { isPlaceholder, readsLikeWords } from "../secret-likeness.ts";
import { type Found, type Line, type SecretFinder, lineAfter } from "./secret-finder.ts";

const HEADING = new RegExp(
  [
    String.raw`(?:recovery|backup|emergency|scratch|rescue|bypass|one[-_ ]?time|single[-_ ]?use|2fa|mfa|otp|two[- ]factor)[-_ ]?(?:\w{1,12}[-_ ]){0,2}(?:codes|keys|(?:code|key)(?![ \t]{1,4}(?!(?:for|of|is|are|was|to|from|on|in|and|or|below)\b)[a-z]))\b`,
    String.raw`(?:wiederherstellungs|notfall|ersatz|einmal)-?(?:codes?|schlüssel)`,
    String.raw`codes? de (?:secours|récupération|sauvegarde)|códigos? de (?:recuperación|respaldo|seguridad)|恢复代?码|备用代?码|备份码|リカバリーコード|バックアップコード`,
  ].join("|"),
  "i",
);
const MOST_LINES = 24;
const CODE = /^(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12}){1,8}|[A-Za-z0-9]{8,32}|\d{6,10})$/;
const HALF = /^(?:[0-9]{4,5}|[a-z0-9]{4,5})$/;

interface Code extends Found {
  code: string;
}

export const recoveryCodeFinder: SecretFinder = {
  name: "recovery-code",
  keywords: [
    ...["recovery", "backup", "rescue", "emergency", "scratch", "one-time", "2fa", "mfa", "otp", "wiederherstellung"],
    ...["notfall", "codes de", "códigos de", "恢复", "备用", "备份码", "リカバリー", "バックアップ"],
  ],
  find(lines) {
    const found: Found[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const heading = line.text.length > 400 ? null : HEADING.exec(line.text);
      if (heading === null) continue;
      const after = line.text.indexOf(":", heading.index + heading[0].length);
      const codes = after < 0 ? [] : codesOf({ start: line.start + after + 1, text: line.text.slice(after + 1) }, true);
      at = readList(lines, at, codes);
      // A few of many codes may look like words; if all of them do, they are names.
      if (!codes.every(({ code }) => readsLikeWords(code)))
        found.push(...codes.map(({ start, end }) => ({ start, end })));
    }
    return found;
  },
};

/** Adds the codes below; returns the last line that was one of the list. */
function readList(lines: readonly Line[], heading: number, found: Code[]): number {
  let at = heading;
  for (let count = 0; count < MOST_LINES; count++) {
    const next = lineAfter(lines, at);
    const codes = next === null || lines[next]!.text.length > 400 ? [] : codesOf(lines[next]!, false);
    if (codes.length === 0 && !(next !== null && /^[ \t]{0,40}[[\]{}][,;]?$/.test(lines[next]!.text))) return at;
    found.push(...codes);
    at = next!;
  }
  return at;
}

/** The codes of a line that holds nothing else, or those it begins with. */
function codesOf({ start, text }: Line, opens: boolean): Code[] {
  const found: Code[] = [];
  const pieces = Array.from(text.matchAll(/[^\s,;|"'`[\]•☐]+/g)).filter(
    ({ 0: one }) => !/^(?:[-*>x]|\d{1,2}[.):]?)$/.test(one),
  );
  for (let at = 0; at < pieces.length; at++) {
    const { 0: piece, index } = pieces[at]!;
    const second = pieces[at + 1];
    const isPair =
      HALF.test(piece) && second !== undefined && HALF.test(second[0]) && second[0].length === piece.length;
    if (isPair && /\d/.test(piece + second[0])) {
      const end = start + second.index + second[0].length;
      found.push({ start: start + index, end, code: piece + second[0] });
      at += 1;
    } else if (isCode(piece)) found.push({ start: start + index, end: start + index + piece.length, code: piece });
    else return opens ? found : [];
  }
  return found;
}

function isCode(piece: string): boolean {
  if (!CODE.test(piece) || isPlaceholder(piece) || /^\d{4}-\d\d-\d\d$/.test(piece)) return false;
  return (
    /\d/.test(piece) || /^(?:[A-Z]{4,8}-)+[A-Z]{4,8}$|^(?:(?=[^-]*[^aeiou-]{4})[a-z]{4,8}-)+[a-z]{4,8}$/.test(piece)
  );
}
