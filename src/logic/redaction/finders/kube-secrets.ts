/**
 * Secrets of Kubernetes: whatever stands under `data` or `stringData` of a `kind: Secret`, whatever its name.
 *
 * Refused: names that say where or who, such as `host` and `username`, certificates, and templates.
 */
import { fromBase64, isPassword, isReference } from "../secret-likeness.ts";
import { nameKind, wordSet, wordsOf } from "../secret-names.ts";
import { type Found, type Line, type SecretFinder, CONTEXT_CHARACTERS } from "./secret-finder.ts";

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
