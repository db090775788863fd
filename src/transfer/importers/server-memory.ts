/**
 * The knowledge graph of the MCP reference server: a JSON object a line, an entity or a relation.
 *
 * An entity becomes one memory with its observations and relations as lines, because an observation alone often does
 * not say what it is about. A large one is divided.
 */
import type { ForeignLink, ForeignMemory, ForeignRecord, LeftOut, Reading } from "./foreign-memory.ts";
import { wordCount } from "./markdown.ts";
import { isRecord, parsedJson, relationNamed, textIn, textsIn, typeNamed, typeOfText } from "./record.ts";

/** An entity with more text is divided between observations. */
const ENTITY_CHARACTERS = 1_500;
const LEAST_WORDS_ALONE = 8;

export function readServerMemory(text: string): Reading {
  const records: ForeignRecord[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const record = parsedJson(line);
    if (!isRecord(record)) return { fault: `line ${index + 1} is not a JSON object` };
    records.push(record);
  }
  const ofType = (type: string) => records.filter((record) => textIn(record, "type") === type);
  const [entities, relations] = [ofType("entity"), ofType("relation")];
  if (entities.length === 0) return { fault: "it has no line of the type entity" };
  const leftOut: LeftOut[] = records
    .filter((record) => !["entity", "relation"].includes(textIn(record, "type") ?? ""))
    .map(() => ({ what: "a line", reason: "is neither an entity nor a relation" }));
  const triples = relations.flatMap(tripleOf);
  const memories = entities.flatMap((entity) => memoriesOf(entity, triples, leftOut));
  return { memories, links: linksOf(triples, memories), leftOut };
}

interface Triple {
  from: string;
  to: string;
  relation: string;
}

function tripleOf(record: ForeignRecord): Triple[] {
  const [from, to, relation] = [textIn(record, "from"), textIn(record, "to"), textIn(record, "relationType")];
  return from && to && relation ? [{ from, to, relation }] : [];
}

function memoriesOf(entity: ForeignRecord, triples: readonly Triple[], leftOut: LeftOut[]): ForeignMemory[] {
  const name = textIn(entity, "name");
  const kind = textIn(entity, "entityType");
  const relations = triples.filter(({ from }) => from === name);
  const lines = [...textsOf(entity), ...relations.map(({ relation, to }) => `${inWords(relation)} ${to}`)];
  if (name === null || lines.length === 0) {
    leftOut.push({ what: `entity ${name ?? "without a name"}`, reason: "says nothing" });
    return [];
  }
  return partsOf(lines).map((part, index) => ({
    key: index === 0 ? name : `${name} (${index + 1})`,
    type: typeNamed(kind) ?? typeOfText(part[0]!),
    title: name,
    content: withName(name, part.join("\n")),
    background: kind === null ? null : `${name} is of the type ${kind}.`,
    tags: kind === null ? [] : [kind],
    files: [],
    createdAt: null,
  }));
}

/** A few words alone say nothing, and those of two entities may be the same. */
const withName = (name: string, text: string): string =>
  wordCount(text) < LEAST_WORDS_ALONE ? `${name}: ${text}` : text;

/** Unlike other lists, observations may contain commas. */
const textsOf = (entity: ForeignRecord): string[] =>
  Array.isArray(entity["observations"]) ? textsIn(entity, "observations") : [];

function partsOf(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let characters = 0;
  for (const line of lines) {
    if (characters > 0 && characters + line.length > ENTITY_CHARACTERS) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)!.push(line);
    characters += line.length;
  }
  return parts;
}

const inWords = (relation: string): string => relation.replaceAll("_", " ");

function linksOf(triples: readonly Triple[], memories: readonly ForeignMemory[]): ForeignLink[] {
  const keys = new Set(memories.map(({ key }) => key));
  return triples
    .filter(({ from, to }) => keys.has(from) && keys.has(to))
    .map(({ from, to, relation }) => ({ source: from, target: to, relation: relationNamed(relation), strength: 1 }));
}
