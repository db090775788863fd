/**
 * Memories in a Markdown file that instructs agents: CLAUDE.md, AGENTS.md, MEMORY.md, rules of Cursor.
 *
 * Each piece of a section is a memory with its headings as title. A short rule is told with its heading, because "use
 * tabs" says nothing by itself. A file that is one memory already, by its front matter, stays one.
 */
import type { MemoryType } from "../../memory/item.ts";
import { contentHash } from "../../text/content-hash.ts";
import { type MarkdownText, plainText, readMarkdown, type Section, wholeBody } from "../../text/markdown.ts";
import { HEADING_SEPARATOR } from "../../text/short-text.ts";
import type { ForeignFile, ForeignMemory } from "./foreign-memory.ts";
import { isRule, momentIn, typeNamed, typeOfText } from "./record.ts";

/**
 * Files that a CLAUDE.md includes: `@docs/style.md`, outside of code.
 *
 * Names of people and packages look the same (`@alice`, `@scope/name`), so only what ends like a Markdown file counts.
 */
const IMPORT = /(?<=^|[\s(])@((?:~\/|\.{0,2}\/)?[\w./-]{1,300}\.(?:md|mdc|markdown))(?=$|[\s),.;:])/g;

export function importsIn(text: string): string[] {
  return [...new Set([...withoutCode(text).matchAll(IMPORT)].map(([, path = ""]) => path))];
}

/** The text without lines that only include a file. */
export const withoutImports = (text: string): string =>
  text.replace(/^[ \t]*(?:[-*+][ \t]+)?@(?:~\/|\.{0,2}\/)?[\w./-]{1,300}\.(?:md|mdc|markdown)[ \t]*$/gm, "");

/** Fences and code spans, which may be long, are cut out line by line. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark === undefined) kept.push(line.replace(/`[^`]*`/g, ""));
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence)) fence = null;
  }
  return kept.join("\n");
}

/**
 * The blocks of a section of Markdown: paragraphs, items of lists, code, tables.
 *
 * An item keeps everything indented below it, and code stays with the text before it, which it illustrates. Rules between
 * blocks and lines of badges are dropped. Every line is read once.
 */
interface Block {
  kind: "text" | "item" | "table";
  /** Of an item: without its mark, and not indented. */
  text: string;
  /** Of an item: its list is numbered. */
  isNumbered: boolean;
}

const MARK = /^( {0,3})(?:([-*+])|(\d{1,3})[.)])(?:[ \t]+|$)/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const RULE_LINE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const BADGES = /^\s*(?:\[?!\[[^\]]{0,200}\]\([^)]{0,500}\)\]?(?:\([^)]{0,500}\))?\s*)+$/;
const TABLE = /^\s*\|/;

/** Where a line goes if nothing else begins with it. */
interface Open extends Block {
  lines: string[];
  /** How far the text of an item is indented. */
  indent: number;
  isAfterBlank: boolean;
}

export function blocksOf(body: string): Block[] {
  const blocks: Block[] = [];
  let open: Open | null = null;
  let fence: string | null = null;
  for (const line of body.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const isCode: boolean = fence !== null || mark !== undefined;
    const next: Open | null = isCode ? withCode(line, open) : withLine(line, open);
    if (open !== null && next !== open) blocks.push(closed(open));
    open = next;
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
  if (open !== null) blocks.push(closed(open));
  return blocks.filter(({ text }) => text !== "");
}

/** Code belongs to the text before it. */
function withCode(line: string, open: Open | null): Open {
  return open === null || open.kind === "table" ? opened("text", [line]) : continued(open, line);
}

/** The block that a line belongs to; null after a line that ends one and is dropped. */
function withLine(line: string, open: Open | null): Open | null {
  if (line.trim() === "") {
    if (open !== null) open.isAfterBlank = true;
    return open;
  }
  if (RULE_LINE.test(line) || BADGES.test(line)) return null;
  const item = MARK.exec(line);
  const isWithin = open?.kind === "item" && indentOf(line) >= Math.min(open.indent, 2);
  if (item && !isWithin) {
    const isNumbered = item[3] !== undefined;
    return { ...opened("item", [line.slice(item[0].length)]), indent: item[0].length, isNumbered };
  }
  const kind = TABLE.test(line) && !isWithin ? "table" : "text";
  const isLazy =
    open !== null && !open.isAfterBlank && (open.kind === kind || (open.kind === "item" && kind === "text"));
  return open !== null && (isWithin || isLazy) ? continued(open, line) : opened(kind, [line]);
}

function continued(open: Open, line: string): Open {
  if (open.isAfterBlank) open.lines.push("");
  open.lines.push(line);
  open.isAfterBlank = false;
  return open;
}

const opened = (kind: Block["kind"], lines: string[]): Open => ({
  kind,
  indent: 0,
  text: "",
  isNumbered: false,
  lines,
  isAfterBlank: false,
});

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll("\t", "    ").length;

function closed({ kind, isNumbered, lines, indent }: Open): Block {
  const [first = "", ...rest] = lines;
  const below = Math.min(indent, ...rest.filter((line) => line.trim() !== "").map(indentOf));
  const own = [first, ...rest.map((line) => line.slice(below))];
  const isQuoted = own.every((line) => line.startsWith(">"));
  return { kind, isNumbered, text: (isQuoted ? own.map((line) => line.replace(/^>\s?/, "")) : own).join("\n").trim() };
}

/**
 * Pieces of a section that are worth a memory each.
 *
 * A rule in a list stands alone; names, commands and steps make sense only together, so their list stays whole, in parts
 * of a sensible size. Paragraphs are joined up to that size. A line that introduces a list is told with each of its items.
 */
interface Piece {
  text: string;
  /** The line above the list that it is an item of. */
  intro: string | null;
  /** A list of names, commands or steps, which its heading describes best. */
  isReference: boolean;
}

/** What a person reads at a glance. */
const PIECE_CHARACTERS = 1_200;
const INTRO_CHARACTERS = 300;
const LEAST_WORDS_ALONE = 7;
const MAJORITY = 0.6;

function piecesOf(body: string): Piece[] {
  const pieces: Piece[] = [];
  let paragraphs: string[] = [];
  const blocks = blocksOf(body).filter(({ text }) => !isBoilerplate(text));
  for (let at = 0; at < blocks.length; ) {
    const end = runEnd(blocks, at);
    const list = blocks.slice(at, end);
    if (list[0]!.kind !== "item") {
      paragraphs.push(...list.map(({ text }) => text));
      at = end;
      continue;
    }
    const intro = introIn(paragraphs);
    if (intro !== null) paragraphs = paragraphs.slice(0, -1);
    pieces.push(...joined(paragraphs, null, false), ...ofList(list, intro));
    paragraphs = [];
    at = end;
  }
  return [...pieces, ...joined(paragraphs, null, false)];
}

/** Where the list that begins here ends, or the block itself. */
function runEnd(blocks: readonly Block[], at: number): number {
  const { kind, isNumbered } = blocks[at]!;
  let end = at + 1;
  while (kind === "item" && blocks[end]?.kind === "item" && blocks[end]!.isNumbered === isNumbered) end += 1;
  return end;
}

/** Hosts write these when they create a file, and tables of contents say nothing themselves. */
const isBoilerplate = (text: string): boolean =>
  /^this file provides guidance to /i.test(text) || /^\[[^\]]{0,200}\]\(#[^)]{0,200}\)$/.test(text);

function introIn(paragraphs: readonly string[]): string | null {
  const last = paragraphs.at(-1);
  if (last === undefined || last.length > INTRO_CHARACTERS || last.includes("\n\n")) return null;
  return /:[*_]*$/.test(last) ? last : null;
}

function ofList(list: readonly Block[], intro: string | null): Piece[] {
  const isReference = list[0]!.isNumbered || !isOfRules(list);
  if (isReference) {
    const marked = list.map(({ text, isNumbered }, index) => markedItem(text, isNumbered ? `${index + 1}.` : "-"));
    const [first = "", ...rest] = marked;
    return joined([intro === null ? first : `${intro}\n${first}`, ...rest], null, true);
  }
  const pieces: Piece[] = [];
  let fragments: string[] = [];
  const flush = () => {
    if (fragments.length === 1) pieces.push({ text: fragments[0]!, intro, isReference: false });
    else
      pieces.push(
        ...joined(
          fragments.map((text) => markedItem(text, "-")),
          intro,
          true,
        ),
      );
    fragments = [];
  };
  for (const { text } of list) {
    if (!standsAlone(text)) {
      fragments.push(text);
      continue;
    }
    flush();
    pieces.push({ text, intro, isReference: false });
  }
  flush();
  return pieces;
}

const markedItem = (text: string, mark: string): string =>
  `${mark} ${text.replaceAll("\n", `\n${" ".repeat(mark.length + 1)}`)}`;

/** A list of names or commands begins most of its items with them. */
function isOfRules(list: readonly Block[]): boolean {
  const share = (isMeant: (text: string) => boolean) => list.filter(({ text }) => isMeant(text)).length / list.length;
  const isNamed = (text: string) => /^(?:\*\*)?[`[]/.test(text) && !isRule(text);
  return share(standsAlone) >= MAJORITY && share(isNamed) < MAJORITY;
}

function standsAlone(text: string): boolean {
  const words = wordCount(text);
  return words >= LEAST_WORDS_ALONE || (words >= 2 && isRule(text));
}

export const wordCount = (text: string): number =>
  plainText(text)
    .split(" ")
    .filter((word) => /\p{L}|\p{N}/u.test(word)).length;

/** Texts that belong together, in parts of a sensible size. Items of a list follow each other closely. */
function joined(texts: readonly string[], intro: string | null, isReference: boolean): Piece[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    const separator = isReference ? "\n" : "\n\n";
    if (last === undefined || last.length + text.length > PIECE_CHARACTERS) parts.push(text);
    else parts[parts.length - 1] = `${last}${separator}${text}`;
  }
  return parts.map((text) => ({ text, intro, isReference }));
}

/** Up to this size a file that is one memory by its front matter stays whole. */
const WHOLE_CHARACTERS = 4_000;
const LEAST_WORDS = 2;
/** Shorter text is told with its heading. */
const LEAST_WORDS_WITHOUT_HEADING = 8;
const HEADINGS_SHOWN = 2;
const APPLIED_PRIORITY = 7;

export function readInstructions({ name, text }: ForeignFile): ForeignMemory[] {
  const markdown = readMarkdown(withoutImports(text));
  const whole = wholeNote(markdown, text);
  if (whole !== null) return [memoryOf({ name, front: markdown.front }, whole)];
  const trails = trailsOf(markdown.sections, name);
  return markdown.sections.flatMap(({ body }, index) => {
    const trail = trails[index]!;
    return piecesOf(body)
      .map((piece) => inSection(piece, trail))
      .filter(({ content }) => isWorth(content, name))
      .map((told) => memoryOf({ name, front: markdown.front }, told));
  });
}

interface Told {
  title: string | null;
  content: string;
  type: MemoryType;
  intro: string | null;
}

/** Claude Code and others keep one memory a file, with its name and type above it. */
function wholeNote({ front, sections }: MarkdownText, text: string): Told | null {
  // Newer versions write the type below `metadata`.
  const type = typeNamed(front.get("type") ?? /^---\n(?:.*\n){0,20}?[ \t]+type:[ \t]*([\w-]+)/.exec(text)?.[1] ?? null);
  const content = wholeText(sections);
  if (type === null || !front.has("name") || content === "" || content.length > WHOLE_CHARACTERS) return null;
  const title = front.get("description") || front.get("name") || null;
  return { title, content, type, intro: null };
}

/** All text, with its headings. */
export function wholeText(sections: readonly Section[]): string {
  const [first] = sections;
  return wholeBody(
    [{ level: 0, heading: "", body: first?.level === 0 ? first.body : "" }, ...below(sections)],
    0,
  ).trim();
}

const below = (sections: readonly Section[]): Section[] => sections.filter(({ level }) => level > 0);

/** The headings above each section, without the title of the file. */
function trailsOf(sections: readonly Section[], name: string): string[][] {
  const tops = sections.filter(({ level }) => level === 1);
  const trail: Section[] = [];
  return sections.map((section) => {
    while ((trail.at(-1)?.level ?? 0) >= section.level && trail.length > 0) trail.pop();
    if (section.level > 0) trail.push(section);
    const isTitle = (one: Section) => one.level === 1 && (tops.length === 1 || isNameOf(one.heading, name));
    return trail.filter((one) => !isTitle(one)).map(({ heading }) => plainText(heading));
  });
}

const isNameOf = (heading: string, name: string): boolean =>
  name.toLowerCase().endsWith(heading.trim().toLowerCase().replace(/\s+/g, "-"));

function inSection({ text, intro, isReference }: Piece, trail: readonly string[]): Told {
  const heading = trail.at(-1) ?? null;
  const ofHeading = trail.map(typeOfHeading).findLast((type) => type !== null) ?? null;
  const isShort = heading !== null && !isReference && wordCount(text) < LEAST_WORDS_WITHOUT_HEADING;
  return {
    title: trail.slice(-HEADINGS_SHOWN).join(HEADING_SEPARATOR) || null,
    content: isShort ? `${heading}: ${text}` : text,
    type: typeOf(text, isReference, ofHeading),
    intro,
  };
}

function typeOf(text: string, isReference: boolean, ofHeading: MemoryType | null): MemoryType {
  if (/^(?:[-*+] )?\[[ x]\] /i.test(text)) return "progress";
  return isReference ? (ofHeading ?? "documentation") : typeOfText(text, ofHeading ?? "fact");
}

const HEADINGS: readonly (readonly [RegExp, MemoryType])[] = [
  [/gotcha|caveat|pitfall|known (?:issue|problem)|watch out|troubleshoot|quirk|trap|warning/i, "gotcha"],
  [/preference/i, "preference"],
  [/about (?:me|the user)|who i am/i, "context"],
  [
    /convention|style|rule|guideline|standard|naming|format|commit|review|workflow|practice|principle|security|polic|testing/i,
    "convention",
  ],
  [
    /architect|structure|overview|layout|stack|design|module|director|folder|about (?:this|the)|technolog/i,
    "architecture",
  ],
  [
    /command|setup|set up|install|build|run|deploy|script|environment|getting started|develop|reference|test|tool/i,
    "documentation",
  ],
  [/to.?do|roadmap|next step|status|progress/i, "progress"],
];

const typeOfHeading = (heading: string): MemoryType | null =>
  HEADINGS.find(([pattern]) => pattern.test(heading))?.[1] ?? null;

/** A line that only points to another file is an entry of an index. */
function isWorth(text: string, name: string): boolean {
  if (/(?:^|\/)MEMORY\.md$/i.test(name) && /^(?:[^[]{0,100}: )?(?:- )?\[[^\]]{0,200}\]\([^)]{0,300}\.md\)/.test(text))
    return false;
  return wordCount(text) >= LEAST_WORDS || /`{3}|\|/.test(text);
}

/** Rules of Cursor say which files they are about, and whether they always apply. */
function memoryOf(
  { name, front }: { name: string; front: MarkdownText["front"] },
  { title, content, type, intro }: Told,
): ForeignMemory {
  const globs = front.get("globs");
  const description = front.has("globs") || front.has("alwaysapply") ? front.get("description") : undefined;
  const background = [description, intro, globs ? `Applies to ${globs}.` : null].filter(Boolean).join("\n");
  const date = { date: front.get("created") ?? front.get("date") ?? front.get("created-at") };
  return {
    key: `${name} ${contentHash(JSON.stringify([title, content]))}`,
    type,
    title,
    content,
    background: background || null,
    tags: tagsIn(front),
    files: [name],
    createdAt: momentIn(date, "date"),
    ...(front.get("alwaysapply") === "true" && { priority: APPLIED_PRIORITY }),
  };
}

export const tagsIn = (front: MarkdownText["front"]): string[] =>
  (front.get("tags") ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^["'#]+|["']+$/g, ""))
    .filter((tag) => tag !== "");
