/**
 * Searches code by its text, by the names it defines, by its meaning, or by all of them.
 *
 * If the query is a name, definitions of that name come first. The index is brought up to date before.
 */
import type { HistoryWorld } from "../recall/build-hit.ts";
import { namedHits } from "../recall/explain.ts";
import type { Hit } from "../recall/hit.ts";
import type { RecallAnswer } from "../recall/places.ts";
import { joinReasons, noteAccess, recall } from "../recall/recall.ts";
import { mergeHits } from "../recall/relevance.ts";
import type { Filter, FoundSymbol, SymbolQuery } from "../recall/search.ts";
import { type NameMatch, rankNames } from "../text/fuzzy-name.ts";
import { cut, summaryOf } from "../text/short-text.ts";
import type { World } from "../world.ts";
import type { CodeSymbol, FileState, SymbolKind } from "./corpus.ts";
import { freshen } from "./freshen.ts";

/**
 * Ranks definitions by a name as written in code: `countPups`, `SealColony.countPups`, `urllib.parse.quote`.
 *
 * The part before the last dot is the location: a class, a module or the file. A definition in another location merely
 * has the same name, so it never counts as an exact match.
 */
type NamedPlace = Pick<CodeSymbol, "name" | "container" | "startLine" | "endLine"> & { path: string | null };

/** From here on it is the same name, perhaps with other case or separators. */
export const LEAST_EXACT = 0.95;
/** From here on it is probably the intended name, misspelt or incomplete. */
const LEAST_CLOSE = 0.8;
/** A name below this only shares some letters with the query. */
export const LEAST_LIKENESS = 0.5;

/** How likely a definition is meant, on the scale of relevance: a name that is merely similar seldom is. */
export const symbolRelevance = (likeness: number): number =>
  likeness >= LEAST_CLOSE ? likeness : likeness ** 2 * MERELY_SIMILAR;

const MERELY_SIMILAR = 0.5;

/** Factor for a name in another location than the one asked for, and the bonus for similar locations. */
const ELSEWHERE = 0.6;
const ALIKE_PLACE = 0.3;
const BETWEEN = /[.#]|::/;
/** These mark a member but do not say of what. */
const ANY_PLACE: ReadonlySet<string> = new Set(["this", "self", "cls", "super", "prototype"]);

/** The requested name and the qualifiers before it, outermost first. */
export function askedName(query: string): { name: string; places: string[] } {
  const parts = query.trim().split(BETWEEN);
  const name = parts.pop();
  if (!name) return { name: query.trim(), places: [] };
  return { name, places: parts.filter((part) => part !== "" && !ANY_PLACE.has(part)) };
}

/**
 * Matching symbols, best first; among equals, top-level definitions before members and definitions with a body before
 * declarations.
 */
export function rankSymbols(query: string, symbols: readonly NamedPlace[]): NameMatch[] {
  const { name, places } = askedName(query);
  const names = symbols.map((symbol) => symbol.name);
  const isMember = ({ index }: NameMatch) => Number(symbols[index]!.container !== null);
  // A single line may be just a declaration of something defined elsewhere.
  const isDeclaration = ({ index }: NameMatch) => Number(symbols[index]!.startLine === symbols[index]!.endLine);
  return rankNames(name, names, symbols.length)
    .map(({ index, score }) => ({ index, score: score * placeFactor(places, symbols[index]!) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score || isMember(a) - isMember(b) || isDeclaration(a) - isDeclaration(b));
}

function placeFactor(places: readonly string[], { container, path }: NamedPlace): number {
  if (places.length === 0) return 1;
  const files = path?.replace(/\.[^./]*$/, "").split("/") ?? [];
  const classes = container?.split(".") ?? [];
  // The last qualifier is the class; for a top-level definition it is the file or the folder, which is a package in
  // some languages.
  const next = classes.length > 0 ? classes.slice(-1) : files.slice(-2);
  const around = [...files, ...classes];
  const likeness = places.map((place, index) => bestLikeness(place, index === places.length - 1 ? next : around));
  const mean = likeness.reduce((sum, one) => sum + one, 0) / places.length;
  return mean >= LEAST_EXACT ? mean : ELSEWHERE + ALIKE_PLACE * mean;
}

const bestLikeness = (place: string, around: readonly string[]): number => rankNames(place, around, 1)[0]?.score ?? 0;

// Merges definitions and recalled passages into one answer to a query that may be a name.
//
// Exact names lead, or close misspellings if there are none. Names that are merely similar are ranked among the
// passages by relevance and get at most half of the answer, or whatever room the passages leave.

/** A longer definition is shown only up to here. */
const LINES_SHOWN = 60;
/** A corrected misspelling is a guess: a few of them are enough. */
const CLOSE_SHOWN = 3;

/** The relevance of `symbols` is their similarity to the name; both lists come best first, with a top score of 1. */
export function mergeSymbols(symbols: readonly Hit[], recalled: readonly Hit[], limit: number): Hit[] {
  const half = Math.ceil(limit / 2);
  const leading = leadingOf(symbols, half);
  const others = amongPassages(
    symbols.slice(leading.length),
    recalled.filter((hit) => !leading.some((lead) => overlaps(lead, hit))),
    { most: half - leading.length, limit: limit - leading.length },
  );
  // Similarity and fused scores are on different scales. Each list descends from 1; the second continues from where the
  // first ends.
  const from = leading.at(-1)?.score ?? 1;
  return [...leading, ...others.map((hit) => ({ ...hit, score: rounded(hit.score * from) }))];
}

/** If a definition and a passage show the same lines, the more relevant one stays. */
function amongPassages(
  similar: readonly Hit[],
  passages: readonly Hit[],
  { most, limit }: { most: number; limit: number },
): Hit[] {
  const better = similar.filter(
    (hit) => !passages.some((passage) => passage.relevance >= hit.relevance && overlaps(hit, passage)),
  );
  const chosen = better.slice(0, most);
  const left = passages.filter((passage) => !chosen.some((hit) => overlaps(hit, passage)));
  const room = Math.max(0, limit - chosen.length - left.length);
  const further = better.slice(most).filter((hit) => !left.some((passage) => overlaps(hit, passage)));
  return mergeHits(left, [...chosen, ...further.slice(0, room)], limit);
}

function leadingOf(symbols: readonly Hit[], most: number): readonly Hit[] {
  const exact = symbols.filter(({ relevance }) => relevance >= LEAST_EXACT);
  if (exact.length > 0) return exact.slice(0, most);
  return symbols.filter(({ relevance }) => relevance >= LEAST_CLOSE).slice(0, Math.min(CLOSE_SHOWN, most));
}

/** Whether both show some of the same lines; of a long definition only the first lines are shown. */
function overlaps(definition: Hit, passage: Hit): boolean {
  const { startLine: from, endLine: to = from } = definition;
  const { startLine: begin, endLine: end = begin } = passage;
  if (definition.path !== passage.path || !from || !to || !begin || !end) return false;
  return from <= end && begin <= Math.min(to, from + LINES_SHOWN - 1);
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

/**
 * Searches code for a regular expression, line by line, in another thread and with a time limit.
 *
 * Files are read a few at a time, ordered by path, and not kept in memory: those with matches are read again.
 */
const PAGE_FILES = 50;
const PAGE_BYTES = 2_000_000;
const LIMIT_MS = 2_000;
const LINES_PER_FILE = 5;

async function searchPattern(
  { query, limit }: { query: string; limit: number },
  filter: Partial<Filter>,
  world: HistoryWorld & Pick<World, "patterns">,
): Promise<{ degraded: string | null; hits: Hit[] }> {
  const options = { limit, limitPerText: LINES_PER_FILE, limitMs: LIMIT_MS };
  const { lines, ended } = await world.patterns.search(query, texts(filter, world), options);
  const ids = [...new Set(lines.map(({ id }) => id))];
  const items = new Map((await world.project.items("code", ids)).map((item) => [item.id, item]));
  const shown = lines.filter(({ id }) => items.has(id));
  const hits = await namedHits(
    shown.map(({ id }) => items.get(id)!),
    { store: world.project, shelf: "code" },
    world,
    { substring: 1 },
  );
  const found = hits.map((hit, index) => {
    const { line, text } = shown[index]!;
    return { ...hit, content: text, startLine: line, endLine: line };
  });
  return { degraded: ended === "time" ? "the pattern took too long; the search is incomplete" : null, hits: found };
}

async function* texts({ languages, pathPrefix = "" }: Partial<Filter>, { project }: Pick<World, "project">) {
  const states = await project.fileStates({ shelf: "code" });
  for (const ids of pages(states.filter(({ path }) => path.startsWith(pathPrefix)))) {
    const order = new Map(ids.map((id, index) => [id, index]));
    const items = (await project.items("code", ids)).filter(
      ({ status, context: { language } }) =>
        status === "active" && (!languages || (language !== null && languages.includes(language))),
    );
    yield items
      .toSorted((a, b) => order.get(a.id)! - order.get(b.id)!)
      .map(({ id, content }) => ({ id, text: content }));
  }
}

/** Ids of files, grouped so that each group fits in memory; a large file is a group by itself. */
function* pages(states: readonly FileState[]): Generator<string[]> {
  let ids: string[] = [];
  let sum = 0;
  for (const { itemId, bytes } of states) {
    if (itemId === null) continue;
    if (ids.length === PAGE_FILES || (ids.length > 0 && sum + bytes > PAGE_BYTES)) {
      yield ids;
      [ids, sum] = [[], 0];
    }
    ids.push(itemId);
    sum += bytes;
  }
  if (ids.length > 0) yield ids;
}

export const CODE_MODES = ["hybrid", "text", "symbol", "semantic"] as const;
type CodeMode = (typeof CODE_MODES)[number];

interface CodeSearch {
  query: string;
  mode: CodeMode;
  limit: number;
  threshold: number;
  languages?: readonly string[] | undefined;
  pathPrefix?: string | undefined;
  kinds?: readonly SymbolKind[] | undefined;
  isPattern: boolean;
}

interface CodeAnswer extends Omit<RecallAnswer, "mode"> {
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
      score: round(score / shown[0]!.score),
      relevance: round(symbolRelevance(score)),
      startLine,
      endLine,
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
