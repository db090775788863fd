/**
 * Searches code for a regular expression, line by line, in another thread and with a time limit.
 *
 * Files are read a few at a time, ordered by path, and not kept in memory: those with matches are read again.
 */
import type { FileState } from "../../model/corpus/corpus.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { namedHits } from "../recall/explain.ts";
import type { HistoryWorld } from "../recall/history.ts";

const PAGE_FILES = 50;
const PAGE_BYTES = 2_000_000;
const LIMIT_MS = 2_000;
const LINES_PER_FILE = 5;

export async function searchPattern(
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
