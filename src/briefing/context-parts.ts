/**
 * The patterns of a context window: what somebody stated, then what was counted in the code, then what was only captured;
 * of each, those of the language of the work first.
 */
import type { ConventionCounts, ExportCount, NameStyle, StyleCount } from "../files/corpus.ts";
import { languageOf, mainLanguage } from "../files/languages.ts";
import type { Edge } from "../graph/edges.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { handleOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { sayDifferentThings } from "../memory/meaning.ts";
import { marked, titledLine, windowLine } from "./lines.ts";
import { type Pattern, type Suggestion, SUGGESTION_KINDS } from "./window.ts";

const PATTERN_CHARACTERS = 200;

type Stating = Pick<Item, "id" | "content" | "title" | "source" | "createdAt" | "priority" | "confidence" | "context">;

/** The language of the work: of the latest working memory that has one or names files, else of most of the code. */
export function workLanguage(working: readonly Pick<Item, "context">[], codePaths: readonly string[]): string | null {
  for (const { context } of working) {
    const language = context.language ?? mainLanguage(context.files);
    if (language !== null) return language;
  }
  return mainLanguage(codePaths);
}

export function rankPatterns(
  stated: readonly Stating[],
  counted: readonly Pattern[],
  { language, limit }: { language: string | null; limit: number },
): Pattern[] {
  const worth = ({ priority, confidence }: Stating) => priority * confidence;
  const fromMemories = stated.toSorted((one, two) => worth(two) - worth(one) || two.createdAt - one.createdAt);
  const nearness = (pattern: Pattern) => (pattern.language === language ? 0 : pattern.language === null ? 1 : 2);
  const nearestFirst = (own: readonly Pattern[]) => own.toSorted((one, two) => nearness(one) - nearness(two));
  const isCaptured = ({ source }: Stating) => source === "extraction";
  return [
    ...nearestFirst(fromMemories.filter((one) => !isCaptured(one)).map(patternOf)),
    ...nearestFirst(counted),
    ...nearestFirst(fromMemories.filter(isCaptured).map(patternOf)),
  ].slice(0, limit);
}

function patternOf({ id, title, content, source, createdAt, context }: Stating): Pattern {
  const text = marked(titledLine({ title, content }, PATTERN_CHARACTERS), source);
  const language = context.language ?? mainLanguage(context.files);
  return {
    source: "memory",
    text,
    language,
    id,
    handle: handleOf(id),
    createdAt: new Date(createdAt).toISOString(),
    files: null,
    example: null,
  };
}

/**
 * Conventions that can be counted in the index: how files, tests and definitions are named, and how modules export.
 *
 * A convention is what at least three files do and nine in ten of those that could. Names that fit several styles, such
 * as single words, count for none. What the index does not store, such as imports, is not guessed.
 */
const FILES_LEAST = 3;
const SHARE_LEAST = 0.9;

/** So many, one in so many. */
interface Tally {
  language: string | null;
  files: number;
  of: number;
  example: string;
}

/** The most telling first. */
export function countedConventions({ paths, styles, exports }: ConventionCounts): Pattern[] {
  const byLanguage = [...Map.groupBy(paths, (path) => languageOf(path))].sort(
    (one, two) => two[1].length - one[1].length,
  );
  const inEach = (read: (language: string, files: readonly string[]) => Pattern[]) =>
    byLanguage.flatMap(([language, files]) => (language === null ? [] : read(language, files)));
  return [...inEach(testNames), ...inEach(fileNames), ...exportStyles(exports), ...definitionNames(styles)];
}

/** File names are written by anyone. */
const LINE_CHARACTERS = 200;

const pattern = (text: string, { language, files, example }: Omit<Tally, "of">): Pattern => ({
  source: "code",
  text: windowLine(text, LINE_CHARACTERS),
  language,
  id: null,
  handle: null,
  createdAt: null,
  files,
  example: windowLine(example, LINE_CHARACTERS),
});

const isConvention = ({ files, of }: Pick<Tally, "files" | "of">): boolean =>
  files >= FILES_LEAST && files >= of * SHARE_LEAST;

/** The most frequent key, of how many, and the first that has it. */
function mostOf(keyed: readonly { key: string; path: string }[]): { key: string; files: number; path: string } | null {
  const groups = [...Map.groupBy(keyed, ({ key }) => key)].sort((one, two) => two[1].length - one[1].length);
  const [first] = groups;
  return first ? { key: first[0], files: first[1].length, path: first[1][0]!.path } : null;
}

const TEST_NAMES: readonly [RegExp, (ending: string) => string][] = [
  [/\.test\.[^.]+$/i, (ending) => `*.test.${ending}`],
  [/\.spec\.[^.]+$/i, (ending) => `*.spec.${ending}`],
  [/._test\.[^.]+$/, (ending) => `*_test.${ending}`],
  [/._spec\.[^.]+$/, (ending) => `*_spec.${ending}`],
  [/^test_[^.]*\.[^.]+$/, (ending) => `test_*.${ending}`],
  [/[a-z\d]Tests?\.[^.]+$/, (ending) => `*Test.${ending}`],
];

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const endingOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

function testNameOf(path: string): string | null {
  const name = nameIn(path);
  return TEST_NAMES.find(([form]) => form.test(name))?.[1](endingOf(name)) ?? null;
}

function testNames(language: string, paths: readonly string[]): Pattern[] {
  const tests = paths.flatMap((path) => {
    const key = testNameOf(path);
    return key === null ? [] : [{ key, path }];
  });
  const most = mostOf(tests);
  if (!most || !isConvention({ files: most.files, of: tests.length })) return [];
  const homes = tests
    .filter(({ path }) => path.includes("/"))
    .map(({ path }) => ({ key: path.split("/", 1)[0]!, path }));
  const home = mostOf(homes);
  const where = home && isConvention({ files: home.files, of: tests.length }) ? ` in ${home.key}/` : "";
  const text = `Tests are named ${most.key}${where} (${shareOf(most.files, tests.length, "file")})`;
  return [pattern(text, { language, files: most.files, example: `${most.path}:1` })];
}

/** By the name up to its first dot. */
export function nameStyleOf(name: string): NameStyle {
  if (/^[a-z][a-z\d]*$/.test(name)) return "plain";
  if (/^[a-z][a-z\d]*(-[a-z\d]+)+$/.test(name)) return "kebab-case";
  if (/^[a-z][a-z\d]*(_[a-z\d]+)+$/.test(name)) return "snake_case";
  if (/^[a-z][a-zA-Z\d]*$/.test(name)) return "camelCase";
  if (/^[A-Z][A-Z\d_]+$/.test(name)) return "UPPER_CASE";
  if (/^[A-Z][a-zA-Z\d]*$/.test(name)) return "PascalCase";
  return "other";
}

function fileNames(language: string, paths: readonly string[]): Pattern[] {
  const styled = paths.flatMap((path) => {
    const key = nameStyleOf(nameIn(path).replace(/\..*$/, ""));
    return key === "plain" || key === "other" ? [] : [{ key, path }];
  });
  const most = mostOf(styled);
  if (!most || !isConvention({ files: most.files, of: styled.length })) return [];
  const text = `${titleOf(language)} files are named in ${most.key} (${shareOf(most.files, styled.length, "file")})`;
  return [pattern(text, { language, files: most.files, example: `${most.path}:1` })];
}

/** Names in capitals are constants of their own kind, so they do not count among other constants. */
function definitionNames(styles: readonly StyleCount[]): Pattern[] {
  const told = styles.filter(({ style, language }) => language !== null && style !== "plain" && style !== "other");
  const groups = Map.groupBy(told, ({ language, named }) => `${language} ${named}`);
  return [...groups.values()].flatMap((group) => {
    const most = group.reduce((best, count) => (count.names > best.names ? count : best));
    const all = group.reduce((sum, { names }) => sum + names, 0);
    if (most.files < FILES_LEAST || most.names < all * SHARE_LEAST) return [];
    const { language, named, style, files, path, line } = most;
    const text = `${titleOf(language!)} ${named} are named in ${style} (${shareOf(most.names, all, "name")})`;
    return [pattern(text, { language, files, example: `${path}:${line}` })];
  });
}

function exportStyles(exports: readonly ExportCount[]): Pattern[] {
  const groups = Map.groupBy(exports, ({ language }) => language);
  return [...groups].flatMap(([language, counts]) => {
    const most = counts.reduce((best, count) => (count.files > best.files ? count : best));
    const of = counts.reduce((sum, { files }) => sum + files, 0);
    if (language === null || !isConvention({ files: most.files, of })) return [];
    const how = most.isDefault ? "by default" : "by name, not by default";
    const text = `${titleOf(language)} modules export ${how} (${shareOf(most.files, of, "file")})`;
    return [pattern(text, { language, files: most.files, example: `${most.path}:${most.line}` })];
  });
}

const shareOf = (some: number, all: number, noun: string): string =>
  some === all ? `all ${all} ${noun}s` : `${some} of ${all} ${noun}s`;

const TITLES: Record<string, string> = { csharp: "C#", cpp: "C++", javascript: "JavaScript", typescript: "TypeScript" };
const titleOf = (language: string): string => TITLES[language] ?? language.charAt(0).toUpperCase() + language.slice(1);

/** What could be done about the memory of a project now: concrete, each with what it is about and a command. */
const TEXT_CHARACTERS = 100;

export interface SuggestionGrounds {
  /** Newest first. */
  proposals: readonly { id: string; subject: string; decision: string }[];
  /** Memories whose files changed since, and how. */
  stale: readonly { id: string; reason: string }[];
  /** Hits that oppose a decision in force. */
  opposed: readonly { id: string; decision: string; why: string }[];
  /** Edges of the memories that are shown: what contradicts them, stated or suggested, and what is nearly the same. */
  contradicting: readonly Edge[];
  alike: readonly Edge[];
  /** What is near each other and not settled, the newer first, and whether they surely contradict each other. */
  near: readonly { newer: string; older: string; contradicts: boolean }[];
  /** Their ends. */
  memories: ReadonlyMap<string, Pick<Item, "createdAt" | "title" | "content">>;
  isIndexed: boolean;
}

/** One of each kind in turn, so that many proposals leave room for the rest. */
export function suggestionsFor(grounds: SuggestionGrounds, limit: number): Suggestion[] {
  const all: Record<Suggestion["kind"], Suggestion[]> = {
    ratify: grounds.proposals.map(ratifying),
    stale: grounds.stale.map(checking),
    contradiction: [...grounds.opposed.map(opposing), ...contradicting(grounds)],
    repeat: [...grounds.near.map(settling), ...repeating(grounds)],
    index: grounds.isIndexed ? [] : [INDEXING],
  };
  const inTurn: Suggestion[] = [];
  for (let turn = 0; SUGGESTION_KINDS.some((kind) => turn < all[kind].length); turn += 1)
    for (const kind of SUGGESTION_KINDS) if (turn < all[kind].length) inTurn.push(all[kind][turn]!);
  return inTurn.slice(0, limit);
}

const ratifying = ({ id, subject, decision }: SuggestionGrounds["proposals"][number]): Suggestion => ({
  kind: "ratify",
  text: `A person may ratify or reject "${titledLine({ title: subject, content: decision }, TEXT_CHARACTERS)}"`,
  handles: [handleOf(id)],
  command: `stele ratify ${handleOf(id)}`,
});

const checking = ({ id, reason }: SuggestionGrounds["stale"][number]): Suggestion => ({
  kind: "stale",
  text: `Check ${handleOf(id)}, because ${windowLine(reason, TEXT_CHARACTERS)}`,
  handles: [handleOf(id)],
  command: `stele get ${handleOf(id)}`,
});

const opposing = ({ id, decision, why }: SuggestionGrounds["opposed"][number]): Suggestion => ({
  kind: "contradiction",
  text: `${handleOf(id)} contradicts decision ${handleOf(decision)} (${windowLine(why, TEXT_CHARACTERS)}); if the decision stands`,
  handles: [handleOf(id), handleOf(decision)],
  command: `stele forget ${handleOf(id)}`,
});

/** The older of the two first. */
function agesOf({ source, target }: Edge, { memories }: SuggestionGrounds): [older: string, newer: string] {
  const isSourceOlder = (memories.get(source)?.createdAt ?? 0) < (memories.get(target)?.createdAt ?? 0);
  const [older, newer] = isSourceOlder ? [source, target] : [target, source];
  return [handleOf(older), handleOf(newer)];
}

function contradicting(grounds: SuggestionGrounds): Suggestion[] {
  return grounds.contradicting.map((edge) => {
    const [older, newer] = agesOf(edge, grounds);
    const text = `${newer} contradicts ${older}; if the newer one holds`;
    return {
      kind: "contradiction",
      text,
      handles: [newer, older],
      command: `stele settle ${newer} ${older} --as replaces`,
    };
  });
}

const settling = ({ newer, older, contradicts }: SuggestionGrounds["near"][number]): Suggestion => {
  const [one, two] = [handleOf(newer), handleOf(older)];
  const text = contradicts
    ? `${one} contradicts ${two}; if the newer one holds`
    : `${one} is about the same as ${two}; if it replaces that`;
  return {
    kind: contradicts ? "contradiction" : "repeat",
    text,
    handles: [one, two],
    command: `stele settle ${one} ${two} --as replaces`,
  };
};

/** Not two that say different things: sharing most of their words, they would be merged into one of them. */
function repeating(grounds: SuggestionGrounds): Suggestion[] {
  const { contradicting: stated, memories } = grounds;
  const said = (id: string) => memories.get(id) ?? { title: null, content: "" };
  const areOpposed = ({ source, target }: Edge) =>
    stated.some((edge) => [edge.source, edge.target].every((end) => end === source || end === target)) ||
    sayDifferentThings(said(source), said(target));
  const isNear = ({ source, target }: Edge) =>
    grounds.near.some(({ newer, older }) => [newer, older].includes(source) && [newer, older].includes(target));
  return grounds.alike
    .filter((edge) => maySayTheSame(edge.strength) && !areOpposed(edge) && !isNear(edge))
    .map((edge) => {
      const [older, newer] = agesOf(edge, grounds);
      const text = `${newer} and ${older} nearly repeat each other`;
      return { kind: "repeat", text, handles: [newer, older], command: `stele merge ${newer} ${older}` };
    });
}

const INDEXING: Suggestion = {
  kind: "index",
  text: "The files of this project are not indexed yet",
  handles: [],
  command: "stele index",
};
