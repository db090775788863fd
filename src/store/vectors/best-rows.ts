/**
 * The best rows seen so far, out of any number offered.
 *
 * A heap with the worst kept row on top: nearly every offer costs one comparison with
 * it. Ties are broken by row number, so equal input gives equal output.
 */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

export interface BestRows {
  /** Rows must come in ascending order. A score of -Infinity is never kept. */
  offer(firstRow: number, scores: Float32Array): void;
  /** Best first. */
  take(): ScoredRow[];
}

export function createBestRows(limit: number): BestRows {
  const heap: ScoredRow[] = [];
  let threshold = limit > 0 ? -Infinity : Infinity;

  function keep(entry: ScoredRow): number {
    if (heap.length < limit) siftUp(heap, entry);
    else siftDown(heap, entry);
    // A later row of equal score loses the tie, so only a higher score still enters.
    if (heap.length === limit) threshold = heap[0]?.score ?? threshold;
    return threshold;
  }

  return {
    offer(firstRow, scores) {
      // A local copy: a captured variable would be reloaded on every iteration.
      let floor = threshold;
      for (let index = 0; index < scores.length; index++) {
        const score = scores[index] as number;
        if (score > floor) floor = keep({ row: firstRow + index, score });
      }
    },
    take: () => heap.toSorted(bestFirst),
  };
}

export function bestFirst(left: ScoredRow, right: ScoredRow): number {
  return right.score - left.score || left.row - right.row;
}

/** Adds an entry at the bottom and moves it up past every better parent. */
function siftUp(heap: ScoredRow[], entry: ScoredRow): void {
  let hole = heap.push(entry) - 1;
  while (hole > 0) {
    const above = (hole - 1) >> 1;
    const parent = heap[above] as ScoredRow;
    if (bestFirst(parent, entry) > 0) break;
    heap[hole] = parent;
    hole = above;
  }
  heap[hole] = entry;
}

/** Replaces the top and moves the entry down past every worse child. */
function siftDown(heap: ScoredRow[], entry: ScoredRow): void {
  let hole = 0;
  for (let below = 1; below < heap.length; below = 2 * hole + 1) {
    const [left, right] = [heap[below] as ScoredRow, heap[below + 1]];
    const worse = right && bestFirst(right, left) > 0 ? right : left;
    if (bestFirst(entry, worse) > 0) break;
    heap[hole] = worse;
    hole = worse === left ? below : below + 1;
  }
  heap[hole] = entry;
}
