/**
 * Grammars: loaded and compiled when the first file needs them, once per thread.
 *
 * Parsing and querying are limited in time. A tree is freed before its definitions are returned, because nothing else
 * releases its memory.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language, Parser, Query, QueryMatch } from "web-tree-sitter";
import { SYMBOL_KINDS } from "../corpus.ts";
import type { ParsedLanguage } from "../languages.ts";
import type { Capture, Match } from "./code.ts";
import { QUERIES, VALUES } from "./queries.ts";

/** Query matches as plain values: nodes do not outlive their tree. */
const WHOLE: ReadonlySet<string> = new Set([...SYMBOL_KINDS, "declaration", "member"]);
const JOINTS: Record<string, "." | "::"> = {
  member_expression: ".",
  qualified_identifier: "::",
  scope_resolution: "::",
};

function readMatch({ captures }: QueryMatch): Match | null {
  const at = new Map(captures.map(({ name, node }) => [name, node]));
  const kind = captures.find(({ name }) => WHOLE.has(name)) ?? captures.find(({ name }) => name === "scope");
  const name = at.get("name");
  if (!kind || !name) return null;
  const { node } = kind;
  const scope = kind.name === "scope" ? undefined : at.get("scope");
  const body = at.get("body") ?? node.childForFieldName("body");
  const last = node.endPosition;
  return {
    capture: kind.name as Capture,
    start: node.startIndex,
    end: node.endIndex,
    startLine: node.startPosition.row + 1,
    // Some definitions end after their line break.
    endLine: Math.max(node.startPosition.row, last.column === 0 ? last.row - 1 : last.row) + 1,
    nameStart: name.startIndex,
    nameEnd: name.endIndex,
    joint: JOINTS[name.type] ?? null,
    bodyStart: body?.startIndex ?? null,
    scope: scope ? [scope.startIndex, scope.endIndex] : null,
  };
}

export interface Grammars {
  /** The grammar's matches, or a fault if it took too long or failed. */
  matches(text: string, language: ParsedLanguage, limitMs: number): Promise<Match[] | Fault>;
}

interface Fault {
  fault: string;
  /** The library's memory can no longer be trusted. */
  isBroken: boolean;
}

interface Compiled {
  language: Language;
  queries: { query: Query; maxStartDepth: number }[];
}

type Library = typeof import("web-tree-sitter");

/** Hardly anything is defined deeper, and a third of most trees is below this depth. */
const DEEPEST_DEFINITION = 12;
const GRAMMAR_OF: Partial<Record<ParsedLanguage, string>> = { c: "cpp", csharp: "c-sharp" };

export function createGrammars(): Grammars {
  let library: Promise<{ module: Library; parser: Parser }> | undefined;
  const compiled = new Map<string, Promise<Compiled>>();

  function compile(module: Library, language: ParsedLanguage): Promise<Compiled> {
    const name = GRAMMAR_OF[language] ?? language;
    const known = compiled.get(name);
    if (known) return known;
    const made = load(module, name, language);
    compiled.set(name, made);
    return made;
  }

  return {
    async matches(text, language, limitMs) {
      try {
        library ??= start();
        const { module, parser } = await library;
        const grammar = await compile(module, language);
        return matchesIn(text, { parser, ...grammar }, limitMs);
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        return { fault: `The grammar of ${language} failed: ${reason.slice(0, 200)}`, isBroken: true };
      }
    },
  };
}

async function start(): Promise<{ module: Library; parser: Parser }> {
  const module = await import("web-tree-sitter");
  await module.Parser.init();
  return { module, parser: new module.Parser() };
}

async function load({ Language, Query }: Library, name: string, language: ParsedLanguage): Promise<Compiled> {
  const folder = dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/package.json"));
  const grammar = await Language.load(join(folder, "wasm", `tree-sitter-${name}.wasm`));
  const values = VALUES[language];
  const queries = [{ query: new Query(grammar, QUERIES[language]), maxStartDepth: DEEPEST_DEFINITION }];
  if (values) queries.push({ query: new Query(grammar, values.query), maxStartDepth: values.depth });
  return { language: grammar, queries };
}

/**
 * Whether the thread has used more CPU time than this. On a busy machine the wall clock would blame the text; but wall
 * time is cheap to read and never less than CPU time, so it is checked first.
 */
function alarm(limitMs: number): () => boolean {
  const begun = workedMs();
  let notBefore = performance.now() + limitMs;
  return () => {
    const now = performance.now();
    if (now < notBefore) return false;
    const left = limitMs - (workedMs() - begun);
    notBefore = now + left;
    return left <= 0;
  };
}

/** Node 22 cannot measure the CPU time of one thread. */
function workedMs(): number {
  if (!process.threadCpuUsage) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The library stops when its callback returns true, which its types do not say. */
type Progress = { progressCallback: () => boolean };

function matchesIn(text: string, grammar: Compiled & { parser: Parser }, limitMs: number): Match[] | Fault {
  const { parser, language, queries } = grammar;
  let isLate = false;
  const isOver = alarm(limitMs);
  const progress: Progress = { progressCallback: () => (isLate ||= isOver()) };
  parser.setLanguage(language);
  const tree = parser.parse(text, null, progress);
  try {
    const found = queries.flatMap(({ query, maxStartDepth }) =>
      tree && !isLate ? query.matches(tree.rootNode, { ...progress, maxStartDepth }).map(readMatch) : [],
    );
    if (!isLate) return found.filter((match) => match !== null);
    return { fault: `It took longer than ${limitMs} ms to parse.`, isBroken: false };
  } finally {
    tree?.delete();
    // An unfinished parse would be continued with the next text.
    if (isLate) parser.reset();
  }
}
