/**
 * Searches code by its text, by the names it defines, by its meaning, or by all of them.
 *
 * If the query is a name, definitions of that name come first. The index is brought up to date before.
 */
import { cut } from "../../model/text/cut.ts";
import { LINES_SHOWN, mergeSymbols } from "../../logic/corpus/merge-symbols.ts";
import { LEAST_EXACT, askedName, rankSymbols, symbolRelevance } from "../../logic/corpus/rank-symbols.ts";
import { summaryOf } from "../../logic/text/summary.ts";
import type { SymbolKind } from "../../model/corpus/corpus.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Filter, FoundSymbol, SymbolQuery } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { freshen } from "./freshen.ts";
import { namedHits } from "../recall/explain.ts";
import type { HistoryWorld } from "../recall/history.ts";
import { noteAccess } from "../recall/note-access.ts";
import { joinReasons, recall } from "../recall/recall.ts";
import type { RecallAnswer } from "../recall/request.ts";
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

/** An identifier, possibly qualified. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.:#-]*$/u;
const OFF = "code is not indexed: the setting index.code is off";
const CANDIDATES = 200;
/** A qualified name needs more candidates, because the qualifier is compared only after reading. */
const CANDIDATES_ELSEWHERE = 2_000;

export async function searchCode(request: CodeSearch, world: World): Promise<CodeAnswer> {
  const mode = request.isPattern ? "text" : request.mode;
  if (world.settings.index.code === "off") return { mode, degraded: OFF, hits: [] };
  const behind = await freshen(world);
  const answer = await answerFor(request, world);
  noteAccess(answer.hits, request.query, world);
  return { ...answer, degraded: joinReasons([behind, answer.degraded], world) };
}

async function answerFor(request: CodeSearch, world: World): Promise<CodeAnswer> {
  const { query, mode, limit } = request;
  if (request.isPattern) return { mode: "text", ...(await searchPattern(request, filterOf(request), world)) };
  if (mode === "symbol") return { mode, degraded: null, hits: await symbolHits(request, world) };
  const found = await recalled(request, mode === "text" ? "keyword" : mode, world);
  const usedMode = found.mode === "keyword" ? "text" : found.mode;
  if (mode !== "hybrid" || !NAME.test(query.trim())) return { ...found, mode: usedMode };
  return { ...found, mode: usedMode, hits: mergeSymbols(await symbolHits(request, world), found.hits, limit) };
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

/** Exact names first, then names with this prefix, then similar names. */
async function symbolHits(request: CodeSearch, world: HistoryWorld): Promise<Hit[]> {
  const { name, places } = askedName(request.query);
  const query: Omit<SymbolQuery, "how"> = {
    name,
    ...(request.kinds?.length && { kinds: request.kinds }),
    ...(request.languages?.length && { languages: request.languages }),
    ...(request.pathPrefix && { pathPrefix: request.pathPrefix }),
  };
  const count = places.length > 0 ? CANDIDATES_ELSEWHERE : CANDIDATES;
  const found = new Map<string, FoundSymbol>();
  let ranked: { symbol: FoundSymbol; score: number }[] = [];
  for (const how of ["exact", "prefix", "similar"] as const) {
    for (const symbol of await world.project.symbols({ ...query, how }, count))
      found.set(`${symbol.itemId}:${symbol.startLine}:${symbol.name}`, symbol);
    const symbols = [...found.values()];
    ranked = rankSymbols(request.query, symbols).map(({ index, score }) => ({ symbol: symbols[index]!, score }));
    if (ranked.filter(({ score }) => score >= LEAST_EXACT).length >= request.limit) break;
  }
  const relevant = ranked.filter(({ score }) => symbolRelevance(score) >= request.threshold);
  return hitsOf(relevant.slice(0, request.limit), world);
}

/** Keeps the order, best first. */
async function hitsOf(ranked: readonly { symbol: FoundSymbol; score: number }[], world: HistoryWorld): Promise<Hit[]> {
  const ids = [...new Set(ranked.map(({ symbol }) => symbol.itemId))];
  const items = new Map((await world.project.items("code", ids)).map((item) => [item.id, item]));
  const shown = ranked.filter(({ symbol }) => items.has(symbol.itemId));
  const hits = await namedHits(
    shown.map(({ symbol }) => items.get(symbol.itemId)!),
    { store: world.project, shelf: "code" },
    world,
    { entity: 1 },
  );
  return hits.map((hit, index) => {
    const { symbol, score } = shown[index]!;
    const { startLine, endLine, signature, doc, container, name } = symbol;
    return {
      ...hit,
      ...{ score: round(score / shown[0]!.score), relevance: round(symbolRelevance(score)), startLine, endLine },
      symbol: container ? `${container}.${name}` : name,
      content: linesOf(items.get(hit.id)!.content, startLine, endLine),
      summary: summaryOf(doc ? `${signature}: ${doc.replace(/\s+/g, " ")}` : signature),
    };
  });
}

const round = (share: number) => Math.round(share * 10_000) / 10_000;

/** A limit beside the number of lines, because a line may have any length. */
const CHARACTERS_SHOWN = 4_000;

function linesOf(content: string, startLine: number, endLine: number): string {
  const text = content
    .split("\n")
    .slice(startLine - 1, Math.min(endLine, startLine - 1 + LINES_SHOWN))
    .join("\n");
  return cut(text, CHARACTERS_SHOWN);
}
