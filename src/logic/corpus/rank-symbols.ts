/**
 * Definitions by a name as it is written in code: `countPups`, `SealColony.countPups`, `urllib.parse.quote`.
 *
 * What stands before the last dot says where: a class, a module or the file. What stands elsewhere
 * only has the same name, so it never counts as the very one.
 */
import type { CodeSymbol } from "../../model/corpus/corpus.ts";
import { type NameMatch, rankNames } from "./fuzzy-name.ts";

export type NamedPlace = Pick<CodeSymbol, "name" | "container" | "startLine" | "endLine"> & { path: string | null };

/** From here on it is the very name, perhaps in another case or with other separators. */
export const LEAST_EXACT = 0.95;
/** From here on it is what somebody meant who slipped, or did not write all of it. */
export const LEAST_CLOSE = 0.8;
/** A name that is less like what was asked is only one of many that share some letters. */
export const LEAST_LIKENESS = 0.5;

/** What a name is worth in another place than the one asked for, and what is added as the places are alike. */
const ELSEWHERE = 0.6;
const ALIKE_PLACE = 0.3;
const BETWEEN = /[.#]|::/;
/** They say that it is a member, but not of what. */
const ANY_PLACE: ReadonlySet<string> = new Set(["this", "self", "cls", "super", "prototype"]);

/** The name that is asked for, and what stands before it, outermost first. */
export function askedName(query: string): { name: string; places: string[] } {
  const parts = query.trim().split(BETWEEN);
  const name = parts.pop();
  if (!name) return { name: query.trim(), places: [] };
  return { name, places: parts.filter((part) => part !== "" && !ANY_PLACE.has(part)) };
}

/** Those that are like it, best first; of equal ones what stands by itself before members, what has a body before heads. */
export function rankSymbols(query: string, symbols: readonly NamedPlace[]): NameMatch[] {
  const { name, places } = askedName(query);
  const names = symbols.map((symbol) => symbol.name);
  const isMember = ({ index }: NameMatch) => Number(symbols[index]!.container !== null);
  // One line may only announce what stands elsewhere.
  const isHead = ({ index }: NameMatch) => Number(symbols[index]!.startLine === symbols[index]!.endLine);
  return rankNames(name, names, symbols.length)
    .map(({ index, score }) => ({ index, score: score * placeFactor(places, symbols[index]!) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score || isMember(a) - isMember(b) || isHead(a) - isHead(b));
}

function placeFactor(places: readonly string[], { container, path }: NamedPlace): number {
  if (places.length === 0) return 1;
  const files = path?.replace(/\.[^./]*$/, "").split("/") ?? [];
  const classes = container?.split(".") ?? [];
  // Right before the name stands its class; of what is in none, the file or the folder, which is a package in some languages.
  const next = classes.length > 0 ? classes.slice(-1) : files.slice(-2);
  const around = [...files, ...classes];
  const likeness = places.map((place, index) => likeliest(place, index === places.length - 1 ? next : around));
  const mean = likeness.reduce((sum, one) => sum + one, 0) / places.length;
  return mean >= LEAST_EXACT ? mean : ELSEWHERE + ALIKE_PLACE * mean;
}

const likeliest = (place: string, around: readonly string[]): number => rankNames(place, around, 1)[0]?.score ?? 0;
