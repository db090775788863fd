/**
 * Conventions that can be counted in the index: how files, tests and definitions are named, and how modules export.
 *
 * A convention is what at least three files do and nine in ten of those that could. Names that fit several styles, such
 * as single words, count for none. What the index does not store, such as imports, is not guessed.
 */
import type { Pattern } from "../../model/context/context-window.ts";
import type { ConventionCounts, ExportCount, NameStyle, StyleCount } from "../../model/corpus/convention.ts";
import { languageOf } from "../corpus/languages.ts";
import { windowLine } from "./lines/window-line.ts";

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
  ...{ source: "code", text: windowLine(text, LINE_CHARACTERS), language, id: null, handle: null, createdAt: null },
  ...{ files, example: windowLine(example, LINE_CHARACTERS) },
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
