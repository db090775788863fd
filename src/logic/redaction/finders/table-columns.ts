/**
 * Tables: a heading that names a secret makes secrets of the cells below it, a name in the first cell of those beside it.
 *
 * Tables of Markdown and of databases, comma-separated values, and columns that blanks align. Refused: cells of several
 * words, which describe a secret.
 */
import { NAMES } from "../assignment-pattern.ts";
import { isAssignedSecret, isNumberedName } from "../secret-likeness.ts";
import { type NameKind, nameKind } from "../secret-names.ts";
import { type Found, type Line, type SecretFinder, CONTEXT_CHARACTERS, LONGEST_LINE } from "./secret-finder.ts";

interface Cell {
  start: number;
  text: string;
}

interface Layout {
  split: (line: Line) => Cell[];
  /** Whether the line between heading and rows is required. */
  ruled: boolean;
}

const FOREIGN =
  /^(?:mot de passe|contraseñas?|clave|senha|parola|wachtwoord|lösenord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호)$/i;
const HEADING =
  /pass|pwd|kennwort|secret|token|key|cred|psk|mdp|\bpat\b|clave|contrase|senha|parola|пароль|密|口令|パス/i;
const RULE = /^[ \t]{0,40}[|│┃+├┼╞╪=:─━-][|│┃+├┤┼╞╡╪=:─━ \t-]{2,2000}$/;

export const tableFinder: SecretFinder = {
  name: "secret-column",
  keywords: [...NAMES, "contrase", "clave", "senha", "parola", "пароль", "密", "口令", "パス", "mot de passe"],
  find(lines) {
    const found: Found[] = [];
    for (let at = 0; at + 1 < lines.length; at++) {
      const line = lines[at]!;
      if (!mayHead(line.text)) continue;
      const layout = layoutOf(line, lines[at + 1]!, lines[at + 2]);
      if (layout !== null) at = readTable(lines, at, layout, found) - 1;
    }
    return found;
  },
};

const hasBar = (text: string): boolean => text.includes("|") || text.includes("│") || text.includes("┃");
const mayHead = (text: string): boolean =>
  text.length <= LONGEST_LINE &&
  (hasBar(text) || (/^[\w\u00c0-\uffff ./()"',;\t-]{3,300}$/.test(text) && HEADING.test(text)));

function layoutOf(heading: Line, next: Line, third: Line | undefined): Layout | null {
  const isRuled = RULE.test(next.text);
  if (hasBar(heading.text)) return isRuled ? { split: byBars, ruled: true } : null;
  const below = isRuled ? third : next;
  if (below === undefined || below.text.length > LONGEST_LINE) return null;
  for (const split of [byCommas, bySemicolons, byBlanks]) {
    const names = split(heading);
    if (names.length < 2 || !names.every(({ text }) => /^[\p{L}_][\p{L}\p{N} _./()-]{0,40}$/u.test(text))) continue;
    if (names.some(({ text }) => toName(text) !== undefined) && split(below).length === names.length)
      return { split, ruled: false };
  }
  return null;
}

/** Adds what the table at this line holds; returns the line after it. */
function readTable(lines: readonly Line[], at: number, { split, ruled }: Layout, found: Found[]): number {
  const heading = lines[at]!;
  const names = split(heading).map(({ text }) => toName(text));
  let row = at + 1;
  for (; row < lines.length; row++) {
    const line = lines[row]!;
    if (line.start + line.text.length > heading.start + CONTEXT_CHARACTERS) break;
    if (RULE.test(line.text)) continue;
    const cells = split(line);
    if (cells.length < 2 || (!ruled && cells.length !== names.length)) break;
    const first = toName(cells[0]!.text);
    for (const [column, { start, text }] of cells.entries())
      if (isCellSecret(names[column], text) || (column > 0 && isBeside(first, text)))
        found.push({ start, end: start + text.length });
  }
  return row;
}

interface Name {
  name: string;
  kind: NameKind;
}

/** What a heading names, if it is a secret. */
function toName(heading: string): Name | undefined {
  if (heading.length > 80 || !HEADING.test(heading)) return undefined;
  const name = heading.replaceAll(/\([^()]{0,60}\)|[:*`?]/g, "").trim();
  const kind = FOREIGN.test(name) ? "password" : nameKind(name);
  return kind === undefined ? undefined : { name, kind };
}

function isCellSecret(heading: Name | undefined, value: string): boolean {
  if (heading === undefined || !/^\S{6,2000}$/.test(value)) return false;
  if (heading.kind !== "password") return isAssignedSecret(heading.name, value, { quoted: false, tight: true });
  // A plain word, a version or a standard says something about a password.
  if (isNumberedName(value) || /^v?\d+[.\d]*[+*]?$|^[A-Z]{2,8}[- ]?\d{1,5}\S?$/.test(value)) return false;
  return /\d|[!@#$%^&*~+?=]|[a-z][A-Z]/.test(value) && isAssignedSecret("password", value, { quoted: true });
}

function isBeside(first: Name | undefined, value: string): boolean {
  if (first === undefined || !/^\S{6,2000}$/.test(value)) return false;
  // Beside the name of a field stand its type and its rules as well.
  if (first.kind === "password" && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value))
    return isCellSecret(first, value);
  return isAssignedSecret(first.name, value, { quoted: false, tight: true });
}

const byBars = (line: Line): Cell[] => {
  const inner = /^[ \t]{0,80}[|│┃]?/.exec(line.text)![0].length;
  const until = line.text.replace(/[|│┃][ \t]{0,80}$/, "").length;
  return cellsBetween(line, inner, Math.max(inner, until), /(?<!\\)[|│┃]/g);
};
const byBlanks = (line: Line): Cell[] => {
  const inner = line.text.length - line.text.trimStart().length;
  return cellsBetween(line, inner, line.text.trimEnd().length, / {2,200}|[ ]?\t[\t ]{0,200}/g);
};
const byCommas = (line: Line): Cell[] => cellsBetween(line, 0, line.text.length, /,/g);
const bySemicolons = (line: Line): Cell[] => cellsBetween(line, 0, line.text.length, /;/g);

function cellsBetween(line: Line, from: number, until: number, separator: RegExp): Cell[] {
  const cells: Cell[] = [];
  const text = line.text.slice(0, until);
  let start = from;
  separator.lastIndex = from;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    cells.push(toCell(line, text, start, match.index));
    start = match.index + match[0].length;
  }
  cells.push(toCell(line, text, start, until));
  return cells;
}

const OPENING = /^(?:\*\*`?|`{1,2}|["'])/;
const CLOSING = /(?:`?\*\*|`{1,2}|["'])$/;

/** Without the blanks, quotes and stars around it. */
function toCell(line: Line, text: string, start: number, end: number): Cell {
  const raw = text.slice(start, end).trimEnd();
  const marked = raw.trimStart();
  const value = marked.replace(OPENING, "");
  return { start: line.start + start + raw.length - value.length, text: value.replace(CLOSING, "") };
}
