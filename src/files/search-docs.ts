/** Searches documents, after bringing the index up to date within a time limit. Hits are the best passages of each. */
import type { Hit } from "../recall/hit.ts";
import type { RecallAnswer } from "../recall/places.ts";
import type { Mode } from "../recall/ranking.ts";
import { joinReasons, noteAccess, recall } from "../recall/recall.ts";
import type { Filter } from "../recall/search.ts";
import type { World } from "../world.ts";
import { freshen } from "./freshen.ts";

interface DocumentSearch {
  query: string;
  mode: Mode;
  limit: number;
  threshold: number;
  labels?: readonly string[] | undefined;
  docTypes?: readonly string[] | undefined;
  pathPrefix?: string | undefined;
  /** Maximum number of passages per document; null for all. */
  perDocument: number | null;
}

/** More hits are fetched than shown, because several may belong to one document. */
const OVERFETCH = 3;
const MOST_FETCHED = 100;

export async function searchDocs(request: DocumentSearch, world: World): Promise<RecallAnswer> {
  const behind = await freshen(world);
  const { query, mode, limit, threshold, perDocument } = request;
  const filter: Partial<Filter> = {
    scopes: ["project"],
    ...(request.labels?.length && { labels: request.labels }),
    ...(request.docTypes?.length && { types: request.docTypes }),
    ...(request.pathPrefix && { pathPrefix: request.pathPrefix }),
  };
  const eachPassage = perDocument !== 1;
  const fetched = eachPassage ? Math.min(MOST_FETCHED, limit * (perDocument ?? 1) * OVERFETCH) : limit;
  const shelves = ["document"] as const;
  const found = await recall(
    {
      query,
      mode,
      threshold,
      shelves,
      filter,
      limit: Math.max(limit, fetched),
      eachPassage,
      isDistinct: perDocument !== null,
      isRouted: true,
      quiet: true,
    },
    world,
  );
  const hits = perDocument === null ? found.hits.slice(0, limit) : bestOfEach(found.hits, perDocument).slice(0, limit);
  noteAccess(hits, query, world);
  return { ...found, hits, degraded: joinReasons([behind, found.degraded], world) };
}

function bestOfEach(hits: readonly Hit[], most: number): Hit[] {
  const seen = new Map<string, number>();
  return hits.filter(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count <= most;
  });
}
