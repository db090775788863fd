/**
 * Ranking documents: what they refer to is looked up among those that are there now, and their standing computed.
 *
 * A reference that led nowhere may have found its document since, so all of them are looked at again.
 */
import { type Link, normalised, pageRank } from "../logic/page-rank.ts";
import { type KnownDocument, isExternal, referenceReader } from "../logic/references.ts";
import type { Change } from "../model/change.ts";
import type { Reference, World } from "../ports.ts";

const PAGE = 500;

export async function rankDocuments(world: Pick<World, "project" | "clock" | "origin">): Promise<void> {
  const { project, origin } = world;
  const references = await project.references();
  const documents = await documentsIn(references, world);
  const reader = referenceReader(documents);
  const links: Link[] = [];
  const changes: Change[] = [];
  for (const [itemId, own] of Map.groupBy(references, (reference) => reference.itemId)) {
    const from = own[0]?.path ?? "";
    const targets = own.map(({ target }) => reader.resolve(from, [target])[0] ?? target);
    for (const to of targets) links.push({ from, to });
    const isNew = targets.some((target, index) => target !== own[index]?.target);
    if (isNew) changes.push({ kind: "put_references", itemId, targets: [...new Set(targets)] });
  }
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
  await project.apply([...changes, { kind: "rank_documents", ranks: ranked }], origin);
}

/** Titles are read only where a page is referred to by its name. */
async function documentsIn(
  references: readonly Reference[],
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<KnownDocument[]> {
  if (!references.some(({ target }) => target.startsWith("[["))) {
    const states = await project.fileStates({ shelf: "document" });
    return states.filter(({ itemId }) => itemId !== null).map(({ path }) => ({ path, title: null }));
  }
  const documents: KnownDocument[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const filter = { statuses: ["active"] as const, now: clock.now() };
    const { items } = await project.list("document", filter, { limit: PAGE, offset });
    for (const { path, title } of items) if (path !== null) documents.push({ path, title });
    if (items.length < PAGE) return documents;
  }
}

/** What a document refers to within the project, as it is written. */
export const innerReferences = (references: readonly string[]): string[] => [
  ...new Set(references.filter((reference) => !isExternal(reference))),
];
