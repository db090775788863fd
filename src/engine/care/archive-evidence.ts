/**
 * Archives old evidence: it is compressed and removed from the index.
 *
 * Works in small transactions, so that other processes are not blocked. Each change expects the
 * version it read, so two processes can archive at the same time. Nothing but evidence is
 * archived here, least of all decisions.
 */
import { evidenceCutoff } from "../../logic/care/lifecycle.ts";
import { revising } from "../../logic/memory/item-changes.ts";
import type { Item } from "../../model/memory/item.ts";
import type { AgedEvidence, DecisionReads } from "../../ports/store/decisions.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { Writes } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";

const BATCH_ITEMS = 50;
/** Compressing this much at once causes no noticeable delay. */
const BATCH_BYTES = 200_000;

export interface ArchivedBatch {
  archived: number;
  bytesBefore: number;
  /** 0 in a dry run. */
  bytesAfter: number;
}

export async function* archiveEvidence(
  world: Stores & Pick<World, "clock" | "settings" | "origin">,
): AsyncGenerator<ArchivedBatch> {
  const before = evidenceCutoff(world.clock.now(), world.settings.evidence);
  for (const store of [world.project, world.global]) {
    for (let after: AgedEvidence | null = null; ; ) {
      const aged: AgedEvidence[] = atOnce(await store.agedEvidence(before, { after, limit: BATCH_ITEMS }));
      if (aged.length === 0) break;
      yield await archiveBatch(store, aged, before, world);
      after = aged.at(-1)!;
    }
  }
}

function atOnce(aged: readonly AgedEvidence[]): AgedEvidence[] {
  let bytes = 0;
  const end = aged.findIndex((one, index) => (bytes += one.bytes) > BATCH_BYTES && index > 0);
  return aged.slice(0, end === -1 ? aged.length : end);
}

async function archiveBatch(
  store: Writes & ItemReads & DecisionReads,
  aged: readonly AgedEvidence[],
  before: number,
  world: Pick<World, "origin">,
): Promise<ArchivedBatch> {
  const ids = aged.map(({ id }) => id);
  const items = await commit<Item[]>(
    store,
    async () => {
      const due = (await store.items("evidence", ids)).filter(
        ({ status, updatedAt }) => status === "active" && updatedAt < before,
      );
      return { changes: due.map((item) => revising("evidence", item, { status: "archived" })), answer: due };
    },
    world,
  );
  return {
    archived: items.length,
    bytesBefore: items.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    bytesAfter: await store.archivedBytes(items.map(({ id }) => id)),
  };
}
