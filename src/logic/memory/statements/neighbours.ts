/**
 * Neighbours: telling words that stand near each other, with what stands between them.
 *
 * "The API calls the worker" and "the worker calls the API" have the same words; so have "lat, lon" and "lon, lat".
 */
import { stem } from "../../text/stem.ts";
import { isTelling, type Token } from "./tokens.ts";

export type Neighbours = readonly (readonly [one: string, between: string, other: string])[];

const ARTICLE = /^(?:the|a|an|our|its|their|this|that|der|die|das|den|le|la|les|el|los|las|o|os|as)$/;
/** What is joined by these has no order. */
const JOINING = /^(?:and|or|und|oder|et|ou|y|e|&)$/;

export function neighboursIn(tokens: readonly Token[]): Neighbours {
  const telling = tokens.flatMap((token, at) => (isTelling(token) ? [at] : []));
  const split = tokens.flatMap(({ folded }) => {
    const [, one, other] = /^(\p{L}+)\/(\p{L}+)$/u.exec(folded) ?? [];
    return one && other ? [[stem(one), ",", stem(other)] as const] : [];
  });
  const pairs = telling.flatMap((from, index) =>
    telling.slice(index + 1, index + 3).flatMap((to) => {
      const between = betweenOf(tokens, from, to);
      return between === null ? [] : [[stem(tokens[from]!.folded), between, stem(tokens[to]!.folded)] as const];
    }),
  );
  return [...split, ...pairs];
}

/** Null where nothing stands between them, or only "and". */
function betweenOf(tokens: readonly Token[], from: number, to: number): string | null {
  const words = tokens.slice(from + 1, to).filter(({ folded }) => !ARTICLE.test(folded));
  if (words.some(({ folded }) => JOINING.test(folded))) return null;
  const mark = tokens[from]!.endsClause ? "," : "";
  return words.length === 0 && mark === "" ? null : [mark, ...words.map(({ folded }) => folded)].join(" ").trim();
}

/** Two words of one that stand in each other's place in the other. */
export function areExchanged(one: Neighbours, two: Neighbours): boolean {
  const known = new Set(two.map((pair) => pair.join("\n")));
  return one.some(([first, between, second]) => first !== second && known.has([second, between, first].join("\n")));
}
