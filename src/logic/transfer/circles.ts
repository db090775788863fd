/**
 * Finds circles of replacement: items that would eventually replace themselves.
 *
 * Each item has one successor, so a group of connected items without a circle has one end, and only that end can have no
 * successor yet. A successor within its own group therefore closes a circle. Groups are joined as items arrive, which
 * costs next to nothing however long a chain is and in whichever order it comes.
 */
export interface Circles {
  /** Notes that an item was replaced. False if that closes a circle. An item is noted at most once. */
  replace(id: string, successor: string): boolean;
}

export function circles(): Circles {
  const towards = new Map<string, string>();
  function groupOf(id: string): string {
    let end = id;
    for (let next = towards.get(end); next !== undefined; next = towards.get(end)) end = next;
    for (let at = id; at !== end; ) {
      const next = towards.get(at)!;
      towards.set(at, end);
      at = next;
    }
    return end;
  }
  return {
    replace(id, successor) {
      const [own, other] = [groupOf(id), groupOf(successor)];
      if (own === other) return false;
      towards.set(own, other);
      return true;
    },
  };
}
