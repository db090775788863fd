/**
 * Searching code: by its text, by the names it defines, by what it means, or by all of them.
 *
 * A question that is a name is first answered by what has that name. The index is brought up to date within bounds.
 */
import { rankNames } from "../logic/fuzzy-name.ts";
import type { SymbolKind } from "../model/corpus.ts";
import type { Hit } from "../model/hit.ts";
import type { Filter, FoundSymbol, SymbolQuery, World } from "../ports.ts";
import { freshen } from "./freshen.ts";
import { namedHits } from "./hits.ts";
import { noteAccess } from "./note-access.ts";
import { placesFor } from "./gather.ts";
import { type RecallAnswer, recall } from "./recall.ts";
import { searchPattern } from "./search-pattern.ts";

export const CODE_MODES = ["hybrid", "text", "symbol", "semantic"] as const;
export type CodeMode = (typeof CODE_MODES)[number];

export interface CodeSearch {
  query: string;
  mode: CodeMode;
  limit: number;
  threshold: number;
  languages?: readonly string[] | undefined;
  pathPrefix?: string | undefined;
  kinds?: readonly SymbolKind[] | undefined;
  isPattern: boolean;
}

export interface CodeAnswer extends Omit<RecallAnswer, "mode"> {
  mode: CodeMode;
}

/** What could be a name in a program. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.:#-]*$/u;
const CANDIDATES = 200;
/** A name that is less like what was asked is only one of many that share some letters. */
const LEAST_LIKENESS = 0.5;

export async function searchCode(request: CodeSearch, world: World): Promise<CodeAnswer> {
  const behind = await freshen(world);
  const answer = await answerFor(request, world);
  noteAccess(answer.hits, request.query, world);
  return { ...answer, degraded: [behind, answer.degraded].filter(Boolean).join("; ") || null };
}

async function answerFor(request: CodeSearch, world: World): Promise<CodeAnswer> {
  const { query, mode, limit } = request;
  if (request.isPattern) return { mode: "text", ...(await searchPattern(request, filterOf(request), world)) };
  if (mode === "symbol") return { mode, degraded: null, hits: await symbolHits(request, LEAST_LIKENESS, world) };
  if (mode !== "hybrid") {
    const found = await recalled(request, mode === "text" ? "keyword" : "semantic", world);
    return { ...found, mode: found.mode === "keyword" ? "text" : "semantic" };
  }
  const named = NAME.test(query.trim()) ? await symbolHits(request, LEAST_LIKENESS, world) : [];
  const found = await recalled(request, "hybrid", world);
  const isNamed = new Set(named.map(({ path, startLine }) => `${path}:${startLine}`));
  const rest = found.hits.filter(({ path, startLine }) => !isNamed.has(`${path}:${startLine}`));
  return { ...found, mode, hits: [...named, ...rest].slice(0, limit) };
}

function recalled(request: CodeSearch, mode: "hybrid" | "keyword" | "semantic", world: World): Promise<RecallAnswer> {
  const { query, limit, threshold } = request;
  const shelves = ["code"] as const;
  return recall(
    { query, limit, threshold, mode, shelves, filter: filterOf(request), isQuoted: true, isRouted: true, quiet: true },
    world,
  );
}

function filterOf({ languages, pathPrefix }: CodeSearch): Partial<Filter> {
  return {
    scopes: ["project"],
    ...(languages?.length && { languages }),
    ...(pathPrefix && { pathPrefix }),
  };
}

/** The very name, then names that begin with it, then names like it. */
async function symbolHits(request: CodeSearch, least: number, world: World): Promise<Hit[]> {
  const name = request.query.trim();
  const query: Omit<SymbolQuery, "how"> = {
    // What stands before a dot says where; the name is what stands behind it.
    name: name.split(/[.#]|::/).at(-1) || name,
    ...(request.kinds?.length && { kinds: request.kinds }),
    ...(request.languages?.length && { languages: request.languages }),
    ...(request.pathPrefix && { pathPrefix: request.pathPrefix }),
  };
  const found: FoundSymbol[] = [];
  for (const how of ["exact", "prefix", "similar"] as const) {
    if (found.length >= request.limit) break;
    found.push(...(await world.project.symbols({ ...query, how }, CANDIDATES)));
  }
  const once = [
    ...new Map(found.map((symbol) => [`${symbol.itemId}:${symbol.startLine}:${symbol.name}`, symbol])).values(),
  ];
  const ranked = rankNames(
    query.name,
    once.map((symbol) => symbol.name),
    request.limit,
  ).filter(({ score }) => score >= least);
  return hitsOf(
    ranked.map(({ index, score }) => ({ symbol: once[index]!, score })),
    world,
  );
}

async function hitsOf(ranked: readonly { symbol: FoundSymbol; score: number }[], world: World): Promise<Hit[]> {
  const [place] = placesFor(["code"], { scopes: ["project"] }, world);
  const ids = [...new Set(ranked.map(({ symbol }) => symbol.itemId))];
  const items = new Map((await world.project.items("code", ids)).map((item) => [item.id, item]));
  const shown = ranked.filter(({ symbol }) => items.has(symbol.itemId));
  const hits = await namedHits(
    shown.map(({ symbol }) => items.get(symbol.itemId)!),
    place!,
    world,
    { entity: 1 },
  );
  return hits.map((hit, index) => {
    const { symbol, score } = shown[index]!;
    const { startLine, endLine, signature, doc, container, name } = symbol;
    return {
      ...hit,
      ...{ score, relevance: score, startLine, endLine },
      symbol: container ? `${container}.${name}` : name,
      content: linesOf(items.get(hit.id)!.content, startLine, endLine),
      summary: doc ? `${signature}: ${doc}`.slice(0, 200) : signature,
    };
  });
}

const LINES_SHOWN = 60;

function linesOf(content: string, startLine: number, endLine: number): string {
  return content
    .split("\n")
    .slice(startLine - 1, Math.min(endLine, startLine - 1 + LINES_SHOWN))
    .join("\n");
}
