/** The order of neighbours in a list, wherever it is told. */

/** Puts what stands above directly before what stands below it, where it came behind; nothing else changes its order. */
export function besideEachOther<Entry extends { id: string }>(
  list: readonly Entry[],
  pairs: readonly { above: string; below: string }[],
): Entry[] {
  let ordered = [...list];
  const placeOf = (id: string): number => ordered.findIndex((one) => one.id === id);
  // What was moved may have neighbours above it in its turn.
  for (let round = 0, isMoved = pairs.length > 0; isMoved && round < list.length; round += 1) {
    isMoved = false;
    for (const { above, below } of pairs) {
      const [upper, lower] = [placeOf(above), placeOf(below)];
      if (lower < 0 || upper <= lower) continue;
      const moved = ordered[upper]!;
      ordered = ordered.toSpliced(upper, 1).toSpliced(lower, 0, moved);
      isMoved = true;
    }
  }
  return ordered;
}
