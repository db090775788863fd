/** The store's journal. Few processes read it, so its reader is loaded on first use. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { JournalReads } from "../../../ports/store/journal.ts";
import type { Database, WhenFree } from "../connection/database.ts";
import { waiting } from "../connection/reads.ts";
import { edgeReader } from "../graph/edge-reader.ts";
import { journaledIds } from "../items/id-reader.ts";
import type { ShelfReader } from "../items/shelf-reader.ts";
import { callCounts } from "./call-counts.ts";
import type { JournalReader } from "./journal-reader.ts";

export function journalReads(db: Database, on: (shelf: Shelf) => ShelfReader, whenFree: WhenFree): JournalReads {
  let reader: JournalReader | null = null;
  async function read<T>(work: (reader: JournalReader) => T): Promise<T> {
    const { journalReader } = await import("./journal-reader.ts");
    return whenFree(() => {
      reader ??= journalReader(db, { items: (shelf, ids) => on(shelf).readable(ids), edges: edgeReader(db).edges });
      return work(reader);
    });
  }
  return {
    journal: (query, page) => read(({ records }) => records(query, page)),
    latestCalls: (limit, space) => read(({ latestCalls }) => latestCalls(limit, space ?? null)),
    chain: (from, limit) => read(({ chain }) => chain(from, limit)),
    chainHead: () => read(({ head }) => head()),
    ...waiting<Pick<JournalReads, "callsWithPrefix" | "journaledIds">>(journaledIds(db), whenFree),
    ...waiting<Pick<JournalReads, "callsSince">>(callCounts(db), whenFree),
  };
}
