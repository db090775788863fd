/**
 * Ranks definitions by a name as written in code: `countPups`, `SealColony.countPups`, `urllib.parse.quote`.
 *
 * The part before the last dot is the location: a class, a module or the file. A definition in another location merely
 * has the same name, so it never counts as an exact match.
 */
import type { CodeSymbol } from "../../model/corpus/corpus.ts";
import { type NameMatch, rankNames } from "./fuzzy-name.ts";

export type NamedPlace = Pick<CodeSymbol, "name" | "container" | "startLine" | "endLine"> & { path: string | null };

/** From here on it is the same name, perhaps with other case or separators. */
export const LEAST_EXACT = 0.95;
/** From here on it is probably the intended name, misspelt or incomplete. */
export const LEAST_CLOSE = 0.8;
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
