/**
 * Tables: a heading that names a secret makes secrets of the cells below it, a name in the first cell of those beside it.
 *
 * Tables of Markdown and of databases, comma-separated values, and columns that blanks align. Refused: cells of several
 * words, which describe a secret.
 */
import { fromBase64, isAssignedSecret, isNumberedName, isPassword, isReference } from "./likeness.ts";
import { type NameKind, nameKind, NAMES, wordSet, wordsOf } from "./names.ts";
import { CONTEXT_CHARACTERS, type Found, type Line, LONGEST_LINE, type SecretFinder } from "./secret-finder.ts";

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

/**
 * Secrets of Kubernetes: whatever stands under `data` or `stringData` of a `kind: Secret`, whatever its name.
 *
 * Refused: names that say where or who, such as `host` and `username`, certificates, and templates.
 */
const KIND = /^([ \t]{0,40}(?:- )?)kind:[ \t]{1,8}["']?Secret["']?[ \t]{0,40}(?:#.{0,200})?$/;
const SECTION =
  /^([ \t]{0,40})(?:(?:string)?data|stringData):[ \t]{0,40}(?<flow>\{.{0,2000}\})?[ \t]{0,40}(?:#.{0,200})?$/;
const ENTRY =
  /^([ \t]{1,60}["']?([\w./-]{1,253})["']?:[ \t]{1,8}["']?)([^\s"']{4,2000})["']?[ \t]{0,40}(?:#.{0,200})?$/;
const BLOCK = /^[ \t]{1,60}["']?([\w./-]{1,253})["']?:[ \t]{1,8}[|>][-+]?[ \t]{0,40}$/;
const JSON_KIND = /"kind"\s{0,40}:\s{0,40}"Secret"/g;
const JSON_SECTION = /"(?:data|stringData)"\s{0,40}:\s{0,40}\{([^{}]{1,8000})\}/g;
const JSON_ENTRY = /"([\w./-]{1,253})"\s{0,40}:\s{0,40}"([^"\s]{4,4000})"/g;
const FLOW_ENTRY = /["']?([\w./-]{1,253})["']?:[ \t]{1,8}["']?([^\s"',{}]{4,500})/g;

/** Names that say where, who or what, and nothing secret. */
const PLAIN = wordSet(`
  user username login host hostname port endpoint region database dbname db email mail from name bucket namespace type
  crt cert certificate ca url uri domain issuer level mode env environment enabled path id timeout version`);

export const kubeFinder: SecretFinder = {
  name: "kube-secret",
  keywords: ["kind: secret", 'kind: "secret', "kind: 'secret", "kind:  secret", '"secret"'],
  find(lines) {
    const found: Found[] = [];
    for (let at = 0; at < lines.length; at++) {
      const [, before] = KIND.exec(lines[at]!.text) ?? [];
      if (before !== undefined) readDocument(lines, at, before.length, found);
    }
    if (lines.some(({ text }) => text.includes('"Secret"'))) readJson(lines, found);
    return found;
  },
};

const indentOf = ({ text }: Line): number => /^[ \t]*(?:- )?/.exec(text)![0].length;
const OPENS = /^[ \t]{0,40}(?:- )?(?:apiVersion|kind):/;
const DIVIDES = /^(?:---|\.\.\.|```)/;

/** The sections beside `kind`, above or below it, up to where another document begins. */
function readDocument(lines: readonly Line[], kind: number, indent: number, found: Found[]): void {
  const near = (line: Line | undefined): boolean =>
    line !== undefined &&
    Math.abs(line.start - lines[kind]!.start) < CONTEXT_CHARACTERS / 2 &&
    !DIVIDES.test(line.text);
  const opens = (line: Line): boolean => OPENS.test(line.text) && indentOf(line) === indent;
  let from = kind;
  while (near(lines[from - 1]) && !(opens(lines[from - 1]!) && /kind:/.test(lines[from - 1]!.text))) {
    from -= 1;
    if (opens(lines[from]!)) break;
  }
  for (let at = from; near(lines[at]); at++) {
    const line = lines[at]!;
    if (at > kind && opens(line)) break;
    const section = SECTION.exec(line.text);
    if (section === null || section[1]!.length !== indent) continue;
    const isEncoded = !line.text.includes("stringData");
    const { flow } = section.groups!;
    if (flow !== undefined) addEntries(FLOW_ENTRY, flow, line.start + line.text.indexOf(flow), isEncoded, found);
    else readSection(lines, at, indent, isEncoded, found);
  }
}

function readSection(
  lines: readonly Line[],
  section: number,
  indent: number,
  isEncoded: boolean,
  found: Found[],
): void {
  for (let at = section + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.start - lines[section]!.start > CONTEXT_CHARACTERS / 2) return;
    if (line.text.trim() === "") continue;
    if (/^[ \t]*/.exec(line.text)![0].length <= indent) return;
    const [, before, name, value] = ENTRY.exec(line.text) ?? [];
    if (value !== undefined && isSecretEntry(name!, value, isEncoded))
      found.push({ start: line.start + before!.length, end: line.start + before!.length + value.length });
    // A block of one word is a value; longer ones are files, read as such.
    const [, blockName] = BLOCK.exec(line.text) ?? [];
    const below = lines[at + 1];
    const [, blanks, word] = (blockName && below && /^([ \t]{1,80})(\S{4,2000})[ \t]{0,40}$/.exec(below.text)) || [];
    const ends = lines[at + 2] === undefined || indentOf(lines[at + 2]!) <= indentOf(line);
    if (word !== undefined && ends && isSecretEntry(blockName!, word, isEncoded))
      found.push({ start: below!.start + blanks!.length, end: below!.start + blanks!.length + word.length });
  }
}

function readJson(lines: readonly Line[], found: Found[]): void {
  const text = lines.map((line) => line.text).join("\n");
  const kinds = Array.from(text.matchAll(JSON_KIND), ({ index }) => index);
  if (kinds.length === 0) return;
  // A carriage return is not among the lines, so places are counted by line.
  const offset = offsets(lines);
  let kind = 0;
  for (const match of text.matchAll(JSON_SECTION)) {
    while (kind + 1 < kinds.length && Math.abs(kinds[kind + 1]! - match.index) <= Math.abs(kinds[kind]! - match.index))
      kind += 1;
    if (Math.abs(kinds[kind]! - match.index) > CONTEXT_CHARACTERS / 4) continue;
    const inner: Found[] = [];
    addEntries(JSON_ENTRY, match[1]!, match.index + match[0].indexOf("{") + 1, match[0].startsWith('"data'), inner);
    for (const { start, end } of inner) found.push({ start: offset(start), end: offset(end) });
  }
}

function offsets(lines: readonly Line[]): (place: number) => number {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of lines) {
    starts.push(length);
    length += text.length + 1;
  }
  let at = 0;
  return (place) => {
    if (starts[at]! > place) at = 0;
    while (at + 1 < starts.length && starts[at + 1]! <= place) at += 1;
    return lines[at]!.start + place - starts[at]!;
  };
}

function addEntries(entries: RegExp, text: string, start: number, isEncoded: boolean, found: Found[]): void {
  for (const { 0: all, 1: name, 2: value, index } of text.matchAll(entries)) {
    if (!isSecretEntry(name!, value!, isEncoded)) continue;
    const at = start + index + all.lastIndexOf(value!);
    found.push({ start: at, end: at + value!.length });
  }
}

function isSecretEntry(name: string, value: string, isEncoded: boolean): boolean {
  const kind = nameKind(name);
  if (kind === undefined && PLAIN.has(wordsOf(name).at(-1) ?? "")) return false;
  const decoded = isEncoded ? fromBase64(value) : "";
  // What is no text was random.
  if (isEncoded && !/^[\x20-\x7e\s]{1,3000}$/.test(decoded)) return /^[A-Za-z0-9+/]{8,2000}={0,2}$/.test(value);
  const plain = isEncoded ? decoded.trim() : value;
  if (kind === undefined && /^(?:[a-z]{1,12}|[\d.]{1,12})$/.test(plain)) return false;
  return plain.length >= 4 && isPassword(plain) && !isReference(plain) && !/^-----BEGIN (?!.{0,30}PRIVATE)/.test(plain);
}
