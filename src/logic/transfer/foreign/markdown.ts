/**
 * Memories in a Markdown file that instructs agents: CLAUDE.md, AGENTS.md, MEMORY.md, rules of Cursor.
 *
 * Each piece of a section is a memory with its headings as title. A short rule is told with its heading, because "use
 * tabs" says nothing by itself. A file that is one memory already, by its front matter, stays one.
 */
import type { ForeignFile, ForeignMemory } from "../../../model/transfer/foreign-memory.ts";
import type { MemoryType } from "../../../model/memory/memory.ts";
import { HEADING_SEPARATOR } from "../../../model/text/titled.ts";
import { contentHash } from "../../text/content-hash.ts";
import { type MarkdownText, type Section, plainText, readMarkdown, wholeBody } from "../../text/markdown-sections.ts";
import { withoutImports } from "./at-imports.ts";
import { typeNamed, typeOfText } from "./kinds.ts";
import { type Piece, piecesOf, wordCount } from "./markdown-pieces.ts";
import { momentIn } from "./record.ts";

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
    ...{ type, title, content, background: background || null },
    ...{ tags: tagsIn(front), files: [name], createdAt: momentIn(date, "date") },
    ...(front.get("alwaysapply") === "true" && { priority: APPLIED_PRIORITY }),
  };
}

export const tagsIn = (front: MarkdownText["front"]): string[] =>
  (front.get("tags") ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^["'#]+|["']+$/g, ""))
    .filter((tag) => tag !== "");
