/** The store's search, on all shelves. */
import type { SearchReads } from "../../../ports/store/search.ts";
import { wordpieceOverlap } from "../../vectors/wordpiece-scores.ts";
import { perShelf } from "../../rows/items/per-shelf.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { passageReader } from "./passage-reader.ts";
import { filledShelves, shelfSearch } from "./shelf-search.ts";
import { wordStatistics } from "./word-statistics.ts";
import { wordpieceSearch } from "./wordpiece-search.ts";

export function searchReads(db: OpenDatabase, heldPassages: number): SearchReads {
  const reader = perShelf((shelf) => passageReader(db, shelf));
  const statistics = perShelf((shelf) => wordStatistics(db, shelf));
  const search = perShelf((shelf) => shelfSearch(db, shelf, { statistics: statistics(shelf), heldPassages }));
  const byWordpieces = perShelf((shelf) => wordpieceSearch(db, shelf));
  return {
    filledShelves: filledShelves(db),
    keyword: (shelf, query, filter, limit) => search(shelf).keyword(query, filter, limit),
    substring: (shelf, text, filter, limit) => search(shelf).substring(text, filter, limit),
    nearest: (shelf, query, filter, limit) => search(shelf).nearest(query, filter, limit),
    cosines: (shelf, query, passages) => search(shelf).cosines(query, passages),
    wordpieceScores: (shelf, query, passages) => byWordpieces(shelf).scores(query, passages),
    nearestByWordpieces: (shelf, query, filter, limit) => byWordpieces(shelf).nearest(query, filter, limit),
    newestPassages: (shelf, filter, page) => reader(shelf).newest(filter, page),
    firstPassages: (shelf, ids) => reader(shelf).firsts(ids),
    passageVectors: (shelf, embedder, passages) => search(shelf).vectors(embedder, passages),
    wordpieceOverlap: async (pieces, others) => wordpieceOverlap(pieces, others),
    passages: (shelf, passages) => reader(shelf).passages(passages),
    neighbours: (shelf, passages) => reader(shelf).neighbours(passages),
    speakers: (shelf, names) => reader(shelf).speakers(names),
    wordStatistics: (shelf, stems) => statistics(shelf)(stems),
  };
}
