/**
 * The notes of Basic Memory: Markdown with observations (`- [category] text #tag`) and relations (`- relation [[Note]]`).
 *
 * An observation becomes a memory of its own, because it has a type; the rest of the note becomes one more. Relations
 * connect the first memories of two notes.
 */
import { plainText, readMarkdown } from "../../text/markdown.ts";
import type { ForeignFile, ForeignLink, ForeignMemory, ForeignReading } from "./foreign-memory.ts";
import { tagsIn, wholeText, wordCount } from "./markdown.ts";
import { momentIn, relationNamed, typeNamed, typeOfText } from "./record.ts";

const OBSERVATION = /^\s{0,6}[-*+] \[([^\]\n[]{1,60})\] (\S.{0,20000})$/;
const RELATION = /^\s{0,6}[-*+] ([\p{L}\p{N}][\p{L}\p{N} _-]{0,60}?)\s+\[\[([^\]\n]{1,200})\]\]/u;
const WIKI_LINK = /\[\[([^\]\n|]{1,200})(?:\|[^\]\n]{0,200})?\]\]/g;
const TAG = /(?<=^|\s)#([\p{L}\p{N}_/-]{1,60})/gu;
const LEAST_WORDS = 3;
/** A shorter observation is told with the title of its note. */
const LEAST_WORDS_ALONE = 5;

interface Note {
  names: string[];
  memories: ForeignMemory[];
  relations: { to: string; relation: string }[];
}

export function readBasicMemory(files: readonly ForeignFile[]): ForeignReading {
  const notes = files.map(noteOf);
  const byName = new Map<string, string>();
  for (const { names, memories } of notes.toReversed()) {
    for (const name of names) if (memories[0]) byName.set(folded(name), memories[0].key);
  }
  const links = notes.flatMap(({ memories, relations }) => linksFrom(memories[0]?.key, relations, byName));
  const leftOut = notes
    .filter(({ memories }) => memories.length === 0)
    .map(({ names }) => ({ what: names[0]!, reason: "says nothing" }));
  return { memories: notes.flatMap(({ memories }) => memories), links, leftOut };
}

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

function noteOf({ name, text }: ForeignFile): Note {
  const { front, sections } = readMarkdown(text);
  const title = front.get("title") || name.replace(/^.*\//, "").replace(/\.md$/i, "");
  const date = { date: front.get("created") ?? front.get("created-at") ?? front.get("date") };
  const known = { background: null, files: [name], createdAt: momentIn(date, "date") };
  const told = { title, tags: tagsIn(front), ...known };
  const relations: Note["relations"] = [];
  const observations: ForeignMemory[] = [];
  const rest = sections.map((section) => {
    const kept = section.body.split("\n").filter((line) => {
      const relation = RELATION.exec(line);
      if (relation) relations.push({ to: relation[2]!, relation: relation[1]! });
      const observation = isTask(line) ? null : OBSERVATION.exec(line);
      if (observation) observations.push(observed(observation, `${name} ${observations.length + 1}`, told));
      return !relation && !observation;
    });
    return { ...section, heading: section.heading === title ? "" : section.heading, body: kept.join("\n").trim() };
  });
  const prose = wholeText(rest).trim();
  relations.push(...[...prose.matchAll(WIKI_LINK)].map(([, to = ""]) => ({ to, relation: "links to" })));
  const type = typeNamed(front.get("type") ?? null);
  const isNote = front.get("type") === undefined || front.get("type") === "note";
  const own: ForeignMemory[] =
    wordCount(prose) < LEAST_WORDS
      ? []
      : [{ key: name, type: (isNote ? null : type) ?? typeOfText(prose, "documentation"), content: prose, ...told }];
  const names = [title, front.get("permalink") ?? title, name.replace(/^.*\//, "").replace(/\.md$/i, "")];
  return { names, memories: [...own, ...observations], relations };
}

/** The mark of a task is no category. */
const isTask = (line: string): boolean => /^\s*[-*+] \[[ xX-]\] /.test(line);

/** The context in parentheses at the end stays: it is part of what was said. */
function observed(
  [, category = "", said = ""]: RegExpExecArray,
  key: string,
  told: Pick<ForeignMemory, "title" | "tags" | "background" | "files" | "createdAt">,
): ForeignMemory {
  const tags = [...said.matchAll(TAG)].map(([, tag = ""]) => tag);
  const content = said.replace(/(?:\s+#[\p{L}\p{N}_/-]{1,60})+(?=\s*(?:\([^()]{0,300}\))?\s*$)/u, "").trim();
  const type = typeNamed(category) ?? typeOfText(plainText(content), "observation");
  const isShort = wordCount(content) < LEAST_WORDS_ALONE;
  return {
    ...told,
    key,
    type,
    content: isShort ? `${told.title}: ${content}` : content,
    tags: [...new Set([...told.tags, ...tags, category])],
  };
}

/** A note may be named by its title, its permalink or its file. */
function linksFrom(
  from: string | undefined,
  relations: Note["relations"],
  byName: ReadonlyMap<string, string>,
): ForeignLink[] {
  return relations.flatMap(({ to, relation }) => {
    const target = byName.get(folded(to));
    if (from === undefined || target === undefined || target === from) return [];
    return [{ source: from, target, relation: relationNamed(relation), strength: 1 }];
  });
}
