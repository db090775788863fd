/**
 * Ranks documents: resolves their references among the current documents and computes their PageRank.
 *
 * A reference may resolve differently after any document is added, removed or renamed, so all references are resolved
 * again as written. If a run is interrupted, the next one ranks its changes.
 */
import { type Link, normalised, pageRank } from "../../logic/corpus/page-rank.ts";
import { type KnownDocument, isExternal, isPageName, referenceReader } from "../../logic/corpus/references.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Reference } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";

const PAGE = 500;

type RankingWorld = Pick<World, "project" | "clock" | "origin">;

export async function needsRanking({ project }: Pick<World, "project">): Promise<boolean> {
  return (await project.unranked()) !== null;
}

export async function rankDocuments(world: RankingWorld): Promise<void> {
  await commit(world.project, async () => ({ changes: await planRanks(world), answer: null }), world);
}

async function planRanks(world: RankingWorld): Promise<Change[]> {
  const { project } = world;
  // Read first, so that changes made in the meantime are ranked by the next run.
  const upTo = await project.unranked();
  if (upTo === null) return [];
  const references = await project.references();
  const documents = await documentsIn(references, world);
  const { resolve } = referenceReader(documents);
  const found = references.map((reference) => ({
    ...reference,
    now: resolve(reference.path ?? "", [reference.written])[0] ?? null,
  }));
  const links = found.flatMap(({ path, now }): Link[] => (now === null ? [] : [{ from: path ?? "", to: now }]));
  const ranks = normalised(
    pageRank(
      documents.map(({ path }) => path),
      links,
    ),
  );
  const ids = new Map((await project.fileStates({ shelf: "document" })).map(({ path, itemId }) => [path, itemId]));
  const ranked = [...ranks].flatMap(([path, rank]) => {
    const id = ids.get(path);
    return id ? [{ id, rank }] : [];
  });
  const moved = found
    .filter(({ target, now }) => target !== now)
    .map(({ itemId, written, now }) => ({ itemId, written, target: now }));
  return [{ kind: "rank_documents", ranks: ranked, links: moved, upTo }];
}

/** Titles are read only if some reference names a page. */
async function documentsIn(
  references: readonly Reference[],
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<KnownDocument[]> {
  if (!references.some(({ written }) => isPageName(written))) {
    const states = await project.fileStates({ shelf: "document" });
    return states.filter(({ itemId }) => itemId !== null).map(({ path }) => ({ path, title: null }));
  }
  const documents: KnownDocument[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const filter = { statuses: ["active"] as const, now: clock.now() };
    const { items } = await project.list("document", filter, { limit: PAGE, offset, countMost: 0 });
    for (const { path, title } of items) if (path !== null) documents.push({ path, title });
    if (items.length < PAGE) return documents;
  }
}

/** References within the project, as written. */
export const innerReferences = (references: readonly string[]): string[] => [
  ...new Set(references.filter((reference) => !isExternal(reference))),
];
