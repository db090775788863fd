/** Searching code for a regular expression: line by line, beside this thread, with a limit on time. */
import type { Hit } from "../model/hit.ts";
import type { Item } from "../model/item.ts";
import type { Filter, World } from "../ports.ts";
import { placesFor } from "./gather.ts";
import { namedHits } from "./hits.ts";

const PAGE = 200;
const LIMIT_MS = 2_000;
const LINES_PER_FILE = 5;

export async function searchPattern(
  { query, limit }: { query: string; limit: number },
  filter: Partial<Filter>,
  world: World,
): Promise<{ degraded: string | null; hits: Hit[] }> {
  const [place] = placesFor(["code"], filter, world);
  const items = new Map<string, Item>();
  async function* texts() {
    for (let offset = 0; ; offset += PAGE) {
      const { items: page } = await world.project.list("code", place!.filter, { limit: PAGE, offset });
      for (const item of page) items.set(item.id, item);
      yield page.map(({ id, content }) => ({ id, text: content }));
      if (page.length < PAGE) return;
    }
  }
  const options = { limit, limitPerText: LINES_PER_FILE, limitMs: LIMIT_MS };
  const { lines, ended } = await world.patterns.search(query, texts(), options);
  const shown = lines.filter(({ id }) => items.has(id));
  const hits = await namedHits(
    shown.map(({ id }) => items.get(id)!),
    place!,
    world,
    { substring: 1 },
  );
  const found = hits.map((hit, index) => {
    const { line, text } = shown[index]!;
    return { ...hit, content: text, startLine: line, endLine: line };
  });
  return { degraded: ended === "time" ? "the pattern took too long; not everything was searched" : null, hits: found };
}
