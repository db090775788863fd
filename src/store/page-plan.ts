/**
 * Walks a ranking page by page until enough items have passed the filter.
 *
 * Rank first, filter afterwards: only a page's passages are joined to their items, and the next, larger page is fetched
 * only when too few remain. Each item appears once, as its best passage, unless passages are requested. A superseded
 * item leads to its successor. A generator, because one database answers at once and another later.
 */
import type { Ranked } from "../recall/search.ts";
import { type OutlineRow, toOutline } from "./item-row.ts";

const FIRST_PAGE = 100;
const LATER_PAGES = [400, 1_600, 6_400, 25_600, 102_400];
/** A page is looked up in parts, because the first usually suffices; each further part is this much larger. */
const PART_GROWTH = 3;

export interface Scored {
  passage: number;
  score: number;
}

export interface PageLimits {
  limit: number;
  eachPassage?: boolean | undefined;
}

/** What the walk asks next: a page of the ranking, or the visible items of some passages. */
type PageRequest = { page: { size: number; offset: number } } | { visible: readonly number[] };
type PageAnswer = readonly Scored[] | Map<number, OutlineRow>;

/** Fetches growing pages until `limit` distinct items, or passages, have passed the filter. */
export function* walkPages({ limit, eachPassage }: PageLimits): Generator<PageRequest, Ranked[], PageAnswer> {
  const found = new Map<string | number, Ranked>();
  const passed = new Set<number>();
  let partSize = limit;
  let offset = 0;
  const first = Math.max(FIRST_PAGE, limit);
  for (const size of [first, ...LATER_PAGES.filter((later) => later > first)]) {
    const fetched = (yield { page: { size, offset } }) as readonly Scored[];
    const page = offset === 0 ? fetched : fetched.filter(({ passage }) => !passed.has(passage));
    for (const { passage } of page) passed.add(passage);
    for (let start = 0; start < page.length && found.size < limit; ) {
      const part = page.slice(start, start + partSize);
      start += partSize;
      partSize *= PART_GROWTH;
      const items = (yield { visible: part.map(({ passage }) => passage) }) as Map<number, OutlineRow>;
      for (const { passage, score } of part) {
        const item = items.get(passage);
        const key = eachPassage ? passage : item?.[0];
        if (item && key !== undefined && !found.has(key)) {
          found.set(key, { itemId: item[0], item: toOutline(item), passage, score });
        }
        if (found.size >= limit) break;
      }
    }
    if (found.size >= limit || fetched.length < size) break;
    offset += fetched.length;
  }
  return [...found.values()];
}

/** The ends of the chains of replacement that begin at these ids. */
export function chainEnds(
  ids: readonly string[],
  links: readonly { id: string; superseded_by: string }[],
): Map<string, string> {
  const next = new Map(links.map((link) => [link.id, link.superseded_by]));
  const heads = new Map<string, string>();
  for (const id of ids) {
    let head = id;
    const passed = new Set<string>();
    while (next.has(head) && !passed.has(head)) {
      passed.add(head);
      head = next.get(head)!;
    }
    // A cycle has no end, so no item in it is current.
    if (!next.has(head)) heads.set(id, head);
  }
  return heads;
}

/** Ranks by how many of the lists a passage is on; of equals, the last written first. */
export function rankedByCount(lists: readonly (readonly number[])[]): Scored[] {
  const counts = new Map<number, number>();
  for (const list of lists) for (const passage of list) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  return [...counts]
    .map(([passage, score]) => ({ passage, score }))
    .sort((one, two) => two.score - one.score || two.passage - one.passage);
}
